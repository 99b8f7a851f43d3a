import RepriseWire

/// A live event of an agent's run.
///
/// Its class tells what it has, its ``type`` what it is: a run and a text begin with the same
/// class, and one of an unknown kind is of this class itself.
public class AIAssistantBaseEvent {
    /// The event in values.
    public let event: AgentEvent

    init(_ event: AgentEvent) { self.event = event }

    /// What it is, e.g. `run_started`, as it was written on the wire.
    public var type: String { event.type }
    /// The event's id, which names its run; 0 where it has none.
    public var id: Int { Int(exactly: event.id ?? 0) ?? 0 }
    /// The conversation that it belongs to; empty where it does not say.
    public var conversationId: String { event.conversationId }
    /// The message whose thread it belongs to; empty where it does not say.
    public var parentId: String { event.parentId }
    /// The run's id; 0 where it has none.
    public var runId: Int { Int(exactly: event.runId ?? 0) ?? 0 }
    /// The thread that the run belongs to; empty where it does not say.
    public var threadId: String { event.threadId }

    /// The event as the service sent it.
    public func getRawData() -> [String: Any] { event.body.any }

    /// The event in the class of its kind.
    package static func make(_ event: AgentEvent) -> AIAssistantBaseEvent {
        switch event.kind {
        case .runStarted, .textMessageStart: AIAssistantRunStartedEvent(event)
        case .toolCallStart: AIAssistantToolStartedEvent(event)
        case .toolCallArgs: AIAssistantToolArgumentEvent(event)
        case .toolCallEnd: AIAssistantToolEndedEvent(event)
        case .toolCallResult: AIAssistantToolResultEvent(event)
        case .cardStart: AIAssistantCardStartedEvent(event)
        case .card: AIAssistantCardReceivedEvent(event)
        case .cardEnd: AIAssistantCardEndedEvent(event)
        case .textMessageContent: AIAssistantContentReceivedEvent(event)
        case .textMessageEnd: AIAssistantMessageEndedEvent(event)
        case .runFinished: AIAssistantRunFinishedEvent(event)
        default: AIAssistantBaseEvent(event)
        }
    }
}

extension AIAssistantBaseEvent: CustomStringConvertible {
    /// The kind and the run, without any of what the agent says.
    public var description: String { "\(Swift.type(of: self))(\(type), run \(event.runKey ?? 0))" }
}

/// A run began, or a text did: its `type` tells which.
public final class AIAssistantRunStartedEvent: AIAssistantBaseEvent {
    /// The message that is streamed.
    public var streamMessageId: String { event.streamMessageId }
    /// Who speaks, e.g. `assistant`.
    public var role: String { event.role }
}

/// A piece of a text.
public final class AIAssistantContentReceivedEvent: AIAssistantBaseEvent {
    /// The message that is streamed.
    public var streamMessageId: String { event.streamMessageId }
    /// What to append.
    public var delta: String { event.delta ?? "" }
}

/// A text ended.
public final class AIAssistantMessageEndedEvent: AIAssistantBaseEvent {
    /// The message that was streamed.
    public var streamMessageId: String { event.streamMessageId }
    /// The message's own id.
    public var messageId: String { event.messageId }
}

/// A run ended; its persisted messages follow.
public final class AIAssistantRunFinishedEvent: AIAssistantBaseEvent {}
