#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Who wrote a message.
public enum MessageSender: String, Codable, Sendable, Hashable {
    /// The user.
    case user
    /// The agent, which the wire calls `assistant`.
    case agent = "assistant"
}

/// What the user thinks of a message.
public enum MessageFeedback: String, Codable, Sendable, Hashable {
    /// It was good.
    case positive
    /// It was bad.
    case negative
}

/// A message of a conversation, or the agent's reply.
public struct Message: Identifiable, Sendable, Hashable {
    /// Its id; empty where the service named none.
    public let id: String
    /// All its text joined.
    public let text: String
    /// Who wrote it.
    public let sender: MessageSender
    /// When it was written, where the service says it: always nil for a reply just streamed.
    public let date: Date?
    /// What the user thinks of it.
    public let feedback: MessageFeedback?
    /// The service's score, where it has one.
    public let score: Double?
    /// Its pieces in order: text, tool calls and tool results.
    public let parts: [MessagePart]

    /// Creates a message.
    public init(
        id: String, text: String, sender: MessageSender, date: Date? = nil,
        feedback: MessageFeedback? = nil, score: Double? = nil, parts: [MessagePart] = []
    ) {
        self.id = id
        self.text = text
        self.sender = sender
        self.date = date
        self.feedback = feedback
        self.score = score
        self.parts = parts
    }
}

extension Message: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, role, parts, createdAt, feedback, metadata
    }

    private struct Metadata: Codable {
        var score: Double?
    }

    /// Reads a message of a history. Parts of an unknown type are left out, unless the decoder's
    /// user info asks for the service's iOS kit, which cannot read such a message.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let parts = try values.decode([LenientPart].self, forKey: .parts).compactMap(\.value)
        self.init(
            id: try values.decode(String.self, forKey: .id), text: parts.text,
            sender: try values.decode(MessageSender.self, forKey: .role),
            date: try values.decodeIfPresent(Double.self, forKey: .createdAt).map {
                Date(timeIntervalSince1970: $0)
            },
            feedback: try values.decodeIfPresent(MessageFeedback.self, forKey: .feedback),
            score: try values.decodeIfPresent(Metadata.self, forKey: .metadata)?.score,
            parts: parts)
    }

    /// Writes a message as a history has it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(sender, forKey: .role)
        try values.encode(parts, forKey: .parts)
        try values.encodeIfPresent(date?.timeIntervalSince1970, forKey: .createdAt)
        try values.encodeIfPresent(feedback, forKey: .feedback)
        if let score { try values.encode(Metadata(score: score), forKey: .metadata) }
    }
}

/// A part, or nothing for one of a type that this version does not know.
struct LenientPart: Decodable {
    let value: MessagePart?

    init(from decoder: any Decoder) throws {
        let isStrict = CodingUserInfoKey.isStrict.flatMap { decoder.userInfo[$0] as? Bool }
        value =
            isStrict == true ? try MessagePart(from: decoder) : try? MessagePart(from: decoder)
    }
}

extension [MessagePart] {
    /// All text joined.
    var text: String {
        compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }
}

extension CodingUserInfoKey {
    /// Whether documents are read as the service's iOS kit reads them.
    static let isStrict = CodingUserInfoKey(rawValue: "reprise.chatbase.isStrict")

    /// The user info of a decoder that reads as the service's iOS kit does.
    static var strictInfo: [CodingUserInfoKey: any Sendable] {
        isStrict.map { [$0: true] } ?? [:]
    }
}
