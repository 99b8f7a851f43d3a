internal import RepriseSupport

/// What is left of a recorded WebSocket that the app opened, and did not play to its end.
public struct UnconsumedTail: Sendable, Hashable, CustomStringConvertible {
    /// The recorded exchange.
    public var exchange: UInt64
    /// The operation that opened it.
    public var call: UInt64?
    /// How many messages and close frames of the client were recorded and not sent.
    public var unsent: Int
    /// How many frames of the server were recorded and not read.
    public var unread: Int
    /// Whether the recorded app went that far by itself: not where the recorder died, and where
    /// the app stopped only for what it sent.
    public var wasNeeded: Bool
    /// The method and URL path of the request.
    public var request: String

    /// What is left, in words.
    public var description: String {
        var left: [String] = []
        if unsent > 0 { left.append(Counted.text(unsent, "message") + " of the client not sent") }
        if unread > 0 { left.append(Counted.text(unread, "frame") + " of the server not read") }
        return "\(request): left over of the recorded exchange \(exchange): "
            + left.joined(separator: ", ")
    }
}
