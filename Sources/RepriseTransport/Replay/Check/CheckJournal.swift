internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// The journal of a check: gives an operation the number that it had, and keeps how it ended.
final class CheckJournal: Journal {
    /// The number of the recorded operation that a task runs.
    @TaskLocal static var due: UInt64?

    /// An operation as it went this time.
    struct Run {
        var op: String
        var args: JSON
        var outcome: Recording.Outcome?
        /// The app's tools that it asked for, in order.
        var tools: [ToolRecord] = []
    }

    private struct State {
        var clients: UInt64 = 0
        /// The number for an operation that was not recorded.
        var next: UInt64
        var runs: [UInt64: Run] = [:]
        /// Operations that were not recorded, by the one in whose task they began.
        var extra: [UInt64: [UInt64]] = [:]
    }

    private let state: Locked<State>

    /// - Parameter last: The highest number on the tape.
    init(last: UInt64) {
        state = Locked(State(next: last == .max ? last : last + 1))
    }

    /// How the operation went; nil where it never began.
    func run(_ call: UInt64) -> Run? { state.withLock { $0.runs[call] } }

    /// The operations that began beside a recorded one and were not recorded.
    func unexpected(in call: UInt64) -> [Run] {
        state.withLock { state in (state.extra[call] ?? []).compactMap { state.runs[$0] } }
    }

    func addClient(_ record: ClientRecord) -> UInt64 {
        state.withLock { state in
            state.clients += 1
            return state.clients
        }
    }

    /// The first operation that a recorded one's task begins is that one.
    func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        let due = CheckJournal.due
        return state.withLock { state in
            var call = state.next
            if let due, state.runs[due] == nil {
                call = due
            } else {
                state.extra[due ?? 0, default: []].append(call)
                if state.next < .max { state.next += 1 }
            }
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
