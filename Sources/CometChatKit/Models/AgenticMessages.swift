import RepriseWire

/// An agent's reply, as the service keeps it.
public final class AIAssistantMessage: BaseMessage {
    /// The run that it comes from; -1 where it does not say.
    public var runId: Int { message.namedRun }
    /// The thread that the run belongs to; empty where it does not say.
    public var threadId: String { message.threadId }
    /// Its text, for replies without elements.
    public var text: String { message.text }

    /// Its texts and cards in the order in which the agent made them; nil where it is plain text.
    public func getElements() -> [AIAssistantElement]? {
        message.elements?.map { AIAssistantElement($0) }
    }
}

/// A block of an agent's reply.
public final class AIAssistantElement {
    /// The block in values.
    public let element: ChatMessage.Element

    init(_ element: ChatMessage.Element) { self.element = element }

    /// What it is: `text` or `card`.
    public func getType() -> String { element.type }

    /// A text, or a card as `["cardId": …, "card": …]`; nil where there is nothing in it.
    public func getData() -> Any? { element.value?.any }
}

/// What came of a tool, as the service keeps it.
public final class AIToolResultMessage: BaseMessage {
    /// The run that it comes from; -1 where it does not say.
    public var runId: Int { message.namedRun }
    /// The thread that the run belongs to; empty where it does not say.
    public var threadId: String { message.threadId }
    /// The tool's call.
    public var toolCallId: String { message.toolCallId }
    /// The output.
    public var text: String { message.text }
}

/// What an agent passed to tools, as the service keeps it.
public final class AIToolArgumentMessage: BaseMessage {
    /// The run that it comes from; -1 where it does not say.
    public var runId: Int { message.namedRun }
    /// The thread that the run belongs to; empty where it does not say.
    public var threadId: String { message.threadId }
    /// The calls.
    public var toolCalls: [AIToolCall] { message.toolCalls.map { AIToolCall($0) } }
}

/// A call of a tool.
public final class AIToolCall {
    /// The call in values.
    public let call: ChatMessage.ToolCall

    init(_ call: ChatMessage.ToolCall) { self.call = call }

    /// Its id.
    public var id: String { call.id }
    /// What it is, e.g. `function`.
    public var type: String { call.type }
    /// The tool's name for people.
    public var displayName: String { call.displayName }
    /// What to show while it runs.
    public var executionText: String { call.executionText }
    /// The tool's name.
    public var name: String { call.name }
    /// The JSON text of its arguments.
    public var arguments: String { call.arguments }
}

extension ChatMessage {
    /// The run's id as the vendor's clients give it.
    fileprivate var namedRun: Int { runId.flatMap { Int(exactly: $0) } ?? -1 }
}
