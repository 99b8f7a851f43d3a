internal import RepriseTape
internal import RepriseWire

/// A response's body with its content coding undone, chunk by chunk as it arrives.
///
/// Each delivery gives one chunk at once, whatever of it can be decoded; nothing is held back.
/// For one reader.
public struct DecodedBody: AsyncSequence, Sendable {
    /// Bytes that arrived together, decoded.
    public struct Chunk: Sendable, Hashable {
        /// The decoded bytes, never empty.
        public var bytes: [UInt8]
        /// When they arrived, nanoseconds of the transport's clock.
        public var time: Int64

        /// Creates a chunk.
        public init(bytes: [UInt8], time: Int64) {
            self.bytes = bytes
            self.time = time
        }
    }

    private let codings: [String]
    private let body: ResponseBody

    init(codings: [String], body: ResponseBody) {
        self.codings = codings
        self.body = body
    }

    /// Reads the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var stage: DecodingStage
        private var source: ResponseBody.AsyncIterator

        fileprivate init(codings: [String], body: ResponseBody) {
            stage = DecodingStage(codings: codings)
            source = body.makeAsyncIterator()
        }

        /// The next chunk; nil at the end of an exchange that ended complete.
        ///
        /// - Throws: ``TransportError``: how the exchange ended, or `transport.contentCoding`
        ///   where what came is not of the coding that the head names or stops inside it. All that
        ///   could be decoded was given before.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Chunk? {
            while true {
                if let chunk = try stage.next() { return chunk }
                if stage.isFinished { return nil }
                if let delivery = try await source.next(isolation: actor) {
                    stage.push(delivery)
                } else {
                    stage.finish()
                }
            }
        }

        /// The same, for whoever reads without `for`.
        public mutating func next() async throws(TransportError) -> Chunk? {
            try await next(isolation: nil)
        }
    }

    /// An iterator with a decoder of its own; the body's position is shared.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(codings: codings, body: body)
    }
}

extension TransportError.Code {
    /// The body is not of the coding that its head names, or stops inside it.
    public static let contentCoding = TransportError.Code(rawValue: "transport.contentCoding")
    /// The body is longer than what was asked for.
    public static let tooLarge = TransportError.Code(rawValue: "transport.tooLarge")
}
