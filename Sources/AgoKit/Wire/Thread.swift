/// A conversation.
public struct Thread: Codable, Sendable, Hashable {
    /// Its id.
    public let id: String
    /// Its title; none before the first turn has made one.
    public let title: String?
    /// When its last message came, as the service writes it.
    public let lastMessageDate: String?
    /// When it began, as the service writes it.
    public let createdAt: String?

    /// Creates a conversation.
    public init(
        id: String, title: String? = nil, lastMessageDate: String? = nil, createdAt: String? = nil
    ) {
        self.id = id
        self.title = title
        self.lastMessageDate = lastMessageDate
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id, title
        case lastMessageDate = "last_message_date"
        case createdAt = "created_at"
    }

    /// The name that the service's web interface has for `last_message_date`.
    private enum OtherKeys: String, CodingKey {
        case lastMessageAt = "last_message_at"
    }

    /// Reads a conversation; its last date under either of its two names.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let others = try decoder.container(keyedBy: OtherKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        lastMessageDate =
            try values.decodeIfPresent(String.self, forKey: .lastMessageDate)
            ?? others.decodeIfPresent(String.self, forKey: .lastMessageAt)
        createdAt = try values.decodeIfPresent(String.self, forKey: .createdAt)
    }
}
