/// The pings of one side that its peer did not answer yet (RFC 6455 section 5.5.3).
public struct WebSocketPings<ID: Sendable>: Sendable {
    /// A ping, by its sender's own name for it.
    public struct Ping: Sendable {
        /// The name, for instance the number of a frame.
        public var id: ID
        /// The application data.
        public var payload: [UInt8]
    }

    /// Those without an answer, in order: a pong would have to follow (rule `ws.W4`).
    public private(set) var unanswered: [Ping] = []

    /// No ping yet.
    public init() {}

    /// The side sent a ping.
    public mutating func sent(_ payload: [UInt8], id: ID) {
        unanswered.append(Ping(id: id, payload: payload))
    }

    /// The peer sent a pong: it answers the latest ping with its bytes and all before that one. A
    /// pong that answers none is no fault.
    public mutating func answered(_ payload: [UInt8]) {
        guard let last = unanswered.lastIndex(where: { $0.payload == payload }) else { return }
        unanswered.removeSubrange(...last)
    }
}
