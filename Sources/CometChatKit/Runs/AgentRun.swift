public import RepriseWire

/// A run of an agent, as far as it has come.
public struct AgentRun: Sendable, Hashable {
    /// What tells it from others: `runId`, else the id of its events.
    public var key: Int64?
    /// The agent.
    public var agent: String
    /// The thread that it belongs to.
    public var threadId = ""
    /// The conversation that it belongs to.
    public var conversationId = ""
    /// Whether its first event was the one that begins a run.
    public var hasStarted = false
    /// Whether the event that ends a run came.
    public var isFinished = false
    /// Whether the socket was lost before that, so that events may be missing.
    public var isCut = false
    /// All its text, as the deltas brought it.
    public var text = ""
    /// The tools that it called, in order.
    public var tools: [Tool] = []
    /// The cards that it made, in order.
    public var cards: [Card] = []
    /// Its persisted messages, in the order in which they came.
    public var messages: [Persisted] = []
    /// When its first event arrived, nanoseconds of the transport's clock.
    public var startTime: Int64?
    /// When the last of its events and messages arrived.
    public var lastTime: Int64?

    /// A run of which nothing has come.
    package init(key: Int64? = nil, agent: String) {
        self.key = key
        self.agent = agent
    }

    /// A call of a tool.
    public struct Tool: Identifiable, Sendable, Hashable {
        /// Its id.
        public var id: String
        /// The tool's name.
        public var name = ""
        /// The tool's name for people.
        public var displayName = ""
        /// What to show while it runs.
        public var executionText = ""
        /// The JSON text of its arguments, as far as it has come.
        public var arguments = ""
        /// Whether its arguments are complete.
        public var hasEnded = false
        /// What came of it; nil as long as nothing did.
        public var result: String?
    }

    /// A card.
    public struct Card: Identifiable, Sendable, Hashable {
        /// Its id.
        public var id: String
        /// What to show while it is made.
        public var executionText = ""
        /// The card; nil as long as it has not come.
        public var card: JSONObject?
        /// Whether its stream has ended.
        public var hasEnded = false
    }

    /// A message that the service keeps of the run.
    public struct Persisted: Sendable, Hashable {
        /// The message.
        public var message: ChatMessage
        /// Whether it was fetched after the socket had been lost.
        public var isRecovered: Bool
    }
}

extension AgentRun {
    /// The agent's reply as the service keeps it; nil as long as it has not come.
    public var reply: ChatMessage? {
        messages.last { $0.message.agenticKind == .assistant }?.message
    }

    /// The persisted messages that are to come and have not: `assistant`, and of each tool that was
    /// called `tool-arguments ID` and, where its result was streamed, `tool-result ID`.
    public var missing: [String] {
        let kept = messages.map(\.message)
        var missing: [String] = []
        for tool in tools {
            let hasArguments = kept.contains { message in
                message.agenticKind == .toolArguments
                    && message.toolCalls.contains { $0.id == tool.id }
            }
            if !hasArguments { missing.append("tool-arguments \(tool.id)") }
            let hasResult = kept.contains {
                $0.agenticKind == .toolResult && $0.toolCallId == tool.id
            }
            if tool.result != nil, !hasResult { missing.append("tool-result \(tool.id)") }
        }
        return reply == nil ? missing + ["assistant"] : missing
    }

    /// Whether nothing more is to come.
    public var isComplete: Bool { isFinished && missing.isEmpty }
}

extension AgentRun {
    /// Takes one of its events in.
    package mutating func take(_ event: AgentEvent, at time: Int64) {
        if startTime == nil {
            startTime = time
            hasStarted = event.kind == .runStarted
        }
        lastTime = time
        if !event.threadId.isEmpty { threadId = event.threadId }
        if !event.conversationId.isEmpty { conversationId = event.conversationId }
        switch event.kind {
        case .textMessageContent: text += event.delta ?? ""
        case .toolCallStart, .toolCallArgs, .toolCallEnd, .toolCallResult: takeTool(event)
        case .cardStart, .card, .cardEnd: takeCard(event)
        case .runFinished: isFinished = true
        default: break
        }
    }

    private mutating func takeTool(_ event: AgentEvent) {
        let place = tools.place(of: Tool(id: event.toolCallId))
        if !event.toolCallName.isEmpty { tools[place].name = event.toolCallName }
        if !event.displayName.isEmpty { tools[place].displayName = event.displayName }
        if !event.executionText.isEmpty { tools[place].executionText = event.executionText }
        switch event.kind {
        case .toolCallArgs: tools[place].arguments += event.delta ?? ""
        case .toolCallEnd:
            tools[place].hasEnded = true
            if !event.arguments.isEmpty { tools[place].arguments = event.arguments }
        case .toolCallResult: tools[place].result = event.content
        default: break
        }
    }

    private mutating func takeCard(_ event: AgentEvent) {
        let place = cards.place(of: Card(id: event.cardId))
        switch event.kind {
        case .cardStart: cards[place].executionText = event.executionText
        case .card: cards[place].card = event.card
        default: cards[place].hasEnded = true
        }
    }

    /// Takes one of its persisted messages in.
    package mutating func take(_ message: ChatMessage, isRecovered: Bool, at time: Int64) {
        lastTime = time
        if !message.threadId.isEmpty, threadId.isEmpty { threadId = message.threadId }
        if !message.conversationId.isEmpty { conversationId = message.conversationId }
        messages.append(Persisted(message: message, isRecovered: isRecovered))
    }
}

extension Array where Element: Identifiable {
    /// Where the element with the id of `fresh` is, which is appended where there is none.
    fileprivate mutating func place(of fresh: Element) -> Int {
        if let place = firstIndex(where: { $0.id == fresh.id }) { return place }
        append(fresh)
        return count - 1
    }
}
