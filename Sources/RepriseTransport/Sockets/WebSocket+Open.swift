internal import RepriseTape
public import RepriseWire

extension WebSocket {
    /// How much of the body of a refusal is kept.
    private static let refusalLimit = 64 << 10

    /// Opens a WebSocket (RFC 6455 section 4.1).
    ///
    /// The handshake's key is drawn from the system and not recorded: a replay answers the key
    /// that it is asked with.
    ///
    /// - Parameters:
    ///   - request: The URL and the app's own headers; those of the handshake follow them.
    ///   - subprotocols: What to offer, most-wanted first.
    ///   - offers: How messages may be deflated, most-wanted first; empty for not at all.
    ///   - options: Limits, and what only keeps the connection alive.
    ///   - transport: What to run over.
    ///   - observer: Told everything that happens in the exchange, or nil.
    /// - Throws: ``WebSocketError``: `transport`, `refused` or `handshake`.
    public static func open(
        _ request: Request, subprotocols: [String] = [],
        offers: [PerMessageDeflate.Offer] = [PerMessageDeflate.Offer()],
        options: SocketOptions = SocketOptions(), over transport: any Transport,
        observer: (any ExchangeObserver)? = nil
    ) async throws(WebSocketError) -> WebSocket {
        let handshake = WebSocketHandshake(
            nonce: nonce(), subprotocols: subprotocols, offers: offers)
        let response = try await connect(
            Request(request, for: handshake), options, transport, observer)
        switch response.outcome {
        case .refused(let body):
            let response = Response(head: response.head, body: body)
            throw .refused(response.head, body: await beginning(of: response))
        case .switched(let channel):
            let agreement = try agreement(of: handshake, response.head, channel)
            return WebSocket(
                head: response.head, agreement: agreement,
                driver: SocketDriver(
                    channel, agreement, options: options, context: transport.context))
        }
    }

    private static func nonce() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<16).map { _ in random.next() }
    }

    private static func connect(
        _ request: Request, _ options: SocketOptions, _ transport: any Transport,
        _ observer: (any ExchangeObserver)?
    ) async throws(WebSocketError) -> SocketResponse {
        do throws(TransportError) {
            return try await transport.connect(request, options: options, observer: observer)
        } catch {
            throw .transport(error)
        }
    }

    private static func agreement(
        of handshake: WebSocketHandshake, _ head: ResponseRecord, _ channel: any SocketChannel
    ) throws(WebSocketError) -> WebSocketAgreement {
        do throws(WebSocketHandshakeError) {
            return try handshake.validate(status: head.status, headers: head.headers)
        } catch {
            let error = WebSocketError.handshake(error)
            channel.end(error.endRecord)
            throw error
        }
    }

    /// What can be read of the body of a refusal, which may break off as any other.
    private static func beginning(of response: Response) async -> [UInt8] {
        var bytes: [UInt8] = []
        var chunks = response.decoded.makeAsyncIterator()
        while let chunk = try? await chunks.next() {
            bytes += chunk.bytes.prefix(refusalLimit - bytes.count)
            if bytes.count == refusalLimit {
                response.body.cancel()
                break
            }
        }
        return bytes
    }
}

extension Request {
    /// A request with a handshake's headers behind its own.
    fileprivate init(_ request: Request, for handshake: WebSocketHandshake) {
        self = request
        method = "GET"
        body = []
        headers = Headers(headers.fields + handshake.requestHeaders.fields)
    }
}
