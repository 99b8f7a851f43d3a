public import RepriseWire

/// A message as the service keeps it: the body of a `message` frame, the answer to sending one, an
/// entry of a history.
public struct ChatMessage: Sendable, Hashable {
    /// `id`, a number or a numeric string.
    public var id: Int64?
    /// `muid`, the sender's own id for it.
    public var muid = ""
    /// `conversationId`
    public var conversationId = ""
    /// `parentId`, the message that a thread belongs to.
    public var parentId: Int64?
    /// `sender`: a user's id.
    public var sender = ""
    /// `receiver`: a user's or a group's id.
    public var receiver = ""
    /// `receiverType`: `user` or `group`.
    public var receiverType = ""
    /// `category`, e.g. `message`, `agentic`, `card`.
    public var category = ""
    /// `type`, e.g. `text`, `assistant`, `tool-result`, `tool-arguments`.
    public var type = ""
    /// `sentAt`, seconds since 1970.
    public var sentAt: Int64?
    /// `data.text`
    public var text = ""
    /// `data.runId`, a number or a numeric string.
    public var runId: Int64?
    /// `data.threadId`
    public var threadId = ""
    /// `data.toolCallId` of a tool's result.
    public var toolCallId = ""
    /// `data.toolCalls` of a tool's arguments.
    public var toolCalls: [ToolCall] = []
    /// `data.elements` of an agent's reply: its texts and cards in order; nil where there are none.
    public var elements: [Element]?
    /// `data.moderation.status`
    public var moderation: ModerationStatus?
    /// The message as it came.
    public var body = JSONObject()
    /// Members of another type than declared, with paths from the message.
    public var mismatches: [JSON.Mismatch] = []

    /// A call of a tool, as an agent's message keeps it.
    public struct ToolCall: Sendable, Hashable {
        /// `id`
        public var id = ""
        /// `type`, e.g. `function`.
        public var type = ""
        /// `displayName`
        public var displayName = ""
        /// `executionText`
        public var executionText = ""
        /// `function.name`
        public var name = ""
        /// `function.arguments`: a JSON text.
        public var arguments = ""
    }

    /// A block of an agent's reply.
    public struct Element: Sendable, Hashable {
        /// `type`, e.g. `text` or `card`.
        public var type: String
        /// `value`: a text; of a card `{"cardId":…,"card":…}`; nil where there is none.
        public var value: JSON?

        /// The id of the card, if it is one.
        public var cardId: String? { type == "card" ? value?["cardId"]?.string : nil }
        /// The text, if it is one.
        public var text: String? { type == "text" ? value?.string : nil }
    }

    /// What an agent's message is.
    public enum AgenticKind: Sendable, Hashable {
        /// Its reply.
        case assistant
        /// What came of a tool.
        case toolResult
        /// What it passed to tools.
        case toolArguments
    }

    /// What it is, if it is an agent's; the names of the types in other spellings count, too.
    public var agenticKind: AgenticKind? {
        guard category == "agentic" else { return nil }
        switch type {
        case "assistant": return .assistant
        case "tool-result", "toolResult", "tool-results", "toolResults": return .toolResult
        case "tool-arguments", "toolArguments", "tool-argument", "toolArgument":
            return .toolArguments
        default: return nil
        }
    }

    /// All its text: that of its elements joined, else its plain text.
    public var plainText: String {
        guard let elements, !elements.isEmpty, text.isEmpty else { return text }
        return elements.compactMap(\.text).joined()
    }

    init() {}
}
