internal import CCurl
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// One exchange under way: takes libcurl's callbacks, tells the observer at once, and keeps for
/// the end of the turn what the app will get.
///
/// Used on the reactor's thread alone.
final class Transfer: Turn.Member {
    let exchange: Exchange
    let easy: EasyHandle
    private let clock: any SessionClock
    private let turn: Turn

    private var sent = SentBytes()
    private var head = ResponseHead()
    private var batch = Handoff<Delivery>.Batch()
    /// Bytes of the batch that the hand-off does not know of yet.
    private var unannounced = 0
    private var isRequestTold = false
    private var isRepeatRefused = false
    private var bodySent = 0
    private var sentAt: Int64?
    private var firstByteAt: Int64?
    private var framing: EndRecord.Framing?
    private var isClosureProven = false
    private var pieces = PieceQueue()
    private var lastTime: Int64
    private var startedAt: Int64

    /// Whether the turn's list holds it.
    var isTouched = false
    /// Whether the end was told.
    private(set) var isEnded = false
    private(set) var isPaused = false
    private(set) var isConnected = false
    private var lastActivity: Int64

    init(_ exchange: Exchange, easy: EasyHandle, clock: any SessionClock, turn: Turn) {
        self.exchange = exchange
        self.easy = easy
        self.clock = clock
        self.turn = turn
        startedAt = clock.now()
        lastActivity = startedAt
        lastTime = exchange.began
    }

    /// When silence becomes too long; nil while it does not count.
    var idleDeadline: Int64? {
        guard let limit = exchange.request.timeouts.idle, isConnected, !isPaused else { return nil }
        return lastActivity.addingReportingOverflow(max(0, limit)).overflow
            ? .max : lastActivity + max(0, limit)
    }

    /// Now, but never before what was told last.
    private func stamp() -> Int64 {
        lastTime = max(lastTime, clock.now())
        return lastTime
    }

    private func tell(_ content: FrameContent, at time: Int64) {
        exchange.observer?.observe(content, at: time)
        turn.touch(self)
    }
}

// MARK: - What libcurl tells

extension Transfer {
    /// A connection is ready for the request.
    ///
    /// - Returns: Whether to send it. Where a kept connection dies before it answers, libcurl
    ///   would send the request again, and nobody would know; whether that is safe, the client
    ///   decides.
    func mayRequest() -> Bool {
        if sent.isAnythingOut {
            isRepeatRefused = true
            return false
        }
        sent = SentBytes()
        isConnected = true
        lastActivity = clock.now()
        turn.watchSilence(until: idleDeadline)
        return true
    }

    /// Bytes of a head or body went out in one write.
    func didSend(_ bytes: [UInt8]) {
        let time = stamp()
        lastActivity = time
        for event in sent.push(bytes) {
            switch event {
            case .head(let head): tellRequest(head)
            case .body(let bytes):
                bodySent += bytes.count
                tell(.requestBody(bytes), at: time)
            }
            if bodySent == exchange.request.body.count, sentAt == nil {
                sentAt = time
                tell(.requestEnd, at: time)
            }
        }
    }

    private func tellRequest(_ head: [UInt8]) {
        var record = exchange.record
        if let left = RequestHead(head) {
            record.method = left.method
            record.headers = left.headers
        }
        isRequestTold = true
        tell(.request(record), at: exchange.began)
    }

    /// A line of a head or trailer came.
    ///
    /// - Returns: Whether to go on.
    func didReceive(line: [UInt8]) -> Bool {
        let time = stamp()
        lastActivity = time
        switch head.push(line) {
        case .none: break
        case .began: firstByteAt = time
        case .final(let record):
            framing = ResponseHead.framing(of: record, to: exchange.request.method)
            pieces = PieceQueue(isChunked: framing == .chunked)
            tell(.phases(phases), at: time)
            tell(.response(record), at: time)
            batch.head = record
        }
        return !head.isTooLarge
    }

    /// A read of the body came, still chunked; what is in it is written next.
    func didRead(_ bytes: [UInt8]) {
        // Two reads never share a time: that is how a recording tells them apart.
        lastTime = max(lastTime + 1, clock.now())
        lastActivity = lastTime
        pieces.read(bytes, at: lastTime)
    }

    /// Bytes of the body, without the chunked coding.
    func didReceive(body bytes: [UInt8]) {
        for delivery in pieces.write(bytes, now: lastTime) { deliver(delivery) }
    }

    private func deliver(_ delivery: Delivery) {
        tell(.responseBody(delivery.bytes), at: delivery.time)
        batch.items.append(delivery)
        unannounced += delivery.bytes.count
    }

    /// The server said that it closes TLS and sends no more (a close_notify alert).
    func didCloseTLS() {
        // Behind an https proxy the alert may be the proxy's.
        isClosureProven = exchange.target.proxy == nil
    }

    private var phases: PhasesRecord {
        easy.phases(
            since: exchange.began, startedAt: startedAt, isConnected: isConnected, sent: sentAt,
            firstByte: firstByteAt)
    }
}

// MARK: - What the loop asks for

extension Transfer {
    /// The transfer left libcurl with that result.
    func finish(_ result: CURLcode) {
        end(ending(result).record)
    }

    private func ending(_ result: CURLcode) -> Ending {
        Ending(
            failure: easy.failure(result), target: exchange.target,
            isConnected: isConnected, isRequestOut: isRequestTold,
            isRepeatRefused: isRepeatRefused, isHeadTooLarge: head.isTooLarge, framing: framing,
            isClosureProven: isClosureProven, trailers: head.trailers,
            proxyStatus: easy.long(CURLINFO_HTTP_CONNECTCODE),
            elapsed: clock.now() - startedAt, timeouts: exchange.request.timeouts)
    }

    /// The transfer was taken from libcurl for that reason.
    func stop(_ error: TransportError) {
        var record = error.record
        record.framing = framing
        record.trailers = head.trailers
        end(record)
    }

    private func end(_ record: EndRecord) {
        if isEnded { return }
        isEnded = true
        if let delivery = pieces.flush() { deliver(delivery) }
        let time = stamp()
        if !isRequestTold { tell(.request(exchange.record), at: exchange.began) }
        if isConnected, head.record == nil { tell(.phases(phases), at: time) }
        tell(.end(record), at: time)
        batch.end = record
    }

    /// Holds the peer back where the app has enough.
    ///
    /// Not for callbacks: within one, libcurl would keep the rest of the read to itself.
    func hold() {
        guard unannounced > 0 else { return }
        let isEnough = exchange.handoff.announce(unannounced)
        unannounced = 0
        guard isEnough, !isEnded else { return }
        isPaused = true
        _ = unsafe curl_easy_pause(easy.pointer, CURLPAUSE_RECV)
    }

    func commit() { exchange.observer?.commit() }

    /// Hands over what the turn brought.
    func release() {
        hold()
        exchange.handoff.release(batch)
        batch = Handoff<Delivery>.Batch()
    }

    /// The app asks for more.
    func resume() {
        guard isPaused, !isEnded else { return }
        isPaused = false
        lastActivity = clock.now()
        turn.watchSilence(until: idleDeadline)
        _ = unsafe curl_easy_pause(easy.pointer, CURLPAUSE_CONT)
    }
}
