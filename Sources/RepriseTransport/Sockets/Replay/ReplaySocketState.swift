internal import RepriseTape
internal import RepriseWire

/// What a replayed WebSocket keeps behind its lock.
struct ReplaySocketState {
    /// The next event of the script.
    private(set) var position = 0
    /// What was played and not read.
    private(set) var queue: ArraySlice<SocketDelivery> = []
    /// What answers the client beyond what was recorded, and was not read.
    private var replies: ArraySlice<SocketDelivery> = []
    /// Whether what was read ends within a message, and where in the server's bytes.
    private var isWithinMessage = false
    private var readBytes = 0
    /// How much of what the client said when recorded it has said.
    var said: SaidProgress
    /// What the client says now.
    var live: LiveSayings
    /// When what comes is due.
    private var moments: SocketMoments
    /// How often the next event's moment became another.
    private var changes = 0
    /// How reading ends; success for the end of the server's bytes.
    private(set) var end: Result<Void, TransportError>?
    /// Whether the client said something else.
    var hasMissed = false
    /// Who waits for the next event's time.
    private(set) var sleeper: Task<Void, any Error>?

    private var rewriter: SocketRewriter
    private let observer: (any ExchangeObserver)?
    private var isEndTold = false
    /// Whether the app ended the exchange, and wants nothing more of it.
    private var hasStopped = false
    private var lastTime = Int64.min

    init(
        live: LiveSayings, said: SaidProgress, rewriter: SocketRewriter, moments: SocketMoments,
        observer: (any ExchangeObserver)?
    ) {
        self.live = live
        self.said = said
        self.rewriter = rewriter
        self.moments = moments
        self.observer = observer
    }

    /// What the reader gets now; nil where it has to wait.
    mutating func take() -> Result<SocketDelivery?, TransportError>? {
        if hasStopped { return end?.map { nil } }
        if hasReply, let reply = takeReply() { return .success(reply) }
        if let delivery = queue.popFirst() {
            if case .frame(let frame, let bytes) = delivery.item {
                if !frame.opcode.isControl { isWithinMessage = !frame.isFinal }
                readBytes = bytes.upperBound
            }
            return .success(delivery)
        }
        return end?.map { nil }
    }

    /// Whether something is to be read that is not on the tape.
    var hasReply: Bool { !replies.isEmpty && !isWithinMessage && end == nil }

    private mutating func takeReply() -> SocketDelivery? {
        guard var reply = replies.popFirst(), case .frame(let frame, _) = reply.item else {
            return nil
        }
        tell(.socketFrame(SocketFrameRecord(frame, from: .server)), at: reply.time)
        reply = SocketDelivery(.frame(frame, bytes: readBytes..<readBytes), time: lastTime)
        return reply
    }

    /// Answers the client beyond what was recorded.
    ///
    /// - Returns: Who is to be cancelled, for there is something to be read before what it waits
    ///   for.
    mutating func reply(_ frame: WebSocketFrame, at time: Int64) -> Task<Void, any Error>? {
        guard end == nil else { return nil }
        replies.append(SocketDelivery(.frame(frame, bytes: 0..<0), time: time))
        return hasReply ? sleeper : nil
    }

    /// When an event is due.
    func moment(of place: Int) -> Int64 { moments[place] }

    /// Plays the next event, at its moment.
    ///
    /// - Parameter ids: What puts ids of now into the places of recorded ones.
    mutating func play(_ ids: TokenReplacement) {
        sleeper = nil
        guard end == nil else { return }
        let time = moments[position]
        let event = rewriter.event(at: position, ids)
        position += 1
        switch event.content {
        case nil: fail(ReplayExchange.died, at: time)
        case .end(let record):
            if let error = TransportError(record) {
                fail(error, record, at: time)
            } else {
                // The server's bytes ended; that the exchange did is for the app to find.
                end = .success(())
                lastTime = max(lastTime, time)
            }
        case .some(let content):
            tell(content, at: time)
            queue += event.items.map { SocketDelivery($0, time: lastTime) }
        }
    }

    /// Ends the exchange as the app says, if it has not ended.
    mutating func end(_ record: EndRecord, at time: Int64) {
        hasStopped = true
        if isEndTold { return }
        end = TransportError(record).map { .failure($0) } ?? .success(())
        tellEnd(record, at: time)
    }

    /// Ends the exchange with a failure, if it has not ended.
    ///
    /// - Parameter record: What the observer is told; by default what there is to say of `error`.
    /// - Returns: How it ended.
    @discardableResult
    mutating func fail(
        _ error: TransportError, _ record: EndRecord? = nil, at time: Int64
    ) -> Result<Void, TransportError> {
        if !isEndTold { end = .failure(error) }
        tellEnd(record ?? error.endRecord, at: time)
        return end ?? .failure(error)
    }

    private mutating func tellEnd(_ record: EndRecord, at time: Int64) {
        if isEndTold { return }
        isEndTold = true
        tell(.end(record), at: time)
    }

    /// Called with the lock held, so that the observer hears one thing at a time, and nothing out
    /// of the order of time.
    mutating func tell(_ content: FrameContent, at time: Int64) {
        lastTime = max(lastTime, time)
        observer?.observe(content, at: lastTime)
        observer?.commit()
    }

    /// When something is due, as far as is known.
    struct Due: Hashable {
        var moment: Int64
        fileprivate var changes: Int
    }

    /// When the next event is; nil where none will come.
    var due: Due? { end == nil ? Due(moment: moments[position], changes: changes) : nil }

    /// The client does again what it did in `frame`, at `time`.
    ///
    /// - Returns: Who is to be cancelled, for it waits for a moment that is not the right one now.
    mutating func act(frame: UInt64, time: Int64, now: Int64) -> Task<Void, any Error>? {
        let before = due?.moment
        moments.act(frame: frame, time: time, now: now)
        if due?.moment == before { return nil }
        changes += 1
        return sleeper
    }

    /// Keeps who is to be cancelled when the app ends the exchange, or does what makes the next
    /// event due at another moment; false where it has.
    mutating func keep(_ sleeper: Task<Void, any Error>, for due: Due) -> Bool {
        guard self.due == due, !hasReply else { return false }
        self.sleeper = sleeper
        return true
    }
}
