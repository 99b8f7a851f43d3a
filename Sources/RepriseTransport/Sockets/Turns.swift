internal import RepriseSupport

/// Lets tasks in one at a time, in the order in which they ask.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var asked: UInt64 = 0
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Locked(State())

    /// Waits for the turn, which ``pass()`` gives up.
    ///
    /// - Returns: False, and no turn, where the task is cancelled before.
    func take() async -> Bool {
        let id = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { enter(id, $0) }
        } onCancel: {
            leave(id)?.resume(returning: false)
        }
    }

    /// Gives the turn to who asked next.
    func pass() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func enter(_ id: UInt64, _ continuation: CheckedContinuation<Bool, Never>) {
        let isIn: Bool? = state.withLock { state in
            // Looked at with the lock held: a later cancellation finds who waits.
            if Task.isCancelled { return false }
            if !state.isTaken {
                state.isTaken = true
                return true
            }
            state.waiting.append((id, continuation))
            return nil
        }
        if let isIn { continuation.resume(returning: isIn) }
    }

    private func leave(_ id: UInt64) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting.remove(at: place).continuation
        }
    }
}
