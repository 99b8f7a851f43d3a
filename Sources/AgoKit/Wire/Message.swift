/// A message of a conversation.
public struct Message: Codable, Sendable, Hashable {
    /// Its id; empty where a stream named none.
    public let id: String
    /// Its text.
    public let content: String
    /// Who wrote it: `assistant` or `user`.
    public let role: String
    /// The agent that answered.
    public let agent: Agent?
    /// What the answer rests on.
    public let knowledgeSources: [KnowledgeSource]?
    /// Where it is, where the service says it.
    public let status: AgoStatus?
    /// The conversation that it belongs to; for an answer, what to pass with the next message.
    public let threadId: String?
    /// The conversation's title, where it came with the answer.
    public let title: String?
    /// Questions to offer next.
    public let followUpReplies: [String]?
    /// When it was written, as the service writes it.
    public let createdAt: String?

    /// Creates a message.
    public init(
        id: String, content: String, role: String, agent: Agent?,
        knowledgeSources: [KnowledgeSource]?, status: AgoStatus? = nil, threadId: String? = nil,
        title: String? = nil, followUpReplies: [String]? = nil, createdAt: String? = nil
    ) {
        self.id = id
        self.content = content
        self.role = role
        self.agent = agent
        self.knowledgeSources = knowledgeSources
        self.status = status
        self.threadId = threadId
        self.title = title
        self.followUpReplies = followUpReplies
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id, content, role, agent, status, title
        case knowledgeSources = "knowledge_sources"
        case threadId = "thread_id"
        case followUpReplies = "follow_up_replies"
        case createdAt = "created_at"
    }
}

extension Message {
    /// The answer that a stream has made so far.
    init(_ state: AgoMessageState) {
        self.init(
            id: state.messageId ?? "", content: state.text, role: "assistant", agent: state.agent,
            knowledgeSources: state.knowledgeSources.isEmpty ? nil : state.knowledgeSources,
            status: state.status, threadId: state.threadId, title: state.title,
            followUpReplies: state.followUpReplies.isEmpty ? nil : state.followUpReplies)
    }
}
