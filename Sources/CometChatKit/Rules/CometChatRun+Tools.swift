import RepriseSession
import RepriseWire

/// The tools that a run calls: rules C11, C12 and C15d.
extension CometChatRun {
    mutating func readTool(
        _ event: AgentEvent, _ kind: AgentEventKind, at place: Place,
        into output: inout DialectOutput
    ) {
        let id = event.toolCallId
        if kind != .toolCallResult { announce(event, at: place, into: &output) }
        switch kind {
        case .toolCallStart:
            for text in content.open {
                interleaved["text \(text)"] = ("a tool call within a text", place)
            }
        case .toolCallArgs:
            checkDelta(event, at: place, into: &output)
            let piece = calls.add(event.delta ?? "", event.deltaSurrogates, to: id)
            if !piece.isEmpty {
                return output.emit(.toolArguments(id: id, piece), at: place, run: name)
            }
        case .toolCallEnd:
            raiseInterleaved("tool \(id)", into: &output)
            let pieces = calls.end(id)
            checkArguments(event, pieces, at: place, into: &output)
            let whole = event.arguments.isEmpty ? nil : event.arguments
            return output.emit(.toolReady(id: id, arguments: whole), at: place, run: name)
        default: return answer(event, at: place, into: &output)
        }
        output.emit(.other(event.type), at: place, run: name)
    }

    /// Whatever names a call first begins it.
    private mutating func announce(
        _ event: AgentEvent, at place: Place, into output: inout DialectOutput
    ) {
        let tool = event.toolCallName.isEmpty ? nil : event.toolCallName
        guard calls.begin(event.toolCallId, tool) || event.kind == .toolCallStart else { return }
        output.emit(
            .toolCall(ToolCall(id: event.toolCallId, name: tool, side: .server)), at: place,
            run: name)
    }

    private func checkArguments(
        _ event: AgentEvent, _ pieces: String, at place: Place, into output: inout DialectOutput
    ) {
        let whole = event.arguments
        let value = CometChatRun.value(whole.isEmpty ? pieces : whole)
        let isSame =
            pieces.isEmpty || whole.isEmpty || pieces.utf8.elementsEqual(whole.utf8)
            || CometChatRun.value(pieces).flatMap { piece in value.map(piece.means) } ?? false
        let subject = subject(event.toolCallId)
        if !isSame {
            output.raise(
                CometChatRules.c11a, at: place, expected: SeenText.quoted(whole),
                seen: SeenText.quoted(pieces), subject: subject)
        } else if value == nil, !(whole.isEmpty && pieces.isEmpty) {
            output.raise(
                CometChatRules.c11b, at: place, expected: "JSON",
                seen: SeenText.quoted(whole.isEmpty ? pieces : whole), subject: subject)
        }
    }

    private static func value(_ text: String) -> JSON? { try? JSON.parse(Array(text.utf8)).value }

    private mutating func answer(
        _ event: AgentEvent, at place: Place, into output: inout DialectOutput
    ) {
        let id = event.toolCallId
        if calls.answer(id) && !isPartial {
            output.raise(
                CometChatRules.c6c, at: place, expected: "one result",
                seen: "another one for \(id)", subject: subject(id))
        }
        let failure = CometChatRun.value(event.content).map(ToolResult.isFailure) ?? false
        output.emit(
            .toolResult(
                ToolResult(
                    id: id, isFailure: failure, isSubmission: false, size: event.content.utf8.count)
            ), at: place, run: name)
    }
}

/// The calls of tools in a run.
struct CometChatToolCalls: Sendable {
    private struct Call: Sendable {
        var name: String?
        var pieces = ""
        var joiner = SurrogateJoiner()
        var isAnswered = false
    }

    private var calls: [String: Call] = [:]
    private var order: [String] = []

    /// The calls whose arguments are under way.
    private(set) var open: Set<String> = []

    /// A call begins, or is named otherwise.
    ///
    /// - Returns: Whether it is new.
    mutating func begin(_ id: String, _ name: String?) -> Bool {
        if calls[id] != nil {
            if calls[id]?.name == nil { calls[id]?.name = name }
            return false
        }
        calls[id] = Call(name: name)
        order.append(id)
        open.insert(id)
        return true
    }

    /// A piece of arguments.
    ///
    /// - Returns: What it adds to them.
    mutating func add(
        _ piece: String, _ surrogates: [JSON.LoneSurrogate], to id: String
    ) -> String {
        let text = calls[id]?.joiner.push(piece, surrogates).text ?? ""
        calls[id]?.pieces += text
        return text
    }

    /// The arguments of a call are complete.
    ///
    /// - Returns: Their pieces, joined.
    mutating func end(_ id: String) -> String {
        let rest = calls[id]?.joiner.finish().text ?? ""
        calls[id]?.pieces += rest
        close(id)
        return calls[id]?.pieces ?? ""
    }

    private mutating func close(_ id: String) {
        open.remove(id)
    }

    /// A call has a result.
    ///
    /// - Returns: Whether it had one before.
    mutating func answer(_ id: String) -> Bool {
        defer {
            calls[id]?.isAnswered = true
            close(id)
        }
        return calls[id]?.isAnswered ?? false
    }

    /// The calls that ended and have no result, in order, with their tools' names.
    var unanswered: [(id: String, name: String?)] {
        order.compactMap { id in
            calls[id].flatMap { open.contains(id) || $0.isAnswered ? nil : (id, $0.name) }
        }
    }
}
