internal import RepriseSession
internal import RepriseWire

/// The tools that one stream tells of.
struct AgoStreamCalls: Sendable {
    /// Whether there was none.
    private(set) var isEmpty = true
    /// Client functions announced with an id, in order.
    private(set) var announced: [String] = []
    /// Calls that the turn waits for, and where it said so.
    private(set) var waiting: (ids: [String], place: Place)?
    private var events: [AgoToolEvent] = []
    private var bareStates: [(event: AgoToolEvent, place: Place)] = []
    private var seen: Set<String> = []
    private var answered: Set<String> = []

    mutating func read(
        _ event: AgoToolEvent, at place: Place, into output: inout DialectOutput
    ) {
        if event.type == .reasoning { return think(event, at: place, into: &output) }
        isEmpty = false
        if !event.type.isKnown {
            output.raise(
                AgoRules.a9c, at: place, expected: "a known type of tool event",
                seen: event.type.rawValue)
        }
        guard let id = event.id else { return readUnnamed(event, at: place, into: &output) }
        if event.type == .clientFunction {
            events.append(event)
            if !announced.contains(id) { announced.append(id) }
        }
        begin(event, id, at: place, into: &output)
        if event.type.isServerRun { readStatus(event, id, at: place, into: &output) }
    }

    /// WAITING_CLIENT came with these ids.
    mutating func wait(for ids: [String], at place: Place, into output: inout DialectOutput) {
        waiting = (ids, place)
        if ids.isEmpty {
            output.raise(
                AgoRules.a5a, at: place, expected: "waiting_tool_call_ids", seen: "none")
        }
    }

    /// The stream was closed.
    func finish(at place: Place, into output: inout DialectOutput) {
        for state in bareStates
        where !events.contains(where: { $0.isSameFunction(as: state.event) }) {
            output.raise(
                AgoRules.a8a, at: state.place,
                expected: "an event with an id for the same name and arguments",
                seen: "only a bare state of \(state.event.name ?? "a function without a name")")
        }
    }
}

extension AgoStreamCalls {
    private func think(
        _ event: AgoToolEvent, at place: Place, into output: inout DialectOutput
    ) {
        let text = event.message ?? event.data?.string ?? ""
        if text.isEmpty { return output.emit(.other("reasoning"), at: place) }
        output.emit(.reasoning(text), at: place)
    }

    private mutating func readUnnamed(
        _ event: AgoToolEvent, at place: Place, into output: inout DialectOutput
    ) {
        output.emit(.other(event.type.rawValue), at: place)
        if event.isBareState && event.type == .clientFunction {
            bareStates.append((event, place))
        } else {
            output.raise(
                AgoRules.a8b, at: place, expected: "an id",
                seen: "a \(event.type.rawValue) event of \(event.name ?? "a tool without a name")")
        }
    }

    private mutating func begin(
        _ event: AgoToolEvent, _ id: String, at place: Place, into output: inout DialectOutput
    ) {
        let isFunction = event.type == .clientFunction
        guard seen.insert("\(isFunction):\(id)").inserted else { return }
        let call = ToolCall(
            id: id, name: event.name, side: event.type.isServerRun ? .server : .client,
            expectsResult: isFunction)
        output.emit(.toolCall(call), at: place)
        output.emit(.namesTurn("call:\(id)"), at: place)
        guard isFunction else { return }
        let arguments = (event.arguments ?? [:]).serialized
        if event.arguments?.object?.members.isEmpty == false {
            output.emit(.toolArguments(id: id, arguments), at: place)
        }
        output.emit(.toolReady(id: id, arguments: arguments), at: place)
    }

    /// The status of a tool that the server runs: its words are not documented, so only those that
    /// leave no doubt are taken.
    private mutating func readStatus(
        _ event: AgoToolEvent, _ id: String, at place: Place, into output: inout DialectOutput
    ) {
        let status = event.status?.lowercased() ?? ""
        let isFailure = ["failed", "error", "errored"].contains(status)
        guard
            isFailure
                || ["completed", "complete", "done", "success", "succeeded"].contains(status),
            answered.insert(id).inserted
        else { return }
        output.emit(
            .toolResult(ToolResult(id: id, isFailure: isFailure, isSubmission: false)), at: place)
    }
}

extension AgoToolEvent.Kind {
    /// Whether the server runs what the event tells of; else it asks something of the app.
    fileprivate var isServerRun: Bool {
        switch self {
        case .clientFunction, .form, .confirmationInput: false
        default: true
        }
    }
}
