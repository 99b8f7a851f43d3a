import RepriseWire

/// The details that come when a reply ends; the service may leave any of it out.
public struct StreamFinishInfo: Sendable, Hashable {
    /// The conversation that the reply belongs to.
    public let conversationId: String?
    /// The agent's final message id.
    public let messageId: String?
    /// The service's id for the user's message.
    public let userMessageId: String?
    /// Who the reply belongs to.
    public let userId: String?
    /// Why the reply ended; nil also for a reason that this version does not know.
    public let finishReason: FinishReason?
    /// Credits used.
    public let usage: Usage?

    /// Creates the details.
    public init(
        conversationId: String? = nil, messageId: String? = nil, userMessageId: String? = nil,
        userId: String? = nil, finishReason: FinishReason? = nil, usage: Usage? = nil
    ) {
        self.conversationId = conversationId
        self.messageId = messageId
        self.userMessageId = userMessageId
        self.userId = userId
        self.finishReason = finishReason
        self.usage = usage
    }

    /// Reads merged metadata.
    ///
    /// - Parameter reason: The reason at the top level of `finish`, which counts where the
    ///   metadata has none: the service's kits look for it in either place.
    init(_ metadata: JSONObject, reason: String?) {
        let text = { (key: String) in metadata[key]?.string }
        self.init(
            conversationId: text("conversationId"), messageId: text("messageId"),
            userMessageId: text("userMessageId"), userId: text("userId"),
            finishReason: (text("finishReason") ?? reason).flatMap(FinishReason.init),
            usage: metadata["usage"]?["credits"]?.double.map { Usage(credits: $0) })
    }
}

extension JSONFields {
    /// Notes what the known keys of metadata hold that is of another type than declared.
    mutating func checkMetadata() {
        for key in JSONFields.metadataTexts { _ = optional(key, .string, \.string) }
        if let usage = object["usage"] {
            _ = nested("usage", usage) { $0.optional("credits", .number, \.double) }
        }
    }

    /// The keys of metadata that hold texts.
    static let metadataTexts = [
        "conversationId", "messageId", "userMessageId", "userId", "finishReason",
    ]
}
