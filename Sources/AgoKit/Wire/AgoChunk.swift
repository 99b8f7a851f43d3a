public import RepriseWire

/// One chunk of an answer's stream: a bag of keys, each optional, several of which may come
/// together.
public struct AgoChunk: Sendable, Hashable {
    /// `message_id`: the id of the answer.
    public var messageId: String?
    /// `thread.id`: the id of the conversation.
    public var threadId: String?
    /// `title`: the conversation's title, made once near the end of its first turn.
    public var title: String?
    /// `content`: text to append.
    public var content: String?
    /// `full_content`: text that replaces all that came before.
    public var fullContent: String?
    /// `status` of the message; in a tool event that key is the tool's and is in ``tool``.
    public var status: AgoStatus?
    /// `agent`: who answers.
    public var agent: Agent?
    /// `knowledge_sources`: replaces the list so far.
    public var knowledgeSources: [KnowledgeSource]?
    /// What the chunk says about a tool.
    public var tool: AgoToolEvent?
    /// `follow_up_replies`: questions to offer next.
    public var followUpReplies: [String]?
    /// `waiting_tool_call_ids`: the client functions that a paused turn waits for.
    public var waitingToolCallIds: [String]?
    /// `satisfaction_feedback`, as it came.
    public var satisfactionFeedback: JSON?
    /// `ask_to_talk_to_human`
    public var asksForHuman: Bool?
    /// Surrogate escapes of `content` without partner, whose partner may be in another chunk.
    public var contentSurrogates: [JSON.LoneSurrogate] = []
    /// Members of another type than declared; they count as absent.
    public var mismatches: [Mismatch] = []
    /// Members that this version does not know.
    public var others = JSONObject()

    /// An empty chunk.
    public init() {}

    /// Reads a chunk from a parsed text; nil where that is no object.
    public init?(_ document: JSON.Document) {
        guard let object = document.value.object else { return nil }
        self.init(object)
        contentSurrogates = document.loneSurrogates(at: JSONPath([.key("content")]))
    }

    /// Reads a chunk. Never fails: what cannot be read is in ``mismatches`` or ``others``.
    public init(_ object: JSONObject) {
        var fields = JSONFields(object)
        let isTool = AgoChunk.isTool(object)
        for member in object.members {
            if isTool, readTool(member.key, member.value, &fields) { continue }
            if read(member.key, member.value, &fields) { continue }
            if readAnswer(member.key, member.value, &fields) { continue }
            others[member.key] = member.value
        }
        if isTool { finishTool(object) }
        mismatches = fields.mismatches
    }

    /// A member that has another type than declared.
    public typealias Mismatch = JSON.Mismatch
}

extension AgoChunk {
    /// Reads the keys of the message itself; false where `key` is none.
    private mutating func read(_ key: String, _ value: JSON, _ fields: inout JSONFields) -> Bool {
        switch key {
        case "message_id": messageId = fields.optional(key, value, .string, \.string)
        case "thread":
            threadId = fields.nested(key, value) { $0.required("id", .string, \.string) }
        case "title": title = fields.optional(key, value, .string, \.string)
        case "content": content = fields.optional(key, value, .string, \.string)
        case "full_content": fullContent = fields.optional(key, value, .string, \.string)
        case "status":
            status = fields.optional(key, value, .string, \.string).map { AgoStatus($0) }
        case "agent": agent = fields.nested(key, value) { $0.agent() }
        default: return false
        }
        return true
    }

    /// Reads the keys of what goes with an answer; false where `key` is none.
    private mutating func readAnswer(
        _ key: String, _ value: JSON, _ fields: inout JSONFields
    ) -> Bool {
        switch key {
        case "knowledge_sources": knowledgeSources = fields.sources(key, value)
        case "follow_up_replies": followUpReplies = fields.list(key, value, .string, \.string)
        case "waiting_tool_call_ids":
            waitingToolCallIds = fields.list(key, value, .string, \.string)
        case "satisfaction_feedback": satisfactionFeedback = fields.any(value)
        case "ask_to_talk_to_human": asksForHuman = fields.optional(key, value, .bool, \.bool)
        default: return false
        }
        return true
    }
}
