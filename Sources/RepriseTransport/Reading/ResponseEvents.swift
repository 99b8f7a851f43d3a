public import RepriseWire

/// The server-sent events of a response, each as soon as its bytes have arrived.
///
/// For one reader.
public struct ResponseEvents: AsyncSequence, Sendable {
    /// Something in the stream, with its time.
    public struct Element: Sendable {
        /// An event, a comment, or something odd about the stream.
        public var item: SSEDecoder.Item
        /// When the delivery that completed it arrived, nanoseconds of the transport's clock.
        public var time: Int64
    }

    private let chunks: DecodedBody
    private let form: SSEDecoder.Form

    init(chunks: DecodedBody, form: SSEDecoder.Form) {
        self.chunks = chunks
        self.form = form
    }

    /// Reads the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: DecodedBody.AsyncIterator
        private var decoder: SSEDecoder
        private var pending: [SSEDecoder.Item] = []
        private var position = 0
        private var time: Int64 = 0
        private var isFinished = false

        fileprivate init(chunks: DecodedBody.AsyncIterator, form: SSEDecoder.Form) {
            self.chunks = chunks
            decoder = SSEDecoder(form)
        }

        /// The next item; nil at the end of an exchange that ended complete.
        ///
        /// - Throws: ``TransportError`` as ``DecodedBody``, after every whole event was given; an
        ///   event without its final blank line is none (WHATWG HTML section 9.2.6).
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Element? {
            while position == pending.count {
                if isFinished { return nil }
                position = 0
                if let chunk = try await chunks.next(isolation: actor) {
                    time = chunk.time
                    pending = decoder.push(chunk.bytes)
                } else {
                    isFinished = true
                    pending = decoder.finish()
                }
            }
            position += 1
            return Element(item: pending[position - 1], time: time)
        }

        /// The same, for whoever reads without `for`.
        public mutating func next() async throws(TransportError) -> Element? {
            try await next(isolation: nil)
        }
    }

    /// An iterator with a decoder of its own; the body's position is shared.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: chunks.makeAsyncIterator(), form: form)
    }
}
