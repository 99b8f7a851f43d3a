/// What events of a tool's call have in common.
public class AIAssistantToolEvent: AIAssistantBaseEvent {
    /// The call's id.
    public var toolCallId: String { event.toolCallId }
    /// The tool's name.
    public var toolCallName: String { event.toolCallName }
    /// The tool's name for people.
    public var displayName: String { event.displayName }
    /// What to show while it runs.
    public var executionText: String { event.executionText }
    /// The JSON text of all arguments, where the event has it.
    public var arguments: String { event.arguments }
}

/// An agent decided to call a tool.
public final class AIAssistantToolStartedEvent: AIAssistantToolEvent {
    /// The message that the call belongs to.
    public var streamParentMessageId: String { event.streamParentMessageId }
}

/// A piece of a tool's arguments.
public final class AIAssistantToolArgumentEvent: AIAssistantToolEvent {
    /// A piece of the JSON text of the arguments.
    public var delta: String { event.delta ?? "" }
}

/// A tool's arguments are complete.
public final class AIAssistantToolEndedEvent: AIAssistantToolEvent {}

/// A tool's output.
public final class AIAssistantToolResultEvent: AIAssistantToolEvent {
    /// The message that is streamed.
    public var streamMessageId: String { event.streamMessageId }
    /// The output.
    public var content: String { event.content }
    /// Who speaks, e.g. `tool`.
    public var role: String { event.role }
}
