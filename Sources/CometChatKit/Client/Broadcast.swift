import RepriseSupport

/// Hands what a session sees to everybody who reads, each at a pace of its own.
final class Broadcast: Sendable {
    private struct State {
        var count = 0
        var readers: [Int: AsyncStream<CometChatUpdate>.Continuation] = [:]
        var isOver = false
    }

    private let state = Locked(State())

    /// Everything from here on, without a limit to what waits for the reader.
    func stream() -> AsyncStream<CometChatUpdate> {
        let (stream, continuation) = AsyncStream<CometChatUpdate>.makeStream()
        let number = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.count += 1
            state.readers[state.count] = continuation
            return state.count
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ update: CometChatUpdate) {
        let readers = state.withLock { state in
            state.readers.sorted { $0.key < $1.key }.map(\.value)
        }
        for reader in readers { reader.yield(update) }
    }

    /// Nothing more comes.
    func finish() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return state.readers.sorted { $0.key < $1.key }.map(\.value)
        }
        for reader in readers { reader.finish() }
    }
}
