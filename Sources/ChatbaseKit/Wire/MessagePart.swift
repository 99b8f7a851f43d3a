/// A piece of a message.
public enum MessagePart: Sendable, Hashable {
    /// Text written by the agent, or sent by the user.
    case text(String)
    /// A tool that the agent asked for; an empty object where it passed nothing.
    case toolCall(toolCallId: String, toolName: String, input: JSONValue)
    /// What came of a tool; null where nothing did.
    case toolResult(toolCallId: String, toolName: String, output: JSONValue)
}

extension MessagePart: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, text, toolCallId, toolName, input, output
    }

    private enum Kind: String, Codable {
        case text
        case toolCall = "tool-call"
        case toolResult = "tool-result"
    }

    /// Reads a part of a history.
    ///
    /// - Throws: `DecodingError` also for a type that this version does not know.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try values.decode(Kind.self, forKey: .type)
        if kind == .text {
            self = .text(try values.decode(String.self, forKey: .text))
            return
        }
        let id = try values.decode(String.self, forKey: .toolCallId)
        let name = try values.decode(String.self, forKey: .toolName)
        if kind == .toolCall {
            let input = try values.decodeIfPresent(JSONValue.self, forKey: .input)
            self = .toolCall(toolCallId: id, toolName: name, input: input ?? [:])
        } else {
            let output = try values.decodeIfPresent(JSONValue.self, forKey: .output)
            self = .toolResult(toolCallId: id, toolName: name, output: output ?? .null)
        }
    }

    /// Writes a part as a history has it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text):
            try values.encode(Kind.text, forKey: .type)
            try values.encode(text, forKey: .text)
        case .toolCall(let id, let name, let input):
            try values.encode(Kind.toolCall, forKey: .type)
            try values.encode(id, forKey: .toolCallId)
            try values.encode(name, forKey: .toolName)
            try values.encode(input, forKey: .input)
        case .toolResult(let id, let name, let output):
            try values.encode(Kind.toolResult, forKey: .type)
            try values.encode(id, forKey: .toolCallId)
            try values.encode(name, forKey: .toolName)
            try values.encode(output, forKey: .output)
        }
    }
}
