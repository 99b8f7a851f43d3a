import RepriseWire

/// A card began.
public final class AIAssistantCardStartedEvent: AIAssistantBaseEvent {
    /// The card's id.
    public var cardId: String { event.cardId }
    /// What to show while it is made.
    public var executionText: String { event.executionText }
    /// The streaming message that owns the card.
    public var streamMessageId: String { event.streamMessageId }
}

/// A whole card came.
public final class AIAssistantCardReceivedEvent: AIAssistantBaseEvent {
    /// The card's id, as when it began.
    public var cardId: String { event.cardId }
    /// The streaming message that owns the card.
    public var streamMessageId: String { event.streamMessageId }

    /// The whole card; nil where the event has none.
    public func getCard() -> [String: Any]? { event.card?.any }
}

/// A card's stream ended.
public final class AIAssistantCardEndedEvent: AIAssistantBaseEvent {
    /// The card's id, as when it began.
    public var cardId: String { event.cardId }
    /// The streaming message that owns the card.
    public var streamMessageId: String { event.streamMessageId }
}
