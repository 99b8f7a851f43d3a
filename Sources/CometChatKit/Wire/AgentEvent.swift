public import RepriseWire

/// A live event of an agent's run: the body of a streamed frame, whose keys are all optional.
public struct AgentEvent: Sendable, Hashable {
    /// What it is about; nil where the body has no `type`, in which case the vendor's clients drop
    /// it, as they do one of an unknown kind.
    public var kind: AgentEventKind?
    /// `type` as it was written.
    public var type = ""
    /// `id`, a number or a numeric string.
    public var id: Int64?
    /// `conversationId`
    public var conversationId = ""
    /// `parentId`, the message that a thread belongs to.
    public var parentId = ""
    /// `data.runId`, a number or a numeric string.
    public var runId: Int64?
    /// `data.threadId`
    public var threadId = ""
    /// `data.timestamp`
    public var timestamp: Int64?
    /// `data.streamMessageId`: of a text, a card or a tool's result.
    public var streamMessageId = ""
    /// `data.role`: who speaks.
    public var role = ""
    /// `data.streamParentMessageId` of a tool call that begins.
    public var streamParentMessageId = ""
    /// `data.toolCallId`
    public var toolCallId = ""
    /// `data.toolCallName`
    public var toolCallName = ""
    /// `data.displayName` of a tool.
    public var displayName = ""
    /// `data.executionText`: what to show while a tool runs or a card is made.
    public var executionText = ""
    /// `data.arguments`: the JSON text of all arguments of a tool call.
    public var arguments = ""
    /// `data.delta`: a piece of a text or of the JSON text of arguments; nil where it is missing.
    public var delta: String?
    /// Surrogate escapes of `delta` without partner, whose partner may be in another event.
    public var deltaSurrogates: [JSON.LoneSurrogate] = []
    /// `data.content`: a tool's output.
    public var content = ""
    /// `data.cardId`
    public var cardId = ""
    /// `data.card`: a whole card.
    public var card: JSONObject?
    /// `data.messageId` of a text that ends.
    public var messageId = ""
    /// `data.type` of a text that ends.
    public var innerType = ""
    /// Whether there is a `data`.
    public var hasData = false
    /// The body as it came.
    public var body = JSONObject()
    /// Members of another type than declared, with paths from the body.
    public var mismatches: [JSON.Mismatch] = []

    /// An event of a kind without anything else.
    public init(_ kind: AgentEventKind) {
        self.kind = kind
        type = kind.rawValue
    }

    init() {}

    /// What tells its run from others: `data.runId` where it is there and not 0, else `id`.
    public var runKey: Int64? {
        if let runId, runId != 0 { return runId }
        return id
    }

    /// What the events of a text have in common: the id of its message, else that of its run.
    public var textKey: String {
        streamMessageId.isEmpty ? runKey.map { "run \($0)" } ?? "" : streamMessageId
    }

    /// Keys of `data` without which an event of its kind says nothing, in the order of the wire's
    /// description.
    public var missing: [String] {
        switch kind {
        case .toolCallStart, .toolCallEnd, .toolCallResult:
            toolCallId.isEmpty ? ["toolCallId"] : []
        case .toolCallArgs:
            (toolCallId.isEmpty ? ["toolCallId"] : []) + (delta == nil ? ["delta"] : [])
        case .cardStart, .cardEnd: cardId.isEmpty ? ["cardId"] : []
        case .card: (cardId.isEmpty ? ["cardId"] : []) + (card == nil ? ["card"] : [])
        case .textMessageContent: delta == nil ? ["delta"] : []
        default: []
        }
    }
}
