import RepriseTape
import RepriseTransport
import RepriseWire

/// The items of one stream of a reply, in the order they come.
///
/// For one reader.
final class StreamReader {
    private var events: ResponseEvents.AsyncIterator
    private let isStrict: Bool

    /// Reads a response.
    ///
    /// - Throws: ``ChatError/decodingFailed(_:)`` where it is no event stream.
    init(_ response: Response, mode: ChatbaseOptions.Mode) throws(ChatError) {
        isStrict = mode == .strict
        if let type = response.head.headers.mediaType, type != "text/event-stream" {
            throw .decodingFailed("it is of another type of content than an event stream")
        }
        events = response.events(isStrict ? .dataLines : .standard).makeAsyncIterator()
    }

    /// The next item; nil where the stream ended in order.
    func next(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(TransportError) -> StreamItem? {
        while let element = try await events.next(isolation: isolation) {
            guard case .event(let event) = element.item else { continue }
            // The service's iOS kit reads no names of events.
            return isStrict ? StreamItem(data: event.data) : StreamItem(event)
        }
        return nil
    }
}
