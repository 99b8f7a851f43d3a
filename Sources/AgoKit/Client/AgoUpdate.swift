/// The state of an answer after one chunk of its stream.
public struct AgoUpdate: Sendable, Hashable {
    /// The answer so far.
    public let state: AgoMessageState
    /// What the chunk did to the text.
    public let textChange: AgoMessageState.TextChange
    /// What the chunk said about a tool.
    public let tool: AgoToolEvent?

    /// The whole text so far.
    public var text: String { state.text }
    /// What the chunk added to the text; where it replaced the text, what is new in it.
    public var delta: String {
        switch textChange {
        case .none: ""
        case .appended(let text), .replaced(let text): text
        }
    }
    /// Whether more of the answer is being made: what a typing indicator shows.
    public var isProcessing: Bool { !state.isFinished }
    /// The last status.
    public var status: AgoStatus? { state.status }
    /// The answer's id.
    public var messageId: String? { state.messageId }
    /// The conversation's id: what to pass with the next message.
    public var threadId: String? { state.threadId }
    /// The conversation's title.
    public var title: String? { state.title }
    /// Who answers.
    public var agent: Agent? { state.agent }
    /// What the answer rests on.
    public var knowledgeSources: [KnowledgeSource] { state.knowledgeSources }
    /// Questions to offer next.
    public var followUpReplies: [String] { state.followUpReplies }
    /// Each tool call's last event.
    public var tools: [AgoToolEvent] { state.tools }
    /// The client functions that the turn waits for, while its status is `waitingClient`.
    public var waitingToolCallIds: [String] { state.waitingToolCallIds }
    /// The answer so far as a message.
    public var message: Message { Message(state) }
}
