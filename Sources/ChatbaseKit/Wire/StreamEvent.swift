/// What a reply is made of.
public enum StreamEvent: Sendable, Hashable {
    /// The service created the agent's message; its id is empty where the service named none.
    case messageStarted(id: String)
    /// A chunk of text.
    case textChunk(String)
    /// The agent asked for a tool and sent everything it needs.
    case toolCall(ToolCall)
    /// A tool is done; its output has the key `error` where it failed.
    case toolOutput(toolCallId: String, output: JSONValue)
    /// The reply is done and the details are final.
    case finished(StreamFinishInfo)
}

/// A tool that the agent asked for.
public struct ToolCall: Sendable, Hashable {
    /// The id of this call.
    public let toolCallId: String
    /// The tool's name; empty where the service named none.
    public let toolName: String
    /// What the agent passed to the tool; an empty object where it passed nothing.
    public let input: JSONValue

    /// Creates a call.
    public init(toolCallId: String, toolName: String, input: JSONValue) {
        self.toolCallId = toolCallId
        self.toolName = toolName
        self.input = input
    }
}
