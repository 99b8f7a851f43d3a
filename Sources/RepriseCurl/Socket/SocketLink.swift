internal import CCurl
internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// A WebSocket under way: reads and writes its connection, tells the observer at once, and keeps
/// for the end of the turn what the app will get.
///
/// Used on the reactor's thread alone.
final class SocketLink: Turn.Member {
    enum Phase {
        /// libcurl connects. Left to `requesting`.
        case connecting
        /// The head goes out. Left to `answering`.
        case requesting
        /// The response's head comes. Left to `open` by status 101, else to `refused`.
        case answering
        /// Frames go both ways.
        case open
        /// The response's body comes.
        case refused
        /// The end was told; reached from everywhere.
        case ended
    }

    let request: SocketExchange
    let easy: EasyHandle
    let turn: Turn
    let buffer: ReadBuffer
    private let clock: any SessionClock
    private let poller: SocketPoller
    let startedAt: Int64

    var phase = Phase.connecting
    var headReader = HeadReader()
    var frameReader: WebSocketFrameReader
    /// How many bytes were told that are no frame.
    var refusedBytes = 0
    var body: AnswerBody?
    var frames = Handoff<SocketDelivery>.Batch()
    var answer = Handoff<Delivery>.Batch()
    /// The senders that need not wait any longer.
    var outcomes: [(waiter: CheckedContinuation<Outgoing.Outcome, Never>, Outgoing.Outcome)] = []
    var queue = SendQueue()

    /// The connection's socket, once libcurl has left it to this.
    private(set) var socket: Int32?
    private var isReading = false
    private var isWriting = false
    var isBlocked = false
    var isHeld = false
    var hasPeerFinished = false
    /// Whether this end sends nothing more behind what waits.
    var isFinishing = false
    var isTouched = false

    var sentAt: Int64?
    var firstByteAt: Int64?
    var framing: EndRecord.Framing?
    private var isClosureProven = false
    private var lastTime: Int64
    private var lastActivity: Int64

    var exchange: Exchange { request.exchange }

    init(
        _ request: SocketExchange, easy: EasyHandle, clock: any SessionClock, turn: Turn,
        poller: SocketPoller, buffer: ReadBuffer
    ) {
        self.request = request
        self.easy = easy
        self.clock = clock
        self.turn = turn
        self.poller = poller
        self.buffer = buffer
        frameReader = WebSocketFrameReader(limits: request.limits)
        startedAt = clock.now()
        lastActivity = startedAt
        lastTime = request.exchange.began
    }

    var isEnded: Bool { phase == .ended }
    var isConnected: Bool { socket != nil }

    /// Now, but never before what was told last.
    func stamp() -> Int64 {
        lastTime = max(lastTime, clock.now())
        lastActivity = lastTime
        return lastTime
    }

    /// The time of a read: two of them never share one, which is how a recording tells them apart.
    func stampRead() -> Int64 {
        lastTime += 1
        return stamp()
    }

    func tell(_ content: FrameContent, at time: Int64) {
        exchange.observer?.observe(content, at: time)
        turn.touch(self)
    }

    /// Asks the system for what can be used now.
    func watch() {
        guard let socket else { return }
        let isReading = !isEnded && !isHeld && !hasPeerFinished && phase != .requesting
        let isWriting = !isEnded && isBlocked
        if isReading == self.isReading && isWriting == self.isWriting { return }
        self.isReading = isReading
        self.isWriting = isWriting
        var interest: SocketPoller.Readiness = []
        if isReading { interest.insert(.readable) }
        if isWriting { interest.insert(.writable) }
        poller.watch(socket, for: interest)
    }
}

// MARK: - Limits

extension SocketLink {
    /// When waiting for the response becomes too long; nil where libcurl sees to it, and once the
    /// WebSocket is open.
    var deadline: Int64? {
        switch phase {
        case .connecting, .open, .ended: return nil
        case .requesting, .answering, .refused: break
        }
        let limits = exchange.request.timeouts
        let idle = isHeld ? nil : limits.idle.map { Self.sum(lastActivity, $0) }
        return [idle, limits.total.map { Self.sum(startedAt, $0) }].compactMap { $0 }.min()
    }

    private static func sum(_ time: Int64, _ limit: Int64) -> Int64 {
        let (sum, isOver) = time.addingReportingOverflow(max(0, limit))
        return isOver ? .max : sum
    }

    /// Why it ends when the deadline has passed.
    var late: TransportError {
        let total = exchange.request.timeouts.total
        let isTotal = total.map { Self.sum(startedAt, $0) == deadline } ?? false
        return isTotal ? .late(exchange) : .silent(exchange)
    }
}

// MARK: - What the loop asks for

extension SocketLink {
    /// libcurl has a connection, or none.
    func didConnect(_ result: CURLcode) {
        guard phase == .connecting else { return }
        guard result == CURLE_OK else { return end(ending(result).record) }
        socket = easy.socket
        guard socket != nil else { return end(ending(CURLE_COULDNT_CONNECT).record) }
        phase = .requesting
        queue.push(request.head.bytes)
        _ = stamp()
        write()
        turn.watchSilence(until: deadline)
    }

    func didBecomeReady(_ readiness: SocketPoller.Readiness) {
        if isBlocked, !readiness.isDisjoint(with: [.writable, .failed]) { write() }
        if !readiness.isDisjoint(with: [.readable, .failed]) { read() }
    }

    /// The server said that it closes TLS and sends no more (a close_notify alert).
    func didCloseTLS() {
        // Behind an https proxy the alert may be the proxy's.
        isClosureProven = exchange.target.proxy == nil
    }

    /// The app asks for more.
    func resume() {
        guard isHeld, !isEnded else { return }
        isHeld = false
        _ = stamp()
        turn.watchSilence(until: deadline)
        // TLS may hold bytes that the system does not tell of.
        read()
    }

    func stop(_ error: TransportError) {
        var record = error.record
        record.framing = framing
        end(record)
    }

    func end(_ record: EndRecord) {
        if isEnded { return }
        let isAnswered = phase == .open || phase == .refused
        tellUnfinished()
        phase = .ended
        watch()
        let time = stamp()
        if sentAt == nil { tell(.request(exchange.record), at: exchange.began) }
        if isConnected, !isAnswered { tell(.phases(phases), at: time) }
        tell(.end(record), at: time)
        frames.end = record
        answer.end = record
        let error = TransportError(record) ?? .ended(exchange.target)
        for waiter in queue.removeAll() { outcomes.append((waiter, .failure(error))) }
    }

    /// - Parameter flaw: What is no HTTP about the answer.
    func ending(_ result: CURLcode, _ flaw: String? = nil) -> Ending {
        Ending(
            failure: easy.failure(result), flaw: flaw, target: exchange.target,
            isConnected: isConnected, isRequestOut: sentAt != nil, framing: framing,
            isClosureProven: isClosureProven, proxyStatus: easy.long(CURLINFO_HTTP_CONNECTCODE),
            elapsed: clock.now() - startedAt, timeouts: exchange.request.timeouts)
    }

    var phases: PhasesRecord {
        easy.phases(
            since: exchange.began, startedAt: startedAt, isConnected: isConnected, sent: sentAt,
            firstByte: firstByteAt)
    }

    // Peers are held back while reading, not here.
    func hold() {}

    func commit() { exchange.observer?.commit() }

    func release() {
        exchange.handoff.release(answer)
        request.frames.release(frames)
        answer = Handoff<Delivery>.Batch()
        frames = Handoff<SocketDelivery>.Batch()
        for (waiter, outcome) in outcomes { waiter.resume(returning: outcome) }
        outcomes = []
    }
}
