/// What went over a WebSocket.
public struct SocketResult: Sendable, Hashable {
    /// Whether messages may be deflated.
    public var isDeflated: Bool
    /// What the app sent.
    public var client: Side
    /// What the server sent.
    public var server: Side

    /// What one side sent.
    public struct Side: Sendable, Hashable {
        /// Frames of every kind.
        public var frames = 0
        /// Whole messages.
        public var messages = 0
        /// Bytes of the frames' payloads, as they crossed the wire.
        public var wireBytes = 0
        /// Bytes of the messages.
        public var bytes = 0
        /// Whether it closed.
        public var isClosed = false
        /// The code of its close frame.
        public var closeCode: Int?

        /// Nothing yet.
        public init() {}
    }
}
