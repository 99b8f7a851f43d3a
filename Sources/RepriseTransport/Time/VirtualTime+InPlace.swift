internal import RepriseSupport

extension VirtualTime {
    /// Runs `body` on this time as ``run(_:)`` does, and waits for its end in any case.
    ///
    /// - Parameters:
    ///   - grace: How long it may take `body` to end once it is cancelled, in real nanoseconds.
    ///   - stalled: Told at once where `body` waits for something that nothing can bring about;
    ///     `body`, and what was started by it, is cancelled then, and its end is waited for.
    ///   - stuck: Told where that does not come within `grace`; still it is waited for.
    /// - Throws: What `body` throws.
    package func runToEnd(
        grace: Int64, _ body: @Sendable () async throws -> Void,
        stalled: @Sendable (TransportError) -> Void, stuck: @escaping @Sendable () -> Void
    ) async throws {
        if state.withLock({ $0.isOwnThread }) { return try await body() }
        let over = Suspension()
        let isOver = Monitor(false)
        let number = state.withLock { state in state.begin { over.end(.failure($0)) } }
        // Leaving this scope cancels it.
        state.change { $0.setCancel(number) {} }
        async let outcome: Void = withTaskExecutorPreference(self) {
            defer {
                isOver.change { $0 = true }
                state.change { $0.end(number) { over.end(.success(())) } }
            }
            try await body()
        }
        do {
            try await over.wait()
        } catch {
            if let error = error as? TransportError { stalled(error) }
            _ = OwnThread.start {
                if isOver.wait(atMost: grace, { $0 ? true : nil }) == nil { stuck() }
            }
            throw error
        }
        try await outcome
    }
}
