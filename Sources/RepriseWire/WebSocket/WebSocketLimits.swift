/// How much a peer may make an end of a WebSocket hold in memory.
public struct WebSocketLimits: Sendable, Hashable {
    /// How many bytes the payload of a frame may have.
    public var frameBytes: Int
    /// How many bytes a message may have, after inflating.
    public var messageBytes: Int

    /// Limits in bytes; 64 MiB each unless said otherwise.
    public init(frameBytes: Int = 64 << 20, messageBytes: Int = 64 << 20) {
        self.frameBytes = frameBytes
        self.messageBytes = messageBytes
    }
}
