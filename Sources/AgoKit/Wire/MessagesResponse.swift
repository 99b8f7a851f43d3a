/// A conversation with its messages.
public struct MessagesResponse: Codable, Sendable, Hashable {
    /// The messages, oldest first.
    public let messages: [Message]
    /// The conversation.
    public let thread: Thread

    /// Creates a response.
    public init(messages: [Message], thread: Thread) {
        self.messages = messages
        self.thread = thread
    }

    enum CodingKeys: String, CodingKey {
        case messages, thread
    }

    /// Reads `{messages, thread}`, or a conversation that holds its messages itself.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        messages = try values.decode([Message].self, forKey: .messages)
        thread =
            values.contains(.thread)
            ? try values.decode(Thread.self, forKey: .thread) : try Thread(from: decoder)
    }
}
