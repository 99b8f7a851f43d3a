#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a conversation is.
public enum ConversationStatus: String, Codable, Sendable, Hashable {
    /// It goes on.
    case ongoing
    /// It is over.
    case ended
    /// A human has taken it over.
    case takenOver = "taken_over"
    /// It is paused.
    case paused
}

/// A conversation.
public struct Conversation: Identifiable, Codable, Sendable, Hashable {
    /// Its id.
    public let id: String
    /// Its title, where it has one.
    public let title: String?
    /// When it began, in seconds since 1970 on the wire.
    public let createdAt: Date
    /// When it last changed, in seconds since 1970 on the wire.
    public let updatedAt: Date
    /// Who it belongs to.
    public let userId: String?
    /// Where it is; a status that this version does not know counts as `ongoing`.
    public let status: ConversationStatus

    /// Creates a conversation.
    public init(
        id: String, title: String? = nil, createdAt: Date, updatedAt: Date, userId: String? = nil,
        status: ConversationStatus = .ongoing
    ) {
        self.id = id
        self.title = title
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.userId = userId
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, createdAt, updatedAt, userId, status
    }

    /// Reads a conversation of a list.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let date = { (key: CodingKeys) in
            Date(timeIntervalSince1970: try values.decode(Double.self, forKey: key))
        }
        let status = try values.decodeIfPresent(String.self, forKey: .status) ?? ""
        self.init(
            id: try values.decode(String.self, forKey: .id),
            title: try values.decodeIfPresent(String.self, forKey: .title),
            createdAt: try date(.createdAt), updatedAt: try date(.updatedAt),
            userId: try values.decodeIfPresent(String.self, forKey: .userId),
            status: ConversationStatus(rawValue: status) ?? .ongoing)
    }

    /// Writes a conversation as a list has it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encode(createdAt.timeIntervalSince1970, forKey: .createdAt)
        try values.encode(updatedAt.timeIntervalSince1970, forKey: .updatedAt)
        try values.encodeIfPresent(userId, forKey: .userId)
        try values.encode(status, forKey: .status)
    }
}

/// Where a page is in a list.
public struct Pagination: Codable, Sendable, Hashable {
    /// What to ask the next page with.
    public let cursor: String?
    /// Whether there is a next page.
    public let hasMore: Bool
    /// How many things the whole list has, where the service says it.
    public let total: Int?

    /// Creates a place in a list.
    public init(cursor: String? = nil, hasMore: Bool, total: Int? = nil) {
        self.cursor = cursor
        self.hasMore = hasMore
        self.total = total
    }
}

/// A page of a list.
public struct Page<Element: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// What is on it.
    public let data: [Element]
    /// Where it is in the list.
    public let pagination: Pagination

    /// Creates a page.
    public init(data: [Element], pagination: Pagination) {
        self.data = data
        self.pagination = pagination
    }
}
