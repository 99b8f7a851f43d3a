internal import RepriseWire

/// What a link is to write: whole pieces in order, each made into bytes when its turn has come.
struct SendQueue {
    private var waiting: [Outgoing] = []
    private var first = 0
    private var nextFrame = 0
    /// The piece that is being written. libcurl wants to see the same memory again where it took
    /// none of it, so it is not touched until it is out.
    private(set) var bytes: [UInt8] = []
    private(set) var written = 0

    /// Whether a piece is under way.
    var isUnderWay: Bool { written < bytes.count }
    var isEmpty: Bool { !isUnderWay && first == waiting.count }

    /// Starts a piece that nobody waits for.
    mutating func push(_ bytes: [UInt8]) {
        self.bytes = bytes
        written = 0
    }

    mutating func append(_ outgoing: Outgoing) {
        waiting.append(outgoing)
    }

    /// Some of the piece is out.
    mutating func advance(_ count: Int) {
        written += count
        if !isUnderWay {
            bytes = []
            written = 0
        }
    }

    /// What comes next, once no piece is under way.
    enum Next {
        case frame(WebSocketFrame)
        /// All frames of a sender are out.
        case done(Outgoing)
        case nothing
    }

    mutating func next() -> Next {
        guard first < waiting.count else {
            waiting.removeAll(keepingCapacity: true)
            first = 0
            return .nothing
        }
        let outgoing = waiting[first]
        if nextFrame < outgoing.frames.count {
            defer { nextFrame += 1 }
            return .frame(outgoing.frames[nextFrame])
        }
        nextFrame = 0
        first += 1
        return .done(outgoing)
    }

    /// Gives up what is not out; gives those who wait.
    mutating func removeAll() -> [CheckedContinuation<Outgoing.Outcome, Never>] {
        defer { self = SendQueue() }
        return waiting[first...].map(\.waiter)
    }
}
