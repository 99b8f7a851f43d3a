public import RepriseTape

/// A response: its head, and its body as it arrives.
public struct Response: Sendable {
    /// Status and headers as received.
    public var head: ResponseRecord
    /// The body, read once.
    public var body: ResponseBody

    /// Creates a response.
    public init(head: ResponseRecord, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// Bytes that arrived together.
public struct Delivery: Sendable, Hashable {
    /// After transfer coding and, unless `isDecoded`, before content coding.
    public var bytes: [UInt8]
    /// When they arrived, nanoseconds of the transport's clock.
    public var time: Int64
    /// Whether the transport has undone the content coding.
    public var isDecoded: Bool

    /// Creates a delivery.
    public init(bytes: [UInt8], time: Int64, isDecoded: Bool = false) {
        self.bytes = bytes
        self.time = time
        self.isDecoded = isDecoded
    }
}

/// A response's body: the deliveries as they come, for one reader.
///
/// The sequence ends only where the exchange ended `complete`; every other end throws its
/// ``TransportError``. Not reading on holds the peer back; dropping the body cancels the exchange.
public struct ResponseBody: AsyncSequence, Sendable {
    /// Where deliveries come from.
    public protocol Source: AnyObject, Sendable {
        /// The next delivery, or nil at the proven or unproven but orderly end.
        func next() async throws(TransportError) -> Delivery?
        /// Ends the exchange if it has not ended. Called more than once is harmless.
        func cancel()
    }

    private let source: any Source

    /// A body that reads from `source`.
    public init(_ source: any Source) { self.source = source }

    /// Ends the exchange if it has not ended.
    public func cancel() { source.cancel() }

    /// Reads the deliveries.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: any Source

        /// The next delivery; nil at the end.
        public mutating func next() async throws(TransportError) -> Delivery? {
            try await source.next()
        }

        /// The next delivery; nil at the end. The isolation is of no matter to it.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Delivery? {
            try await source.next()
        }
    }

    /// The iterator; all iterators of a body share one position.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }
}
