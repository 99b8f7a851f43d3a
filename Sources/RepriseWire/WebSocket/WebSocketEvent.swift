/// What one side of a WebSocket said.
public enum WebSocketEvent: Sendable, Hashable {
    /// A message ended.
    case message(WebSocketMessage)
    /// A ping, to be answered by a pong with the same bytes.
    case ping([UInt8])
    /// A pong.
    case pong([UInt8])
    /// The side closed: with a code, or without one and so without a reason.
    case close(WebSocketCloseCode?, reason: String)
    /// The side broke the protocol.
    case violation(WebSocketViolation)
    /// A message that cannot be told, because one before it did not inflate and its sender's
    /// window goes on; the numbers of its first and last frame.
    case unreadable(frames: ClosedRange<Int>)
}
