internal import RepriseSupport
internal import RepriseTape

/// The faults of one exchange while it runs: takes what the other transport gives, and gives it as
/// the faults have it, at its time on the context's clock.
final class FaultRun<Item: FaultItem>: Sendable {
    /// What it needs of the exchange.
    struct Surroundings: Sendable {
        var context: SessionContext
        var observer: FaultObserver
        /// When the request began.
        var start: Int64
        /// How long the peer may be silent; a fault's silence counts as the peer's.
        var timeouts: Timeouts
        /// When a fault ends the exchange, whatever comes, and how.
        var cut: FaultCut?
        /// What comes next from the other transport; a success without an item for its end.
        var next: @Sendable () async -> Result<Item?, TransportError>
        /// Ends the other exchange.
        var stop: @Sendable (EndRecord) -> Void
        /// What an observer is told of an item.
        var content: @Sendable (Item) -> FrameContent?
        /// Whether the end of the peer's bytes is the end of the exchange.
        var hasOrderlyEnd = true
    }

    private struct State {
        var stages: FaultStages<Item>
        var ready: ArraySlice<FaultStep<Item>> = []
        /// When something came last.
        var last: Int64
        /// How the other exchange ended.
        var natural: Result<Void, TransportError>?
        var end: Result<Void, TransportError>?
        var sleeper: Task<Void, any Error>?
    }

    /// How long a silence for ever takes where nobody limits it: a day.
    private static var forever: Int64 { 86_400_000_000_000 }

    private let around: Surroundings
    private let state: Locked<State>

    init(_ stages: sending FaultStages<Item>, _ around: Surroundings) {
        self.around = around
        state = Locked(State(stages: stages, last: around.start))
    }

    /// The head of the response is there: returns when the app is to get it.
    func head(_ record: ResponseRecord) async throws(TransportError) {
        take(.head(time: now))
        while true {
            let step = state.withLock { $0.ready.popFirst() }
            guard let step, await wait(for: step) else { break }
            if case .head(let time) = step {
                state.withLock { $0.last = time }
                return around.observer.tell(.response(record), at: time)
            }
        }
        switch state.withLock({ $0.end }) {
        case .failure(let error): throw error
        case .success: throw .faultFinish
        case nil: throw .faultStop
        }
    }

    /// The next item; nil at an orderly end.
    func next() async throws(TransportError) -> (item: Item, time: Int64)? {
        while true {
            if Task.isCancelled { stop(TransportError.faultStop) }
            let (end, step) = state.withLock { state in
                (state.end, state.end == nil ? state.ready.popFirst() : nil)
            }
            if let end {
                try end.get()
                return nil
            }
            guard let step else {
                await fetch()
                continue
            }
            guard await wait(for: step), case .item(let item, let time) = step else { continue }
            state.withLock { $0.last = time }
            if let content = around.content(item) { around.observer.tell(content, at: time) }
            return (item, time)
        }
    }

    /// Whether another item comes without the app doing anything before it.
    ///
    /// - Parameter base: Whether one comes from the other transport.
    func isNextCertain(_ base: @Sendable () async -> Bool) async -> Bool {
        while true {
            let (isOver, step) = state.withLock { ($0.end != nil, $0.ready.first) }
            if isOver { return false }
            if case .item(_, let time) = step { return time < .max }
            // A fault may keep back what comes, so it has to be seen.
            guard step == nil, await base() else { return false }
            await fetch()
        }
    }

    /// Ends the exchange as the app says, if it has not ended.
    func stop(_ error: TransportError, _ record: EndRecord? = nil) {
        finish(.failure(error), at: now, record ?? error.endRecord)
    }

    /// Ends the other exchange, too, where the peer's bytes had ended before.
    func close(_ error: TransportError, _ record: EndRecord) {
        stop(error, record)
        around.stop(record)
        around.observer.tell(.end(record), at: now)
    }

    /// How it ended; nil where it has not.
    var end: Result<Void, TransportError>? { state.withLock { $0.end } }

    private var now: Int64 { around.context.clock.now() }

    private func take(_ step: FaultStep<Item>) {
        state.withLock { state in
            if case .end(let end, _) = step { state.natural = end }
            state.ready += state.stages.take(step)
        }
    }

    /// Takes the next thing from the other transport, or the cut if that is due before.
    private func fetch() async {
        let next = around.next
        let found: Result<Item?, TransportError>?
        if let cut = around.cut, around.context.hasMoments {
            found = await around.context.race(
                until: { cut.time }, work: { await next() },
                // Cancelling the task alone does not end what a WebSocket waits for.
                due: { [around] in around.stop(cut.end.endRecord) })
        } else {
            found = await next()
        }
        // When it is slowed down, that it ended is not found out at that time.
        let end = around.observer.end?.time ?? now
        switch found {
        case .success(let item?): take(.item(item, time: item.time))
        case .success(nil): take(.end(.success(()), time: end))
        case .failure(let error): take(.end(.failure(error), time: end))
        case nil: take(.end(.success(()), time: .max))
        }
    }

    /// Waits until a step is due.
    ///
    /// - Returns: False where it ends the exchange, or something else did before.
    private func wait(for step: FaultStep<Item>) async -> Bool {
        var step = step
        if let limit, step.time > max(now, limit.time) { step = .end(limit.end, time: limit.time) }
        if let cut = around.cut, step.time >= cut.time {
            cut.fault.strike()
            step = .end(cut.end, time: cut.time)
        }
        await sleep(until: step.time)
        if case .end(let end, let time) = step { finish(end, at: time) }
        return state.withLock { $0.end == nil }
    }

    /// When the peer has been silent for too long.
    private var limit: (time: Int64, end: Result<Void, TransportError>)? {
        let last = state.withLock { $0.last }
        let idle = around.timeouts.idle ?? Self.forever
        let silence = last.saturatingAdd(idle)
        let total = around.timeouts.total.map { around.start.saturatingAdd($0) } ?? .max
        if total < silence { return (total, .failure(.faultTotal)) }
        return (silence, .failure(.faultSilence(idle)))
    }

    private func sleep(until time: Int64) async {
        let left = time.saturatingSubtract(now)
        if left <= 0 { return }
        let clock = around.context.clock
        let sleeper: Task<Void, any Error> = around.context.startTask {
            try await clock.sleep(for: left)
        }
        let isOver = state.withLock { state in
            state.sleeper = sleeper
            return state.end != nil
        }
        if isOver { sleeper.cancel() }
        await withTaskCancellationHandler {
            _ = await sleeper.result
        } onCancel: {
            stop(TransportError.faultStop)
        }
    }

    private func finish(
        _ end: Result<Void, TransportError>, at time: Int64, _ record: EndRecord? = nil
    ) {
        let (isFirst, isNatural, sleeper) = state.withLock { state in
            defer { state.end = state.end ?? end }
            return (
                state.end == nil, state.natural.map { $0.isSame(as: end) } ?? false, state.sleeper
            )
        }
        guard isFirst else { return }
        sleeper?.cancel()
        let made = record ?? end.endRecord
        // Of its own end the other transport knows more.
        let natural = isNatural && record == nil ? around.observer.end?.record : nil
        if !around.hasOrderlyEnd, case .success = end { return }
        around.stop(made)
        around.observer.tell(.end(natural ?? made), at: time)
    }
}

extension Result<Void, TransportError> {
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.success, .success): true
        case (.failure(let one), .failure(let other)): one == other
        default: false
        }
    }

    fileprivate var endRecord: EndRecord {
        switch self {
        case .failure(let error): error.endRecord
        case .success: EndRecord(how: .complete, framing: .close, proven: false)
        }
    }
}

extension TransportError {
    fileprivate static let faultTotal = TransportError(
        how: .timedOut, .totalTimeout, "the exchange took longer than its limit (a fault)")

    fileprivate static func faultSilence(_ idle: Int64) -> TransportError {
        TransportError(
            how: .timedOut, .idleTimeout, "nothing came for \(idle / 1_000_000) ms (a fault)")
    }
}

extension SessionContext {
    /// Whether one can wait for a moment: at the pace `instant` each has come at once.
    var hasMoments: Bool { (clock as? ReplayClock)?.pace != .instant }

    /// Does `work`, unless a moment comes before it is done; then it is cancelled.
    ///
    /// - Returns: Its outcome, nil where the moment came.
    func race<Value: Sendable>(
        until deadline: @escaping @Sendable () -> Int64,
        work: @escaping @Sendable () async -> Value, due: @Sendable () -> Void = {}
    ) async -> Value? {
        let clock = clock
        return await withTaskGroup(of: RaceOutcome<Value>.self) { group in
            group.addTask { .done(await work()) }
            group.addTask {
                while true {
                    let left = deadline().saturatingSubtract(clock.now())
                    if left <= 0 { return .due }
                    do { try await clock.sleep(for: left) } catch { return .cancelled }
                }
            }
            for await outcome in group {
                switch outcome {
                case .done(let value):
                    group.cancelAll()
                    return value
                case .due:
                    due()
                    group.cancelAll()
                    return nil
                case .cancelled: continue
                }
            }
            return nil
        }
    }
}

private enum RaceOutcome<Value: Sendable>: Sendable {
    case done(Value)
    case due
    case cancelled
}
