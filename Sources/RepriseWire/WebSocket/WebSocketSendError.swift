/// Why a WebSocket takes no more to send, or not this.
public enum WebSocketSendError: Error, Sendable, Hashable, CustomStringConvertible {
    /// This end closed, or failed the connection, before.
    case closed
    /// Text that is not UTF-8.
    case invalidText
    /// A ping or a pong of more than 125 bytes.
    case controlTooLong
    /// A close code that may not be sent (RFC 6455 section 7.4).
    case closeCode
    /// A reason without a code, or of more than 123 bytes.
    case closeReason

    /// The error in words.
    public var description: String {
        switch self {
        case .closed: "the WebSocket is closed"
        case .invalidText: "the text is not UTF-8"
        case .controlTooLong: "a ping or pong has more than 125 bytes"
        case .closeCode: "the close code may not be sent"
        case .closeReason: "the reason has no code, or more than 123 bytes"
        }
    }
}
