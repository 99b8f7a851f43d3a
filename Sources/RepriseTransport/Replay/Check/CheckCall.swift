internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// An operation of a check under way, in a task of its own.
///
/// One that the app stopped when it was recorded is stopped at the same moment.
final class CheckCall: Sendable {
    /// The operation as it was recorded.
    let call: Recording.Call

    private struct State {
        var outcome: Result<Void, any Error>?
        var wait: AppWait?
        var tasks: [Task<Void, Never>] = []
    }

    private let clock: ReplayClock
    private let state = Locked(State())

    init(_ call: Recording.Call, clock: ReplayClock) {
        self.call = call
        self.clock = clock
    }

    /// Why it failed, if it did.
    var failure: (any Error)? {
        if case .failure(let error) = state.withLock({ $0.outcome }) { error } else { nil }
    }

    /// Starts it.
    func start(_ client: any ClientReplayer, in context: SessionContext) {
        let task = context.startTask { [self] in
            let outcome: Result<Void, any Error>
            do {
                try await CheckJournal.$due.withValue(call.number) {
                    try await client.perform(op: call.op, args: call.args)
                }
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            end(outcome)
        }
        keep(task)
        guard let moment = call.stopTime, let frame = call.endFrame else { return }
        keep(
            context.startTask { [clock] in
                guard (try? await clock.wait(until: moment, frame: frame)) != nil else { return }
                task.cancel()
            })
    }

    private func keep(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.tasks.append(task)
            return state.outcome != nil
        }
        if isOver { task.cancel() }
    }

    private func end(_ outcome: Result<Void, any Error>) {
        let (wait, tasks) = state.withLock { state in
            state.outcome = outcome
            return (state.wait, state.tasks)
        }
        for task in tasks { task.cancel() }
        wait?.fulfill()
    }

    /// Cancels it, if it has not ended.
    func cancel() { for task in state.withLock({ $0.tasks }) { task.cancel() } }

    /// Waits for its end. One that can come to none is cancelled, and left behind where it does
    /// not heed that.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func settle() async throws(CancellationError) {
        // Twice: the second time for what cancelling it brings about.
        for attempt in 1...2 {
            let wait = AppWait(
                "the end of \(call.op), call \(call.number)", on: clock, depth: 0,
                isExpected: call.isOpenEnded || attempt > 1)
            let isOver = state.withLock { state in
                state.wait = wait
                return state.outcome != nil
            }
            if isOver { return }
            do throws(TransportError) {
                return try await wait.wait()
            } catch {
                cancel()
                if error.how == .cancelled { throw CancellationError() }
            }
        }
    }
}

extension Recording.Call {
    /// Whether more could have followed: the recorder died or the app stopped before.
    var isOpenEnded: Bool { outcome == nil || isStopped }

    /// When the app stopped it; nil where it did not.
    fileprivate var stopTime: Int64? { isStopped ? endTime : nil }

    private var isStopped: Bool {
        guard case .error(let error) = outcome else { return false }
        return CallFailure.isCancellation(code: error["code"]?.string ?? "")
    }

    /// Whether it had ended when the other began.
    func ended(before other: Recording.Call) -> Bool {
        endFrame.map { $0 < other.beginFrame } ?? false
    }
}
