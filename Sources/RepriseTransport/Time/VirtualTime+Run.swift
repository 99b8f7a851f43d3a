internal import RepriseSupport

extension VirtualTime {
    /// Runs `body` and all of its tasks on this time, to its end.
    ///
    /// What sleeps or waits for the app behind that end is cancelled, and has been unwound when
    /// this returns. In a body of the same time it is a plain call.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; ``TransportError`` with code `replay.stalled` where `body`
    ///   waits for something that nothing can bring about and nobody has said to wait for
    ///   (``ReplayClock/waiting(for:atMost:)``). In that case the body is cancelled, and left
    ///   behind if it does not heed that.
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if state.withLock({ $0.isOwnThread }) { return try await body() }
        let task = Locked<Task<Void, Never>?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let number = state.withLock { state in
                    state.begin { continuation.resume(throwing: $0) }
                }
                // Nobody waits for the task itself, which would raise its priority from outside.
                let body = Task(executorPreference: self) {
                    let outcome: Result<Value, any Error>
                    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
                    self.state.change { $0.end(number) { continuation.resume(with: outcome) } }
                }
                state.change { $0.setCancel(number) { body.cancel() } }
                task.withLock { $0 = body }
                if Task.isCancelled { cancel(body) }
            }
        } onCancel: {
            if let body = task.withLock({ $0 }) { cancel(body) }
        }
    }

    /// The app's own cancelling, which is no foreign wake.
    private func cancel(_ body: Task<Void, Never>) {
        state.withLock { $0.outside += 1 }
        body.cancel()
        state.change { $0.endOutside() }
    }

    func startThread() {
        // Where the system has no thread left, the one that has the job does it.
        if !OwnThread.start(withSignals: false, { self.work() }) { work() }
    }

    private func work() {
        state.withLock { $0.setThread() }
        var hope: Int64? = patience
        while true {
            let step = state.withLock { $0.next(hope: hope) }
            hope = patience
            switch step {
            case .job(let job):
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .wake(let sleeper): sleeper.end(.success(()))
            case .cancel(let left): for one in left { one.end(.failure(CancellationError())) }
            case .deliver(let ended): for deliver in ended { deliver() }
            case .stall(let stuck, let error): for one in stuck { one.end(.failure(error)) }
            case .fail(let runs, let error): for run in runs { giveUp(run, error) }
            case .pause(let limit, let seen): if !pause(atMost: limit, seen) { hope = nil }
            case .exit: return
            }
        }
    }

    /// - Returns: Whether something has happened.
    private func pause(atMost limit: Int64?, _ seen: Int) -> Bool {
        state.wait(atMost: limit) { $0.changes == seen ? nil : true } ?? false
    }

    private func giveUp(_ run: VirtualState.Run, _ error: TransportError) {
        state.withLock { $0.end(run.number) { run.fail(error) } }
        run.cancel?()
        // The body may wait for one of them, which does not pass its being cancelled on.
        for cancel in state.withLock({ $0.cancelTasks }) { cancel() }
    }
}
