internal import RepriseTransport

/// How far the body of a response is: what is due, and what has gone out.
struct BodyFeed: Sendable {
    /// What to do next.
    enum Next: Equatable {
        case bytes(Int)
        /// Nothing is due.
        case nothing
        case end(ServedResponse.Ending)
    }

    private let pieces: [ServedResponse.Piece]
    private let ending: ServedResponse.Ending
    private let framing: ServedResponse.Framing
    private let origin: Int64
    private let endTime: Int64
    /// How many pieces are due.
    private var released = 0
    private var isEndReleased = false
    private var place = 0
    private var taken = 0
    private var hasEnded = false
    /// How many bytes have been taken.
    private(set) var sent = 0

    init() { self.init(ServedResponse(), origin: 0) }

    /// The body of `response` to a request that came at `origin`.
    init(_ response: ServedResponse, origin: Int64) {
        pieces = response.pieces
        ending = response.ending
        framing = response.framing
        self.origin = origin
        var end = origin.saturatingAdd(response.endOffset)
        if case .hold(let nanoseconds) = ending { end = end.saturatingAdd(nanoseconds) }
        endTime = end
    }

    /// When something is due that is not yet; nil for nothing.
    var nextTime: Int64? {
        if released < pieces.count { return origin.saturatingAdd(pieces[released].offset) }
        return isEndReleased ? nil : endTime
    }

    /// Lets go what is due at `time`.
    mutating func release(until time: Int64) {
        while released < pieces.count, origin.saturatingAdd(pieces[released].offset) <= time {
            released += 1
        }
        if released == pieces.count && endTime <= time { isEndReleased = true }
    }

    /// What is left of the piece that is due, or what else there is.
    mutating func take(atMost limit: Int = .max) -> (bytes: ArraySlice<UInt8>, next: Next) {
        guard place < released else {
            guard place == pieces.count, isEndReleased else { return ([], .nothing) }
            hasEnded = true
            return ([], .end(ending))
        }
        let bytes = pieces[place].bytes[taken...].prefix(limit)
        taken += bytes.count
        sent += bytes.count
        if taken == pieces[place].bytes.count {
            place += 1
            taken = 0
        }
        return (bytes, .bytes(bytes.count))
    }

    /// As ``take(atMost:)``, into memory.
    mutating func next(into buffer: UnsafeMutableRawBufferPointer) -> Next {
        let (bytes, next) = take(atMost: buffer.count)
        unsafe buffer.copyBytes(from: bytes)
        return next
    }

    /// Whether all went out that was recorded, and ended as it did.
    ///
    /// - Parameter isOrderly: Whether the connection ended the response in order.
    func isWhole(isOrderly: Bool) -> Bool {
        guard place == pieces.count else { return false }
        switch (ending, framing) {
        case (.hold, _): return true
        case (.complete, .length): return isOrderly
        case (.complete, _): return isOrderly && hasEnded
        default: return hasEnded
        }
    }
}
