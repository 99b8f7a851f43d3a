internal import RepriseTape
internal import RepriseWire

/// How a recorded handshake is answered to another client.
struct HandshakeAnswer {
    var head: ResponseRecord
    /// Whether messages were deflated and cannot be now.
    var isRecoded = false

    init(_ exchange: Recording.Exchange, to request: Request) {
        head = exchange.answer(to: request)
        let recorded = try? WebSocketAgreement(
            request: exchange.request.headers, response: head.headers)
        // What the server did wrong it does wrong again.
        guard let recorded else { return }
        if agreement(for: request, without: "sec-websocket-protocol")?.deflate != recorded.deflate {
            head.headers = head.headers.without("sec-websocket-extensions")
            isRecoded = recorded.deflate != nil
        }
        let chosen = agreement(for: request, without: "sec-websocket-extensions")
        if chosen?.subprotocol != recorded.subprotocol {
            head.headers = head.headers.without("sec-websocket-protocol")
        }
    }

    private func agreement(for request: Request, without name: String) -> WebSocketAgreement? {
        try? WebSocketAgreement(request: request.headers, response: head.headers.without(name))
    }
}

extension Headers {
    fileprivate func without(_ name: String) -> Headers {
        Headers(fields.filter { $0.name.description.lowercased() != name })
    }
}
