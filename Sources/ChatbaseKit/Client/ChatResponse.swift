/// A finished reply.
public struct ChatResponse: Codable, Sendable, Hashable {
    /// The agent's reply: the text of every stream joined, with the id of the last message.
    public let message: Message
    /// The conversation: what to pass with the next message; empty where the service named none.
    public let conversationId: String
    /// The service's id for the user's message.
    public let userMessageId: String?
    /// Why the reply ended; `stop` where the service does not say.
    public let finishReason: FinishReason
    /// What the last stream of the reply cost, as the service's own kits have it; 0 credits where
    /// the service does not say.
    public let usage: Usage

    /// Creates a response.
    public init(
        message: Message, conversationId: String, userMessageId: String? = nil,
        finishReason: FinishReason = .stop, usage: Usage = Usage(credits: 0)
    ) {
        self.message = message
        self.conversationId = conversationId
        self.userMessageId = userMessageId
        self.finishReason = finishReason
        self.usage = usage
    }
}
