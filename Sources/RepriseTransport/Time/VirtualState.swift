internal import RepriseSupport
internal import RepriseTape

/// What a ``VirtualTime`` keeps behind its lock.
struct VirtualState {
    /// A body under way.
    struct Run {
        let number: UInt64
        /// Cancels the body's task; nil until the caller has it.
        var cancel: (@Sendable () -> Void)?
        /// Has the caller go on; there once the run is over.
        var deliver: (@Sendable () -> Void)?
        /// Tells the caller that it goes no further.
        var fail: @Sendable (TransportError) -> Void
    }

    /// What the thread is to do next.
    enum Step {
        case job(UnownedJob)
        case wake(Suspension)
        /// Nobody waits for these any more.
        case cancel([Suspension])
        case deliver([@Sendable () -> Void])
        case stall([Suspension], TransportError)
        case fail([Run], TransportError)
        /// Something beside this time has to happen; nanoseconds at most, where that is given.
        case pause(Int64?, seen: Int)
        case exit
    }

    var now: Int64 = 0
    var sleepers = SleepQueue()
    var outside = 0
    var foreignWakes = 0
    var stalls: [String] = []
    private var jobs = JobQueue()
    /// What came from outside while everything else was held.
    private var late = JobQueue()
    /// How many wait for the main actor, and hold everything else.
    private var holds = 0
    /// How many of them it is at.
    private var busy = 0
    /// Cancels tasks that were started on it.
    private var tasks: [UInt64: (@Sendable () -> Void)?] = [:]
    private var runs: [Run] = []
    private var waits: [(number: UInt64, wait: AppWait)] = []
    private var nextNumber: UInt64 = 1
    /// Runs whose first job has not come.
    private var starts = 0
    private var hasThread = false
    private var thread: UInt?
    /// Counts what a pausing thread has to look at.
    private(set) var changes = 0

    /// Whether this is the thread that runs the jobs.
    var isOwnThread: Bool { thread == OwnThread.current }

    private var isRunning: Bool { runs.contains { $0.deliver == nil } }

    /// Takes a job.
    ///
    /// - Returns: Whether a thread is to be started for it.
    mutating func add(_ job: UnownedJob) -> Bool {
        if isOwnThread || holds == 0 {
            jobs.append(job)
        } else {
            late.append(job)
        }
        if !isOwnThread { noteForeign() }
        changes += 1
        return claimThread()
    }

    private mutating func noteForeign() {
        if starts > 0 {
            starts -= 1
        } else if outside == 0, isRunning {
            foreignWakes += 1
        }
    }

    private mutating func claimThread() -> Bool {
        defer { hasThread = true }
        return !hasThread
    }

    /// Takes a sleeper; an outcome where it does not sleep at all.
    mutating func add(
        _ sleeper: Suspension, until deadline: Int64, rank: UInt64
    ) -> Result<Void, any Error>? {
        if deadline <= now { return .success(()) }
        guard isRunning else {
            // What is left of a run that is over would go on forever, if it works in turns.
            if isOwnThread { return .failure(CancellationError()) }
            now = deadline
            return .success(())
        }
        if !isOwnThread { noteForeign() }
        sleepers.add(sleeper, until: deadline, rank: rank)
        changes += 1
        return nil
    }

    mutating func begin(_ fail: @escaping @Sendable (TransportError) -> Void) -> UInt64 {
        defer { nextNumber += 1 }
        runs.append(Run(number: nextNumber, fail: fail))
        starts += 1
        return nextNumber
    }

    mutating func end(_ number: UInt64, _ deliver: @escaping @Sendable () -> Void) {
        guard let place = runs.firstIndex(where: { $0.number == number }),
            runs[place].deliver == nil
        else { return }
        runs[place].deliver = deliver
        changes += 1
    }

    mutating func setCancel(_ number: UInt64, _ cancel: @escaping @Sendable () -> Void) {
        guard let place = runs.firstIndex(where: { $0.number == number }) else { return }
        runs[place].cancel = cancel
        changes += 1
    }

    mutating func add(_ wait: AppWait) -> UInt64 {
        defer { nextNumber += 1 }
        waits.append((nextNumber, wait))
        return nextNumber
    }

    mutating func removeWait(_ number: UInt64) { waits.removeAll { $0.number == number } }

    /// Holds everything until ``release()``, but for what the main actor brings about.
    mutating func hold() {
        outside += 1
        holds += 1
        busy += 1
    }

    /// The main actor is done with one of those that hold everything.
    mutating func endBusy() {
        busy -= 1
        changes += 1
    }

    mutating func release() {
        holds -= 1
        endOutside()
    }

    /// A task is about to be started.
    mutating func beginTask() -> UInt64 {
        defer { nextNumber += 1 }
        tasks[nextNumber] = .some(nil)
        return nextNumber
    }

    mutating func keep(_ number: UInt64, _ cancel: @escaping @Sendable () -> Void) {
        if tasks[number] != nil { tasks[number] = cancel }
    }

    mutating func endTask(_ number: UInt64) { tasks[number] = nil }

    /// Cancels all tasks that were started and have not ended, in that order.
    var cancelTasks: [@Sendable () -> Void] {
        tasks.sorted { $0.key < $1.key }.compactMap(\.value)
    }

    mutating func setThread() { thread = OwnThread.current }

    mutating func endOutside() {
        outside -= 1
        changes += 1
    }
}

extension VirtualState {
    /// - Parameter hope: How long something that nobody knows of may take; nil where that time is
    ///   over.
    mutating func next(hope: Int64?) -> Step {
        if holds > 0 {
            if busy == 0, let job = late.popFirst() { return .job(job) }
            return .pause(nil, seen: changes)
        }
        if let job = late.popFirst() ?? jobs.popFirst() { return .job(job) }
        if !isRunning, let left = leftOver() { return .cancel(left) }
        let ended = runs.compactMap(\.deliver)
        if !ended.isEmpty {
            runs.removeAll { $0.deliver != nil }
            return .deliver(ended)
        }
        if runs.isEmpty { return exit() }
        if outside > 0 || runs.contains(where: { $0.cancel == nil }) {
            return .pause(nil, seen: changes)
        }
        if let entry = sleepers.popFirst() {
            now = max(now, entry.deadline)
            return .wake(entry.sleeper)
        }
        if let hope { return .pause(hope, seen: changes) }
        return stall()
    }

    private mutating func exit() -> Step {
        hasThread = false
        thread = nil
        return .exit
    }

    private mutating func leftOver() -> [Suspension]? {
        let left = sleepers.removeAll().map(\.sleeper) + waits.map(\.wait.suspension)
        waits = []
        return left.isEmpty ? nil : left
    }

    /// Nothing is left to do: what somebody has said to wait for will not come.
    private mutating func stall() -> Step {
        let innermost = waits.map(\.wait.depth).max()
        let stuck = waits.filter { $0.wait.depth == innermost }
        waits.removeAll { $0.wait.depth == innermost }
        guard !stuck.isEmpty else {
            let error = TransportError.stalled(
                "the app waits for something that is neither on the tape nor in the replay's time")
            stalls.append(error.message)
            return .fail(runs, error)
        }
        let error = TransportError.stalled(
            "it waits for " + stuck.map(\.wait.description).joined(separator: " and for "))
        if !stuck.allSatisfy(\.wait.isExpected) { stalls.append(error.message) }
        return .stall(stuck.map(\.wait.suspension), error)
    }
}

/// Jobs, first come, first served.
private struct JobQueue {
    private var jobs: [UnownedJob] = []
    private var head = 0

    mutating func append(_ job: UnownedJob) { jobs.append(job) }

    mutating func popFirst() -> UnownedJob? {
        guard head < jobs.count else { return nil }
        defer {
            head += 1
            if head == jobs.count || head > 1_000 {
                jobs.removeSubrange(..<head)
                head = 0
            }
        }
        return jobs[head]
    }
}

extension TransportError {
    static func stalled(_ why: String) -> TransportError {
        TransportError(how: .failed, .stalled, "the replay cannot go on: \(why)")
    }
}
