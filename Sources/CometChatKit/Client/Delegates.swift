/// Who listens to the live events of agents. Told on the main actor.
///
/// It is held weakly, and is to be removed all the same.
@MainActor
public protocol AIAssistantEventsDelegate: AnyObject, Sendable {
    /// An event came; its class tells what it has, its `type` what it is.
    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent)
}

extension AIAssistantEventsDelegate {
    /// Makes nothing of it.
    public func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {}
}

/// Who listens to messages. Told on the main actor.
///
/// It is held weakly, and is to be removed all the same.
@MainActor
public protocol CometChatMessageDelegate: AnyObject, Sendable {
    /// An agent's reply came, as the service keeps it.
    func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage)
    /// What came of a tool came, as the service keeps it.
    func onAIToolResultMessageReceived(_ aiToolResultMessage: AIToolResultMessage)
    /// What an agent passed to tools came, as the service keeps it.
    func onAIToolArgumentsMessageReceived(_ aiToolArgumentMessage: AIToolArgumentMessage)
    /// Moderation made something of a message.
    func onMessageModerated(moderatedMessage: BaseMessage)
    /// A text came.
    func onTextMessageReceived(textMessage: TextMessage)
    /// A file came.
    func onMediaMessageReceived(mediaMessage: MediaMessage)
}

extension CometChatMessageDelegate {
    /// Makes nothing of it.
    public func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage) {}
    /// Makes nothing of it.
    public func onAIToolResultMessageReceived(_ aiToolResultMessage: AIToolResultMessage) {}
    /// Makes nothing of it.
    public func onAIToolArgumentsMessageReceived(
        _ aiToolArgumentMessage: AIToolArgumentMessage
    ) {}
    /// Makes nothing of it.
    public func onMessageModerated(moderatedMessage: BaseMessage) {}
    /// Makes nothing of it.
    public func onTextMessageReceived(textMessage: TextMessage) {}
    /// Makes nothing of it.
    public func onMediaMessageReceived(mediaMessage: MediaMessage) {}
}
