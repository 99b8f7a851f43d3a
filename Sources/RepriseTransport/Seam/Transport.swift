public import RepriseTape

/// The one way to the network.
///
/// Live, recording, replaying, fault-injecting and serving transports are values of this protocol
/// and compose.
public protocol Transport: Sendable {
    /// What a client takes from its transport besides bytes: clock, random values, journal.
    var context: SessionContext { get }

    /// Sends `request` and returns when the head of the final response has come.
    ///
    /// Cancelling the task ends the exchange, also while the body is being read.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - observer: Told everything that happens in the exchange, or nil.
    /// - Returns: The head, and the body as it arrives.
    /// - Throws: ``TransportError`` where no head of a final response came.
    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response

    /// Sends the request for a WebSocket and returns when the head of the final response has come.
    ///
    /// Cancelling the task ends the exchange until then; afterwards ``SocketChannel/end(_:)`` does.
    ///
    /// - Parameters:
    ///   - request: A GET with the headers of an opening handshake (RFC 6455 section 4.1); the
    ///     URL's scheme may be `ws` or `wss`, too. Its paths of secrets hold for messages, its
    ///     limit of silence and its total limit until the response has come.
    ///   - options: What else there is to know.
    ///   - observer: Told everything that happens in the exchange, or nil.
    /// - Returns: The head, and the frames or, where the server refuses, the body.
    /// - Throws: ``TransportError`` where no head of a final response came.
    func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse
}

extension Transport {
    /// Refuses: a transport opens no WebSocket unless it says how.
    public func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        throw TransportError(
            how: .failed, .badRequest, "this transport opens no WebSocket: use one that does")
    }

    /// Sends `request` without an observer.
    public func send(_ request: Request) async throws(TransportError) -> Response {
        try await send(request, observer: nil)
    }
}

/// Told what happens in one exchange, in order and before the app gets any of it.
///
/// A transport calls it from one thread or task at a time, in this order: `request` (where the
/// head left, or at the latest when the exchange fails), `requestBody` for each write,
/// `requestEnd` once the request is out (its absence means the request never left whole),
/// `phases`, `response`, `responseBody` or `decodedBody` for each delivery, and `end` exactly once.
/// On a WebSocket `socketFrame` follows the response of status 101, for each frame of either side
/// as it is on the wire; `responseBody` there is what came from a server and is no frame: all from
/// the first byte on of what a ``WebSocketFrameDecoder`` refuses, or before the end what there is of
/// a frame that did not come whole.
public protocol ExchangeObserver: AnyObject, Sendable {
    /// Something happened at `time`, nanoseconds of the transport's clock.
    func observe(_ content: FrameContent, at time: Int64)

    /// A turn of the transport's loop is over: what was observed in it is about to be handed to
    /// the app. A transport without a loop calls it after each event.
    func commit()
}
