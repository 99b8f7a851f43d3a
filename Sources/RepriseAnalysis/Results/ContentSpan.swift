/// Content of one kind that came without a pause. Times are nanoseconds since the stream's t0.
public struct ContentSpan: Sendable, Hashable {
    /// So many spans of a stream are kept.
    public static let limit = 200

    /// What came.
    public var kind: Kind
    /// When its first piece came.
    public var start: Int64
    /// When its last piece came.
    public var end: Int64
    /// How many pieces.
    public var pieces: Int
    /// UTF-8 bytes of them; of a card, 0.
    public var bytes: Int

    /// What content is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// What the agent thinks.
        case reasoning
        /// Text of the answer.
        case text
        /// Arguments of a tool call.
        case arguments
        /// An output to be shown that is no text.
        case card
    }
}

/// A gap that is too long.
public struct StallResult: Sendable, Hashable {
    /// When the last thing before it came, nanoseconds since the stream's t0.
    public var start: Int64
    /// Its length, in nanoseconds, without the time in which the app held the stream.
    public var length: Int64
    /// Whether heartbeats arrived in it; else nothing did.
    public var hasHeartbeats: Bool
}
