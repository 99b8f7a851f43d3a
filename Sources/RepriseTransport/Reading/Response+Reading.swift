internal import RepriseTape
public import RepriseWire

extension Response {
    /// The body with its content coding undone, as it arrives.
    public var decoded: DecodedBody {
        DecodedBody(codings: head.headers.contentCodings, body: body)
    }

    /// The body as server-sent events, as they arrive.
    public var events: ResponseEvents { events(.standard) }

    /// The body as server-sent events, as a kit reads them.
    ///
    /// - Parameter form: How lines make events.
    public func events(_ form: SSEDecoder.Form) -> ResponseEvents {
        ResponseEvents(chunks: decoded, form: form)
    }

    /// The whole body with its content coding undone.
    ///
    /// - Parameter limit: How many decoded bytes are accepted, by default 64 MiB.
    /// - Throws: ``TransportError`` as ``DecodedBody``, or `transport.tooLarge` for a longer body,
    ///   whose exchange is then ended.
    public func collected(limit: Int = 64 << 20) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunks = decoded.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard chunk.bytes.count <= limit - bytes.count else {
                body.cancel()
                throw TransportError(
                    how: .failed, .tooLarge,
                    "the response's body is longer than the \(limit) bytes that were asked for")
            }
            bytes += chunk.bytes
        }
        return bytes
    }
}
