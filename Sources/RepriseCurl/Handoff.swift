internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport

/// Something that counts against the marks of a ``Handoff``.
protocol Handed: Sendable {
    /// How many bytes it stands for.
    var weight: Int { get }
}

extension Delivery: Handed {
    var weight: Int { bytes.count }
}

/// Hands what the reactor released over to the one task that reads an exchange.
///
/// Items are never refused: the reactor announces what came, and where that brings the queue to
/// its high mark, it holds the peer back until the reader has brought it to the low mark.
final class Handoff<Item: Handed>: Sendable {
    /// What one turn of the reactor brought an exchange.
    struct Batch {
        var head: ResponseRecord?
        var items: [Item] = []
        /// Whether no item comes behind these, though the exchange goes on.
        var isFinished = false
        var end: EndRecord?
    }

    typealias Head = Result<ResponseRecord, TransportError>
    typealias Next = Result<Item?, TransportError>

    fileprivate struct State {
        var head: ResponseRecord?
        var end: EndRecord?
        var isFinished = false
        var queue: [Item] = []
        var first = 0
        /// Announced, and not taken by the reader yet.
        var bytes = 0
        var isHeld = false
        var headWaiter: CheckedContinuation<Head, Never>?
        var nextWaiter: CheckedContinuation<Next, Never>?
    }

    private let state = Locked(State())
    private let highWater: Int
    private let lowWater: Int

    init(highWater: Int, lowWater: Int) {
        self.highWater = max(1, highWater)
        self.lowWater = max(0, min(lowWater, highWater - 1))
    }

    /// Counts bytes that the next batches will bring.
    ///
    /// - Returns: Whether the peer must be held back until the reader asks to go on.
    func announce(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.bytes += bytes
            if state.bytes < highWater || state.isHeld { return false }
            state.isHeld = true
            return true
        }
    }

    /// Hands over a batch, whose bytes were announced.
    func release(_ batch: Batch) {
        var resumes: [() -> Void] = []
        state.withLock { state in
            state.head = batch.head ?? state.head
            state.end = batch.end ?? state.end
            state.isFinished = state.isFinished || batch.isFinished
            state.queue += batch.items
            if let waiter = state.headWaiter, let head = state.headResult {
                state.headWaiter = nil
                resumes.append { waiter.resume(returning: head) }
            }
            if let waiter = state.nextWaiter, let next = state.take() {
                state.nextWaiter = nil
                resumes.append { waiter.resume(returning: next) }
            }
        }
        for resume in resumes { resume() }
    }

    /// How the exchange ended, once that was released.
    var end: EndRecord? { state.withLock(\.end) }

    /// Waits for the head of the final response.
    func head() async -> Head {
        await withCheckedContinuation { continuation in
            let head: Head? = state.withLock { state in
                if let head = state.headResult { return head }
                state.headWaiter = continuation
                return nil
            }
            if let head { continuation.resume(returning: head) }
        }
    }

    /// Waits for the next item; nil where none comes any more.
    ///
    /// - Parameter resume: Called where the peer was held back and may go on.
    func next(resume: @escaping @Sendable () -> Void) async -> Next {
        await withCheckedContinuation { continuation in
            let (next, isLow) = state.withLock { state -> (Next?, Bool) in
                if state.nextWaiter != nil { return (.failure(Self.secondReader), false) }
                let next = state.take()
                if next == nil { state.nextWaiter = continuation }
                let isLow = state.isHeld && state.bytes <= lowWater
                if isLow { state.isHeld = false }
                return (next, isLow)
            }
            if isLow { resume() }
            if let next { continuation.resume(returning: next) }
        }
    }

    private static var secondReader: TransportError {
        TransportError(how: .failed, .failed, "two tasks read one exchange: read it from one")
    }
}

extension Handoff.State {
    fileprivate var headResult: Handoff<Item>.Head? {
        if let head { return .success(head) }
        return end.map { .failure(TransportError($0) ?? Handoff<Item>.noHead) }
    }

    /// The first of the queue, or else the end; nil where the reader must wait.
    fileprivate mutating func take() -> Handoff<Item>.Next? {
        // What the app gave up it does not get.
        if let end, end.how == .cancelled { drop() }
        guard first < queue.count else {
            drop()
            if let end { return TransportError(end).map { .failure($0) } ?? .success(nil) }
            return isFinished ? .success(nil) : nil
        }
        let item = queue[first]
        first += 1
        bytes -= item.weight
        if first == queue.count {
            drop()
        } else if first >= 256, first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
        return .success(item)
    }

    private mutating func drop() {
        queue.removeAll(keepingCapacity: true)
        first = 0
    }
}

extension Handoff {
    /// Cannot happen, since an exchange without a head does not end complete; but nothing traps.
    fileprivate static var noHead: TransportError {
        TransportError(how: .failed, .failed, "the exchange ended without a response")
    }
}
