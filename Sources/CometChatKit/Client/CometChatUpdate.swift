/// Something that a session saw, in the order in which it did.
public enum CometChatUpdate: Sendable, Hashable {
    /// A live event of an agent.
    case event(ReceivedEvent)
    /// A message that the service keeps: an agent's, or anybody's.
    case message(ReceivedMessage)
    /// What moderation made of a message of this session.
    case moderated(ReceivedMessage)
    /// The socket is open and let in; whether it was before.
    case connected(again: Bool)
    /// The socket was lost, and the keys of the runs that were cut by that.
    case disconnected(CometChatException, cutRuns: [Int64])
    /// What was missed meanwhile is fetched, and has been told as messages: their ids.
    case recovered(messages: [Int64])
    /// What was missed could not be fetched.
    case recoveryFailed(CometChatException)
}

/// A live event, and when it came.
public struct ReceivedEvent: Sendable, Hashable {
    /// The event.
    public let event: AgentEvent
    /// The agent; empty where the frame does not say.
    public let agent: String
    /// What tells its run from others.
    public let run: Int64?
    /// When it arrived, nanoseconds of the transport's clock.
    public let time: Int64
}

/// A message, and when and how it came.
public struct ReceivedMessage: Sendable, Hashable {
    /// The message.
    public let message: ChatMessage
    /// What tells its run from others, if it is an agent's.
    public let run: Int64?
    /// Whether it was fetched after the socket had been lost.
    public let isRecovered: Bool
    /// When it arrived, nanoseconds of the transport's clock.
    public let time: Int64
}

/// What comes of a message to an agent, as it comes.
public enum AgentRunUpdate: Sendable, Hashable {
    /// The service took the message.
    case sent(ChatMessage)
    /// A live event of the run.
    case event(ReceivedEvent)
    /// A persisted message of the run.
    case message(ReceivedMessage)
    /// What moderation made of the message.
    case moderated(ModerationStatus?)
    /// The socket was lost while the run went on.
    case cut
}
