internal import RepriseSupport

extension VirtualTime {
    /// Runs `body` on this time as ``run(_:)`` does, and waits for its end in any case.
    ///
    /// - Parameter stalled: Told at once where `body` waits for something that nothing can bring
    ///   about; `body` is cancelled then, and its end is waited for.
    /// - Throws: What `body` throws.
    package func runToEnd(
        _ body: @Sendable () async throws -> Void,
        stalled: @Sendable (TransportError) -> Void
    ) async throws {
        if state.withLock({ $0.isOwnThread }) { return try await body() }
        let over = Suspension()
        let number = state.withLock { state in state.begin { over.end(.failure($0)) } }
        // Leaving this scope cancels it.
        state.change { $0.setCancel(number) {} }
        async let outcome: Void = withTaskExecutorPreference(self) {
            defer { state.change { $0.end(number) { over.end(.success(())) } } }
            try await body()
        }
        do {
            try await over.wait()
        } catch {
            if let error = error as? TransportError { stalled(error) }
            throw error
        }
        try await outcome
    }
}
