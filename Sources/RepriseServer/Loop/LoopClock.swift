internal import RepriseSupport
internal import RepriseTransport

/// The monotonic clock, with sleeps that the loop ends on time: those of Swift's tasks may end a
/// millisecond late.
struct LoopClock: SessionClock {
    private enum State {
        case waiting(CheckedContinuation<Void, any Error>)
        case over(Result<Void, any Error>)
        case new
    }

    let loop: ServerLoop

    func now() -> Int64 { LiveClock().now() }

    func sleep(for nanoseconds: Int64) async throws {
        try Task.checkCancellation()
        guard nanoseconds > 0 else { return }
        let state = Locked(State.new)
        let end: @Sendable (Result<Void, any Error>) -> Void = { result in
            let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                defer { if case .over = state {} else { state = .over(result) } }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            waiting?.resume(with: result)
        }
        loop.run(at: now().saturatingAdd(nanoseconds)) { end(.success(())) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early = state.withLock { state -> Result<Void, any Error>? in
                    if case .over(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }
}
