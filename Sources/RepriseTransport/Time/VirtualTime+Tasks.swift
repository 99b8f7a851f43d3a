internal import RepriseSupport

extension VirtualTime {
    /// Starts a task on this time, which is cancelled where a run can go no further.
    func startTask<Success: Sendable>(
        _ body: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        let number = state.withLock { $0.beginTask() }
        let task = Task(executorPreference: self) {
            defer { self.state.withLock { $0.endTask(number) } }
            return try await body()
        }
        state.withLock { $0.keep(number) { task.cancel() } }
        return task
    }

    /// As ``startTask(_:)``, for what does not fail.
    func startTask<Success: Sendable>(
        _ body: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        let number = state.withLock { $0.beginTask() }
        let task = Task(executorPreference: self) {
            defer { self.state.withLock { $0.endTask(number) } }
            return await body()
        }
        state.withLock { $0.keep(number) { task.cancel() } }
        return task
    }

    /// Runs something on the main actor while everything on this time is held, so that it comes in
    /// between at the same place each time, and is no foreign wake.
    ///
    /// What it brings about on this time, such as an element of a stream, comes before what follows
    /// it, and both before everything that was held.
    public func onMainActor<Value: Sendable>(
        _ body: @MainActor @Sendable () throws -> Value
    ) async rethrows -> Value {
        state.withLock { $0.hold() }
        defer { state.change { $0.release() } }
        return try await MainActor.run {
            defer { state.change { $0.endBusy() } }
            return try body()
        }
    }
}
