internal import RepriseTape
public import RepriseTransport
internal import RepriseWire

extension CurlTransport {
    /// Asks for a WebSocket and returns when the head of the final response has come.
    ///
    /// The request goes out as HTTP/1.1 through the same proxy, and with the same authorities for
    /// TLS, as others; a plain one goes through its proxy in a tunnel. `Host` and, with user info
    /// in the URL, `Authorization` are added where they are missing.
    ///
    /// Over TLS ``SocketChannel/finishSending()`` says nothing to the peer: libcurl cannot close
    /// one direction of TLS (RFC 8446 section 6.1), and the close frame before it has said it all.
    /// The bytes of a frame that the end cut are told with it; of bytes that are no frame, the first
    /// MiB.
    ///
    /// - Parameters:
    ///   - request: A GET without a body whose URL is of `ws`, `wss`, `http` or `https`.
    ///   - options: The limit of a frame is taken from it.
    ///   - observer: Told everything that happens, on the transport's thread; a request that
    ///     cannot be sent at all is told from the caller's task.
    /// - Returns: The head, and the frames or, where the server refuses, the body. Dropping either
    ///   cancels the exchange.
    /// - Throws: ``TransportError`` where no head of a final response came; nothing is thrown
    ///   before the observer was told `request` and `end`.
    public func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        let began = context.clock.now()
        let (socket, inbox): (SocketExchange, Inbox)
        do {
            (socket, inbox) = try post(request, options, observer, began)
        } catch {
            request.refuse(error, at: began, to: observer, for: .websocket)
            throw error
        }
        // Posted before the handler is set, since that may run at once.
        let result = await withTaskCancellationHandler {
            await socket.exchange.handoff.head()
        } onCancel: {
            inbox.post(.cancel(socket.id))
        }
        let head = try result.get()
        if head.status == 101 {
            return SocketResponse(
                head: head, outcome: .switched(CurlSocket(socket, inbox: inbox)))
        }
        let body = ResponseBody(CurlBody(socket.exchange, inbox: inbox))
        return SocketResponse(head: head, outcome: .refused(body))
    }

    private func post(
        _ request: Request, _ options: SocketOptions, _ observer: (any ExchangeObserver)?,
        _ began: Int64
    ) throws(TransportError) -> (SocketExchange, Inbox) {
        guard request.method == "GET", request.body.isEmpty else {
            throw TransportError(
                how: .failed, .badRequest, "a WebSocket is asked for with a GET without a body")
        }
        let url = request.url.withSchemeOfHTTP
        let (exchange, inbox) = try makeExchange(
            request, url: url, for: .websocket, observer, began)
        guard let head = HandshakeHead(request, url: url) else {
            throw TransportError(
                how: .failed, .badRequest, "the URL holds what no request can say: check it")
        }
        let socket = SocketExchange(
            exchange: exchange, url: url, head: head, frames: makeHandoff(),
            limits: options.limits)
        guard inbox.post(.open(socket)) else { throw .transportReleased }
        return (socket, inbox)
    }
}

extension String {
    /// The URL with `http` for `ws` and `https` for `wss` (RFC 6455 section 3).
    fileprivate var withSchemeOfHTTP: String {
        let scheme = prefix { $0 != ":" }
        switch scheme.lowercased() {
        case "ws": return "http" + dropFirst(2)
        case "wss": return "https" + dropFirst(3)
        default: return self
        }
    }
}
