internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// The journal of a check: gives an operation the number that it had, and keeps how it ended.
final class CheckJournal: Journal {
    /// An operation as it went this time.
    struct Run {
        var op: String
        var args: JSON
        var outcome: Recording.Outcome?
        /// The app's tools that it asked for, in order.
        var tools: [ToolRecord] = []
    }

    private struct State {
        /// The number of the operation that is about to begin.
        var due: UInt64?
        /// The number for one that was not recorded.
        var next: UInt64
        var runs: [UInt64: Run] = [:]
        var extra: [UInt64] = []
    }

    private let state: Locked<State>

    /// - Parameter last: The highest number on the tape.
    init(last: UInt64) {
        state = Locked(State(next: last == .max ? last : last + 1))
    }

    /// The next operation to begin is the recorded one of that number.
    func expect(_ call: UInt64) {
        state.withLock { state in
            state.due = call
            state.extra = []
        }
    }

    /// How the operation went; nil where it never began.
    func run(_ call: UInt64) -> Run? { state.withLock { $0.runs[call] } }

    /// The operations that began since the last expected one and were not recorded.
    var unexpected: [Run] {
        state.withLock { state in state.extra.compactMap { state.runs[$0] } }
    }

    func beginCall(_ op: String, args: JSON) -> UInt64 {
        state.withLock { state in
            let call = state.due ?? state.next
            if state.due == nil {
                state.extra.append(call)
                if state.next < .max { state.next += 1 }
            }
            state.due = nil
            state.runs[call] = Run(op: op, args: args)
            return call
        }
    }

    func record(_ content: FrameContent) {
        state.withLock { state in
            switch content {
            case .call(let record) where !record.isBeginning:
                state.runs[record.call]?.outcome = Recording.Outcome(record)
            case .tool(let record) where record.state == .started:
                if let call = record.call { state.runs[call]?.tools.append(record) }
            default: break
            }
        }
    }

    func declareSecret(_ secret: String) {}
}

extension Recording.Outcome {
    /// What the end of an operation says.
    init(_ record: CallRecord) {
        self = record.error.map { .error($0) } ?? .result(record.result ?? .null)
    }
}
