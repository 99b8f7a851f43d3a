public import RepriseTape
public import RepriseWire

/// What a transport has to know of a WebSocket besides the request that asks for it.
public struct SocketOptions: Sendable {
    /// How much the peer may make this end hold.
    public var limits: WebSocketLimits
    /// Whether a whole message, in either direction, only keeps the connection alive: a replay
    /// neither waits for such a message of the client nor compares it.
    public var isKeepAlive: @Sendable (WebSocketMessage) -> Bool
    /// What a server says to such a message, for a replay whose recording has no answer to one: an
    /// app that waits for longer than the recorded one did asks more often.
    public var keepAliveAnswer: String?
    /// How long the closing may take, from the first close frame on: nanoseconds.
    public var closeLimit: Int64

    /// Options; by default 64 MiB for a frame and a message, no message keeps alive, and 10 s to
    /// close.
    public init(
        limits: WebSocketLimits = WebSocketLimits(), closeLimit: Int64 = 10_000_000_000,
        keepAliveAnswer: String? = nil,
        isKeepAlive: @escaping @Sendable (WebSocketMessage) -> Bool = { _ in false }
    ) {
        self.limits = limits
        self.closeLimit = closeLimit
        self.keepAliveAnswer = keepAliveAnswer
        self.isKeepAlive = isKeepAlive
    }
}

/// What became of the request for a WebSocket (RFC 6455 section 4).
public struct SocketResponse: Sendable {
    /// How the connection goes on.
    public enum Outcome: Sendable {
        /// Status 101: from here on both sides send frames.
        case switched(any SocketChannel)
        /// Any other status: HTTP goes on with the response's body.
        case refused(ResponseBody)
    }

    /// Status and headers of the final response as received.
    public var head: ResponseRecord
    /// How the connection goes on.
    public var outcome: Outcome

    /// A response.
    public init(head: ResponseRecord, outcome: Outcome) {
        self.head = head
        self.outcome = outcome
    }
}

/// What the peer sent on a WebSocket, and when it arrived.
public struct SocketDelivery: Sendable, Hashable {
    /// The frame, or what is wrong with the bytes where one should begin.
    public var item: WebSocketFrameDecoder.Item
    /// When its last byte arrived, nanoseconds of the transport's clock.
    public var time: Int64

    /// A delivery.
    public init(_ item: WebSocketFrameDecoder.Item, time: Int64) {
        self.item = item
        self.time = time
    }
}

/// The frames of an open WebSocket in both directions, for one reader and one writer at a time.
///
/// It knows nothing of messages, pings or the closing handshake: ``WebSocketEndpoint`` does, which
/// ``WebSocket`` runs over it. Not reading on holds the peer back; dropping the channel cancels.
public protocol SocketChannel: AnyObject, Sendable {
    /// The peer's next frame or fault; nil once its bytes ended in order (a FIN), which the channel
    /// does not take for an end: that is told by ``end(_:)``.
    ///
    /// - Throws: ``TransportError`` where the connection broke; then the exchange has ended.
    func next() async throws(TransportError) -> SocketDelivery?

    /// Sends frames in order and returns when the system has them. The transport masks them
    /// (RFC 6455 section 5.3).
    ///
    /// - Throws: ``TransportError`` where the connection broke; then the exchange has ended.
    func send(_ frames: [WebSocketFrame]) async throws(TransportError)

    /// Tells the peer that nothing more will be sent (a FIN), and goes on reading.
    func finishSending()

    /// Disconnects and ends the exchange as `record` says, if it has not ended.
    func end(_ record: EndRecord)
}
