internal import RepriseSupport

/// Whose turn it is to record a tape that several tests have which run at the same time, such as
/// the cases of one: the first that passes makes it, and those that waited are played from it.
final class RecordingTurns: Sendable {
    /// Those of this process.
    static let shared = RecordingTurns()

    /// By the path of a tape under way: who waits for it.
    private let waiters = Locked<[String: [CheckedContinuation<Bool, Never>]]>([:])

    /// Waits for the turn to record the tape at a path.
    ///
    /// - Returns: False where it has been recorded meanwhile; there is no turn then.
    func begin(_ path: String) async -> Bool {
        while true {
            if waiters.withLock({ $0.begin(path) }) { return true }
            let isKept = await withCheckedContinuation { continuation in
                let isOver = waiters.withLock { waiters in
                    waiters[path]?.append(continuation)
                    return waiters[path] == nil
                }
                if isOver { continuation.resume(returning: false) }
            }
            if isKept { return false }
        }
    }

    /// The turn is over.
    ///
    /// - Parameter isKept: Whether the tape is there now.
    func end(_ path: String, isKept: Bool) {
        for waiter in waiters.withLock({ $0.removeValue(forKey: path) }) ?? [] {
            waiter.resume(returning: isKept)
        }
    }
}

extension [String: [CheckedContinuation<Bool, Never>]] {
    fileprivate mutating func begin(_ path: String) -> Bool {
        if self[path] != nil { return false }
        self[path] = []
        return true
    }
}
