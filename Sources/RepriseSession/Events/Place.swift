/// Where something stands on a tape.
public struct Place: Sendable, Hashable {
    /// The exchange; 0 is the session itself.
    public var exchange: UInt64
    /// The number of the frame; nil where no single frame shows it.
    public var frame: UInt64?
    /// Byte offset in the decoded stream of the exchange; nil outside a body.
    public var offset: UInt64?
    /// Nanoseconds since the session's start.
    public var time: Int64?

    /// A place.
    public init(
        exchange: UInt64 = 0, frame: UInt64? = nil, offset: UInt64? = nil, time: Int64? = nil
    ) {
        self.exchange = exchange
        self.frame = frame
        self.offset = offset
        self.time = time
    }

    /// The same place, at another offset of the stream.
    public func at(offset: UInt64?) -> Place {
        var place = self
        place.offset = offset
        return place
    }
}
