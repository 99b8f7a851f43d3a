import RepriseWire

/// An answer as its chunks make it, in the order of a chunk's keys: ids, title, content, full
/// content, status, agent, sources, tools, follow-ups.
public struct AgoMessageState: Sendable, Hashable {
    /// The answer's id; the first one that came stands.
    public private(set) var messageId: String?
    /// The conversation's id; the first one that came stands.
    public private(set) var threadId: String?
    /// The conversation's title.
    public private(set) var title: String?
    /// The text so far.
    public private(set) var text = ""
    /// The last status, with `done`, `error` and `canceled` standing against later statuses that
    /// end nothing.
    public private(set) var status: AgoStatus?
    /// Who answers.
    public private(set) var agent: Agent?
    /// What the answer rests on.
    public private(set) var knowledgeSources: [KnowledgeSource] = []
    /// Each tool call's last event, in the order of their first ones.
    public private(set) var tools: [AgoToolEvent] = []
    /// Questions to offer next.
    public private(set) var followUpReplies: [String] = []
    /// The client functions that the turn waits for, while it waits.
    public private(set) var waitingToolCallIds: [String] = []

    /// Joins characters whose two halves came in two chunks.
    private var joiner = SurrogateJoiner()

    /// An answer of which nothing has come.
    public init() {}

    /// Whether nothing more of the answer's text is to come.
    public var isFinished: Bool { status?.isTerminal ?? false }

    /// What a chunk did to the text.
    public enum TextChange: Sendable, Hashable {
        /// Nothing.
        case none
        /// It was continued by that.
        case appended(String)
        /// It was replaced; `new` is what the new text has beyond the old one, or all of it where
        /// it does not begin with the old one.
        case replaced(new: String)
    }

    /// Takes a chunk in.
    @discardableResult
    public mutating func apply(_ chunk: AgoChunk) -> TextChange {
        messageId = messageId ?? chunk.messageId
        threadId = threadId ?? chunk.threadId
        title = chunk.title ?? title
        var change = applyText(chunk)
        applyStatus(chunk)
        if isFinished { endText(&change) }
        agent = chunk.agent ?? agent
        knowledgeSources = chunk.knowledgeSources ?? knowledgeSources
        if let tool = chunk.tool { applyTool(tool) }
        followUpReplies = chunk.followUpReplies ?? followUpReplies
        return change
    }

    private mutating func applyText(_ chunk: AgoChunk) -> TextChange {
        let content = joiner.push(chunk.content ?? "", chunk.contentSurrogates).text
        guard let full = chunk.fullContent else {
            text += content
            return content.isEmpty ? .none : .appended(content)
        }
        joiner = SurrogateJoiner()
        let old = text
        text = full
        // By bytes: comparing characters would take canonically equal texts for the same, and a
        // combining mark for a part of what came before.
        guard full.utf8.starts(with: old.utf8) else { return .replaced(new: full) }
        let new = String(Substring(full.utf8.dropFirst(old.utf8.count)))
        return new.isEmpty ? .none : .replaced(new: new)
    }

    /// A half of a character that no other half can follow any more is told as U+FFFD.
    private mutating func endText(_ change: inout TextChange) {
        let rest = joiner.finish().text
        guard !rest.isEmpty else { return }
        text += rest
        switch change {
        case .none: change = .appended(rest)
        case .appended(let new): change = .appended(new + rest)
        case .replaced(let new): change = .replaced(new: new + rest)
        }
    }

    private mutating func applyStatus(_ chunk: AgoChunk) {
        guard let new = chunk.status else { return }
        let stands = isFinished && status != .waitingClient
        if new.isTerminal || !stands { status = new }
        if status == .waitingClient {
            waitingToolCallIds = chunk.waitingToolCallIds ?? waitingToolCallIds
        } else {
            waitingToolCallIds = []
        }
    }

    /// A call is known by its id. A client function's bare state has none: it is the same call as
    /// an event of the same name and arguments, whichever came first.
    private mutating func applyTool(_ event: AgoToolEvent) {
        let bare = tools.firstIndex { $0.id == nil && $0.isSameFunction(as: event) }
        guard let id = event.id else {
            if let bare {
                tools[bare] = event
            } else if !tools.contains(where: { $0.isSameFunction(as: event) }) {
                tools.append(event)
            }
            return
        }
        if let known = tools.firstIndex(where: { $0.id == id }) {
            tools[known] = event
            if let bare { tools.remove(at: bare) }
        } else if let bare {
            tools[bare] = event
        } else {
            tools.append(event)
        }
    }
}
