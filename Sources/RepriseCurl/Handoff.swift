internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport

/// Hands what the reactor released over to the one task that reads an exchange.
///
/// Chunks are never refused: the reactor announces what came, and where that brings the queue to
/// its high mark, it holds the peer back until the reader has brought it to the low mark.
final class Handoff: Sendable {
    /// What one turn of the reactor brought an exchange.
    struct Batch {
        var head: ResponseRecord?
        var deliveries: [Delivery] = []
        var end: EndRecord?
    }

    typealias Head = Result<ResponseRecord, TransportError>
    typealias Next = Result<Delivery?, TransportError>

    fileprivate struct State {
        var head: ResponseRecord?
        var end: EndRecord?
        var queue: [Delivery] = []
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
            state.queue += batch.deliveries
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

    /// Whether the end was released.
    var isEnded: Bool { state.withLock { $0.end != nil } }

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

    /// Waits for the next delivery.
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

    private static let secondReader = TransportError(
        how: .failed, .failed, "two tasks read one response body: read it from one")
}

extension Handoff.State {
    fileprivate var headResult: Handoff.Head? {
        if let head { return .success(head) }
        return end.map { .failure(TransportError($0) ?? Handoff.noHead) }
    }

    /// The first of the queue, or else the end; nil where the reader must wait.
    fileprivate mutating func take() -> Handoff.Next? {
        // What the app gave up it does not get.
        if let end, end.how == .cancelled { drop() }
        guard first < queue.count else {
            drop()
            return end.map { end in TransportError(end).map { .failure($0) } ?? .success(nil) }
        }
        let delivery = queue[first]
        first += 1
        bytes -= delivery.bytes.count
        if first == queue.count {
            drop()
        } else if first >= 256, first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
        return .success(delivery)
    }

    private mutating func drop() {
        queue.removeAll(keepingCapacity: true)
        first = 0
    }
}

extension Handoff {
    /// Cannot happen, since an exchange without a head does not end complete; but nothing traps.
    fileprivate static let noHead = TransportError(
        how: .failed, .failed, "the exchange ended without a response")
}
