/// A document that an answer rests on.
public struct KnowledgeSource: Codable, Sendable, Hashable {
    /// Its id; the document's id where the service sends none, as in a stream.
    public let id: String
    /// The document.
    public let knowledgeDocument: KnowledgeDocument
    /// Its place among the sources, from 1, where the service says it.
    public let position: Int?

    /// Creates a source.
    public init(id: String, knowledgeDocument: KnowledgeDocument, position: Int? = nil) {
        self.id = id
        self.knowledgeDocument = knowledgeDocument
        self.position = position
    }

    enum CodingKeys: String, CodingKey {
        case id, position
        case knowledgeDocument = "knowledge_document"
    }

    /// Reads a source of a history or of a stream.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        knowledgeDocument = try values.decode(KnowledgeDocument.self, forKey: .knowledgeDocument)
        id = try values.decodeIfPresent(String.self, forKey: .id) ?? knowledgeDocument.id
        position = try values.decodeIfPresent(Int.self, forKey: .position)
    }
}

/// A document of the service's knowledge base.
public struct KnowledgeDocument: Codable, Sendable, Hashable {
    /// Its id.
    public let id: String
    /// Its title.
    public let title: String
    /// Where it is for everyone.
    public let externalLinkUrl: String?
    /// Where it is for members.
    public let internalLinkUrl: String?
    /// Which of the two links to show, where the service says it.
    public let useExternalLink: Bool?

    /// Creates a document.
    public init(
        id: String, title: String, externalLinkUrl: String? = nil, internalLinkUrl: String? = nil,
        useExternalLink: Bool? = nil
    ) {
        self.id = id
        self.title = title
        self.externalLinkUrl = externalLinkUrl
        self.internalLinkUrl = internalLinkUrl
        self.useExternalLink = useExternalLink
    }

    /// The link to show: the one that the service chose, else the external one, else the internal.
    public var url: String? {
        switch useExternalLink {
        case true?: externalLinkUrl
        case false?: internalLinkUrl
        case nil: externalLinkUrl ?? internalLinkUrl
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, title
        case externalLinkUrl = "external_link_url"
        case internalLinkUrl = "internal_link_url"
        case useExternalLink = "use_external_link"
    }
}
