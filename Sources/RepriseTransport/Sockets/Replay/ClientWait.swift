internal import RepriseSupport
internal import RepriseTape

/// A place where a replayed WebSocket waits for the client, for a limited time.
final class ClientWait: Sendable {
    private enum State {
        case open
        case suspended(CheckedContinuation<Bool, Never>)
        case over(hasCome: Bool)
    }

    private let description: String
    private let limit: Int64
    private let state = Locked(State.open)

    /// - Parameters:
    ///   - description: What is waited for, as in "it waits for …".
    ///   - limit: For how long, in real nanoseconds.
    init(_ description: String, atMost limit: Int64) {
        self.description = description
        self.limit = limit
    }

    /// It has come. More than once is as good as once.
    func fulfill() { end(hasCome: true) }

    /// Waits, not at all where it has come already. At most one task waits.
    ///
    /// - Throws: ``TransportError`` with code `replay.stalled`.
    func wait() async throws(TransportError) {
        let timer = Task { [weak self, limit] in
            try await LiveClock().sleep(for: limit)
            self?.end(hasCome: false)
        }
        defer { timer.cancel() }
        let hasCome = await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state -> Bool? in
                if case .over(let hasCome) = state { return hasCome }
                state = .suspended(continuation)
                return nil
            }
            if let hasCome { continuation.resume(returning: hasCome) }
        }
        if hasCome { return }
        throw TransportError(
            how: .failed, .stalled,
            "the replay cannot go on: for \(limit / 1_000_000) ms now it waits for \(description)")
    }

    private func end(hasCome: Bool) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            defer { if case .over = state {} else { state = .over(hasCome: hasCome) } }
            if case .suspended(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(returning: hasCome)
    }
}
