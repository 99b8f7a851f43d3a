internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Which recorded operation an operation of now is: so that an app finds its own requests, random
/// values and tools where it begins operations in another order, or others between them.
final class RecordedCalls: Sendable {
    private struct State {
        /// Those that were not begun, in recorded order.
        var rest: [Recording.Call]
        /// The number for one that was not recorded.
        var next: UInt64
        /// What those take the place of that were not recorded.
        var bound: [UInt64: UInt64] = [:]
    }

    private let numbers: Set<UInt64>
    /// The operations that made requests.
    private let asking: Set<UInt64>
    private let state: Locked<State>

    /// nil where no operation was recorded.
    init?(_ recording: Recording) {
        guard let last = recording.calls.map(\.number).max() else { return nil }
        numbers = Set(recording.calls.map(\.number))
        asking = Set(recording.exchanges.compactMap(\.request.call))
        state = Locked(State(rest: recording.calls, next: last.addingReportingOverflow(1).0))
    }

    /// The number of an operation that begins: of the first recorded one that is left with these
    /// arguments, or else of the first of that name; a new one where there is none.
    func begin(_ op: String, args: JSON) -> UInt64 {
        state.withLock { state in
            let place =
                state.rest.firstIndex { $0.op == op && $0.args == args }
                ?? state.rest.firstIndex { $0.op == op }
            if let place { return state.rest.remove(at: place).number }
            defer { state.next = state.next.addingReportingOverflow(1).0 }
            return state.next
        }
    }

    /// The recorded operation that one stands for which asks for something: one that was not
    /// recorded takes the place of the first that is left and asked.
    func recorded(_ call: UInt64) -> UInt64 {
        if call == 0 || numbers.contains(call) { return call }
        return state.withLock { state in
            if let bound = state.bound[call] { return bound }
            let place = state.rest.firstIndex { asking.contains($0.number) }
            let number = place.map { state.rest.remove(at: $0).number } ?? call
            state.bound[call] = number
            return number
        }
    }
}

/// Random values of the recorded operation that one stands for.
struct RecordedCallsEntropy: EntropySource {
    let base: any EntropySource
    let calls: RecordedCalls

    func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String {
        base.draw(purpose, call: calls.recorded(call), make)
    }
}

/// Tools of the recorded operation that one stands for.
struct RecordedCallsTools: ToolRunner {
    let base: any ToolRunner
    let calls: RecordedCalls

    func run(_ run: ToolRun, _ body: ToolBody?) async throws(TransportError) -> ToolAnswer {
        var run = run
        run.call = calls.recorded(run.call)
        return try await base.run(run, body)
    }
}
