internal import RepriseSupport

/// A place where one task waits, and where the first who knows how it goes on says so.
final class Suspension: Sendable {
    private enum State {
        case open
        case suspended(CheckedContinuation<Void, any Error>)
        case over(Result<Void, any Error>)
    }

    private let state = Locked(State.open)

    /// Waits until it is over, which it may be already. At most one task waits.
    ///
    /// - Throws: What it was ended with; `CancellationError` when the task is cancelled.
    func wait() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if case .over(let outcome) = state { return outcome }
                    state = .suspended(continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Has the task go on, now or as soon as it comes here.
    func end(_ outcome: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            defer { if case .over = state {} else { state = .over(outcome) } }
            if case .suspended(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: outcome)
    }

    var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }
}
