extension WebSocketHandshake {
    /// A server's answer to a handshake (RFC 6455 section 4.2).
    public struct Answer: Sendable, Hashable {
        /// The headers of the response; its status is 101.
        public var headers: Headers
        /// What was agreed on.
        public var agreement: WebSocketAgreement
    }

    /// A server's answer to a request: it takes the first subprotocol that it has, and the first
    /// offer for deflating that is valid.
    ///
    /// - Parameters:
    ///   - subprotocols: Those that the server has.
    ///   - deflate: What the server prefers for deflated messages; nil to have none.
    /// - Throws: Why the request is refused, with the status to refuse it with.
    public static func answer(
        method: String, headers: Headers, subprotocols: [String] = [],
        deflate: PerMessageDeflate? = PerMessageDeflate()
    ) throws(WebSocketHandshakeError) -> Answer {
        let key = try check(method: method, headers)
        var answer = Answer(
            headers: [
                "Upgrade": "websocket", "Connection": "Upgrade", Field.accept: accept(for: key),
            ], agreement: WebSocketAgreement())
        if let chosen = headers.tokens(Field.subprotocol).first(where: subprotocols.contains) {
            answer.agreement.subprotocol = chosen
            answer.headers.append(Field.subprotocol, chosen)
        }
        if let deflate, let offer = try PerMessageDeflate.Offer.all(in: headers).first {
            let (agreed, element) = deflate.answer(to: offer)
            answer.agreement.deflate = agreed
            answer.headers.append(Field.extensions, element.text)
        }
        return answer
    }

    /// The request's key.
    private static func check(
        method: String, _ headers: Headers
    ) throws(WebSocketHandshakeError) -> String {
        guard method == "GET" else {
            throw WebSocketHandshakeError(.request, "the request is not a GET")
        }
        try headers.checkUpgrade(of: "the request")
        guard headers.all(Field.version) == ["13"] else {
            throw WebSocketHandshakeError(.version, "the request is not for version 13")
        }
        let keys = headers.all(Field.key)
        guard keys.count == 1, isKey(keys[0]) else {
            throw WebSocketHandshakeError(
                .key, "the request has no Sec-WebSocket-Key of 16 bytes")
        }
        return keys[0]
    }
}
