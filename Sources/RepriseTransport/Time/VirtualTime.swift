internal import RepriseSupport

/// Time that passes only when nothing is left to do: a clock and the executor of its tasks in one.
///
/// Its tasks run one after the other on a thread of its own, first come, first served. When none
/// can go on, time jumps to the moment at which the next sleeper is due, and wakes that one alone;
/// of two with the same moment the one that slept first. So an hour passes in no time, and
/// everything happens in the same order each time. That holds for what runs on it: the body of
/// ``run(_:)``, the tasks in it, actors without an executor of their own, and what
/// `startTask` of ``SessionContext`` starts. A plain `Task`, `Task.detached`, the main actor and a
/// real sleep are beside it: they are counted when they come back, see ``foreignWakes``.
public final class VirtualTime: TaskExecutor, SessionClock {
    let state = Monitor(VirtualState())
    /// How long a foreign wake is waited for, in real nanoseconds, before nothing is left to hope
    /// for.
    let patience: Int64

    /// Time that stands at 0.
    ///
    /// - Parameter patience: How long, in real nanoseconds, something beside it may take to wake a
    ///   task before ``run(_:)`` gives up on it.
    public init(patience: Int64 = 50_000_000) { self.patience = patience }

    /// Nanoseconds since its beginning.
    public func now() -> Int64 { state.withLock { $0.now } }

    /// Waits for that many nanoseconds of this time.
    ///
    /// Outside of every ``run(_:)`` nobody else is waited for: time is moved on at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, and behind the end of the run that
    ///   it belongs to.
    public func sleep(for nanoseconds: Int64) async throws {
        try await sleep(until: now().saturatingAdd(max(0, nanoseconds)))
    }

    /// Waits until that moment, not at all where it has passed.
    ///
    /// - Parameter rank: Of two that are due at the same moment the one with the lower rank is
    ///   woken first; those with the same rank in the order in which they slept.
    func sleep(until deadline: Int64, rank: UInt64 = .max) async throws {
        try Task.checkCancellation()
        let sleeper = Suspension()
        let outcome = state.change { $0.add(sleeper, until: deadline, rank: rank) }
        if let outcome { return try outcome.get() }
        do {
            try await sleeper.wait()
        } catch {
            state.withLock { $0.sleepers.noteGone() }
            throw error
        }
    }

    /// How often a task of a run was woken by something beside this time: where that happens the
    /// order depends on the machine, and the next run may go otherwise.
    public var foreignWakes: Int { state.withLock { $0.foreignWakes } }

    /// Why what ran was not deterministic, and what to do; nil where it was.
    public var escape: String? {
        let count = foreignWakes
        if count == 0 { return nil }
        return "this replay is not deterministic: \(Counted.text(count, "time")) something beside "
            + "its time took part; start tasks with the context's startTask and sleep on its clock, "
            + "not with Task, Task.detached, the main actor or Task.sleep"
    }

    /// What the runs waited for when nothing was left to do.
    public var stalls: [String] { state.withLock { $0.stalls } }

    /// Runs what time has no part in, such as a process, while time stands still: waking a task
    /// again is not foreign then, and nothing is given up.
    public func outside<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        state.withLock { $0.outside += 1 }
        defer { state.change { $0.endOutside() } }
        return try await body()
    }

    /// Runs a job after those that are there already.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isStarting = state.change { $0.add(job) }
        if isStarting { startThread() }
    }
}
