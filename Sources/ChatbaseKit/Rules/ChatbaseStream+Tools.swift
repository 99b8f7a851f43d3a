import RepriseSession
import RepriseWire

/// The tools that a stream tells of: rules B5 and B6.
extension ChatbaseStream {
    mutating func readInput(
        _ part: StreamPart, at place: Place, in around: inout Surroundings
    ) {
        guard let id = part.toolCallId else {
            return around.output.emit(.other(part.kind.rawValue), at: place)
        }
        if part.kind != .toolInputDelta { announce(part, id, at: place, in: &around) }
        if part.kind == .toolInputDelta, let piece = part.inputTextDelta, !piece.isEmpty {
            piecewise.insert(id)
            around.output.emit(.toolArguments(id: id, piece), at: place)
        }
        guard part.kind == .toolInputAvailable else { return }
        around.calls.make(id, at: place, into: &around.output)
        if part.input?.object?.members.isEmpty == false, !piecewise.contains(id) {
            around.output.emit(
                .toolArguments(id: id, part.input?.serialized ?? ""), at: place)
        }
        // Without an input the pieces are all there is.
        let whole = part.input?.serialized ?? (piecewise.contains(id) ? nil : "{}")
        around.output.emit(.toolReady(id: id, arguments: whole), at: place)
        if let input = part.input { checkPieces(of: id, input, at: place, in: &around) }
    }

    private func announce(
        _ part: StreamPart, _ id: String, at place: Place, in around: inout Surroundings
    ) {
        let isServerRun = part.isProviderExecuted || state.call(id)?.isProviderExecuted == true
        around.output.emit(
            .toolCall(
                RepriseSession.ToolCall(
                    id: id, name: part.toolName, side: isServerRun ? .server : .client)),
            at: place)
        around.output.emit(.namesTurn("call:\(id)"), at: place)
    }

    private func checkPieces(
        of id: String, _ input: JSON, at place: Place, in around: inout Surroundings
    ) {
        guard piecewise.contains(id), let text = state.call(id)?.inputText else { return }
        let pieces = try? JSON.parse(Array(text.utf8)).value
        guard pieces?.means(input) != true else { return }
        around.output.raise(
            ChatbaseRules.b6, at: place, expected: SeenText.quoted(input.serialized),
            seen: SeenText.quoted(text), subject: id)
    }

    mutating func readOutput(
        _ part: StreamPart, at place: Place, in around: inout Surroundings
    ) {
        guard let id = part.toolCallId, !part.isPreliminary else {
            return around.output.emit(.other(part.kind.rawValue), at: place)
        }
        let error: JSON = ["error": .string(part.errorText ?? "")]
        let value = part.kind == .toolOutputError ? error : part.output ?? .null
        let isRepeated = !answered.insert(id).inserted
        let isSubmitted = !around.calls.isPending(id)
        guard
            around.calls.resolve(
                id, value, isRepeated: isRepeated, at: place, into: &around.output)
        else { return around.output.emit(.other(part.kind.rawValue), at: place) }
        around.turn.pending.removeAll { $0 == id }
        // What an app's tool returned, told again.
        if isSubmitted { return around.output.emit(.other(part.kind.rawValue), at: place) }
        around.output.emit(
            .toolCall(RepriseSession.ToolCall(id: id, name: nil, side: .server)), at: place)
        around.output.emit(
            .toolResult(
                ToolResult(
                    id: id, isFailure: ToolResult.isFailure(value), isSubmission: false,
                    size: value.serializedBytes.count)), at: place)
    }
}
