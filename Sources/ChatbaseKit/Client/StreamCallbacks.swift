/// What to call while a reply streams in.
///
/// Callbacks are awaited one after the other, and nothing more of the reply is read meanwhile.
/// Those that are not set are ignored. None runs on the main thread.
public struct StreamCallbacks: Sendable {
    /// Runs for each chunk of text.
    public var onTextDelta: (@Sendable (String) async -> Void)?
    /// Runs when the agent asks for a tool, before its handler runs; also for a tool that the
    /// service runs itself.
    public var onToolCall: (@Sendable (ToolCallInfo) async -> Void)?
    /// Runs when the result of a tool is ready, whether it came from a handler or from the
    /// service.
    public var onToolResult: (@Sendable (ToolResultInfo) async -> Void)?

    /// No callbacks.
    public init() {}
}

/// A tool that the agent asked for.
public struct ToolCallInfo: Sendable, Hashable {
    /// The id of this call.
    public let toolCallId: String
    /// The tool's name.
    public let toolName: String
    /// What the agent passed to the tool.
    public let input: JSONValue

    /// Creates an info.
    public init(toolCallId: String, toolName: String, input: JSONValue) {
        self.toolCallId = toolCallId
        self.toolName = toolName
        self.input = input
    }
}

/// What came of a tool.
public struct ToolResultInfo: Sendable, Hashable {
    /// The id of the call that it belongs to.
    public let toolCallId: String
    /// The tool's name; empty where the service told the result of a call that it never made.
    public let toolName: String
    /// What the tool returned: an object with the key `error` where it failed.
    public let output: JSONValue

    /// Creates an info.
    public init(toolCallId: String, toolName: String, output: JSONValue) {
        self.toolCallId = toolCallId
        self.toolName = toolName
        self.output = output
    }
}

/// A tool of the app: given what the agent passed to it, it returns what the agent is told. What
/// it throws is told to the agent as `{"error": …}`, but for `CancellationError`, which ends the
/// operation.
public typealias ToolHandler = @Sendable (JSONValue) async throws -> JSONValue
