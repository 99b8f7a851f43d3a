public import RepriseWire

/// One stream of a reply as its parts make it.
public struct ReplyState: Sendable, Hashable {
    /// Whether it is read as the service's iOS kit reads it: details from `finish` alone, and
    /// tools known to be the service's by their output alone.
    public let isStrict: Bool
    /// The id in the last `start`.
    public private(set) var startId: String?
    /// The text so far.
    public private(set) var text = ""
    /// The tools that the agent asked for, in the order of their first parts.
    public private(set) var calls: [Call] = []
    /// Details of the message, merged in the order they came.
    public private(set) var metadata = JSONObject()
    /// The reason at the top level of `finish`.
    public private(set) var topLevelReason: String?
    /// Whether `finish` came.
    public private(set) var isFinished = false
    /// Whether any part of a known kind came.
    public private(set) var hasParts = false
    /// What the last `error` said.
    public private(set) var errorText: String?

    /// Joins characters whose two halves came in two parts.
    private var joiner = SurrogateJoiner()

    /// A stream of which nothing has come.
    public init(isStrict: Bool = false) { self.isStrict = isStrict }

    /// A tool that the agent asked for.
    public struct Call: Sendable, Hashable {
        /// The id of the call.
        public let id: String
        /// The tool's name; empty where none came.
        public internal(set) var name = ""
        /// The pieces of its input's JSON text, joined.
        public internal(set) var inputText = ""
        /// The input as it was sent; an empty object where `input` was missing.
        public internal(set) var input: JSON = [:]
        /// Whether its input is complete.
        public internal(set) var isComplete = false
        /// Whether the service said that it runs the tool itself.
        public internal(set) var isProviderExecuted = false
        /// What the service says came of it; nil as long as it says nothing final.
        public internal(set) var output: JSON?
        /// Joins characters of `inputText` whose two halves came in two parts.
        var joiner = SurrogateJoiner()

        init(_ id: String) { self.id = id }

        /// The call as its handler and the callbacks are told it.
        public var toolCall: ToolCall {
            ToolCall(toolCallId: id, toolName: name, input: JSONValue(input))
        }
    }

    /// The calls that are left to the app: complete, and not run by the service.
    public var pending: [Call] {
        calls.filter { $0.isComplete && $0.output == nil && !$0.isProviderExecuted }
    }

    /// The details of the reply as far as they have come.
    public var info: StreamFinishInfo {
        StreamFinishInfo(metadata, reason: isStrict ? nil : topLevelReason)
    }

    /// The call with that id.
    public func call(_ id: String) -> Call? { calls.first { $0.id == id } }
}

extension ReplyState {
    /// Takes a part in.
    ///
    /// - Returns: The events that it makes; none for a part of an unknown kind and for one that
    ///   lacks what is needed to make anything of it.
    @discardableResult
    public mutating func apply(_ part: StreamPart) -> [StreamEvent] {
        hasParts = hasParts || part.kind.isKnown
        switch part.kind {
        case .start:
            startId = part.messageId ?? startId
            merge(part)
            return [.messageStarted(id: part.messageId ?? "")]
        case .textDelta:
            return append(joiner.push(part.delta ?? "", part.deltaSurrogates).text)
        case .textEnd: return endText()
        case .toolInputStart, .toolInputDelta, .toolInputAvailable: return applyInput(part)
        case .toolOutputAvailable, .toolOutputError: return applyOutput(part)
        case .messageMetadata:
            merge(part)
            return []
        case .finish:
            isFinished = true
            topLevelReason = part.finishReason ?? topLevelReason
            merge(part)
            return endText() + [.finished(info)]
        case .error:
            errorText = part.errorText ?? errorText ?? ""
            return []
        default: return []
        }
    }

    /// Says that no part follows.
    public mutating func finish() -> [StreamEvent] { endText() }

    private mutating func append(_ new: String) -> [StreamEvent] {
        text += new
        return new.isEmpty ? [] : [.textChunk(new)]
    }

    /// A half of a character that no other half can follow any more is told as U+FFFD.
    private mutating func endText() -> [StreamEvent] { append(joiner.finish().text) }

    private mutating func merge(_ part: StreamPart) {
        guard let new = part.metadata, !isStrict || part.kind == .finish else { return }
        metadata = metadata.merged(with: new)
    }

    private mutating func applyInput(_ part: StreamPart) -> [StreamEvent] {
        guard let index = index(of: part) else { return [] }
        calls[index].isProviderExecuted =
            calls[index].isProviderExecuted || part.isProviderExecuted && !isStrict
        calls[index].name = part.toolName ?? calls[index].name
        let piece = calls[index].joiner.push(part.inputTextDelta ?? "", part.inputSurrogates)
        calls[index].inputText += piece.text
        guard part.kind == .toolInputAvailable, !calls[index].isComplete else { return [] }
        calls[index].isComplete = true
        calls[index].input = part.input ?? [:]
        return [.toolCall(calls[index].toolCall)]
    }

    private mutating func applyOutput(_ part: StreamPart) -> [StreamEvent] {
        guard let id = part.toolCallId else { return [] }
        if part.isPreliminary || isStrict && part.kind == .toolOutputError { return [] }
        let error: JSON = ["error": .string(part.errorText ?? "")]
        let output = part.kind == .toolOutputError ? error : part.output ?? .null
        if let index = calls.firstIndex(where: { $0.id == id }) { calls[index].output = output }
        return [.toolOutput(toolCallId: id, output: JSONValue(output))]
    }

    private mutating func index(of part: StreamPart) -> Int? {
        guard let id = part.toolCallId else { return nil }
        if let index = calls.firstIndex(where: { $0.id == id }) { return index }
        calls.append(Call(id))
        return calls.count - 1
    }
}

extension JSONObject {
    /// These members with those of `other` in them: objects are merged, anything else is replaced.
    func merged(with other: JSONObject) -> JSONObject {
        var result = self
        for member in other.members {
            if let old = result[member.key]?.object, let new = member.value.object {
                result[member.key] = .object(old.merged(with: new))
            } else {
                result[member.key] = member.value
            }
        }
        return result
    }
}
