/// The two ends of a WebSocket.
public enum WebSocketRole: String, Sendable, Hashable, CaseIterable {
    /// The end that asked for the connection, and masks what it sends.
    case client
    /// The end that was asked.
    case server

    /// The other end.
    public var peer: WebSocketRole { self == .client ? .server : .client }
}
