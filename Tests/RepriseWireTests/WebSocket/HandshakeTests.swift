import RepriseWire
import Testing

struct HandshakeTests {
    static let nonce = Array("the sample nonce".utf8)

    static func response(_ extra: [(String, String)] = []) -> Headers {
        var headers: Headers = [
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        ]
        for (name, value) in extra { headers.append(name, value) }
        return headers
    }

    @Test func followsTheExampleOfTheRFC() throws {
        let handshake = WebSocketHandshake(
            nonce: Self.nonce, subprotocols: ["chat", "superchat"], offers: [])
        #expect(handshake.key == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(
            handshake.requestHeaders == [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Protocol": "chat, superchat",
            ])
        #expect(
            WebSocketHandshake.accept(for: handshake.key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let agreement = try handshake.validate(
            status: 101, headers: Self.response([("Sec-WebSocket-Protocol", "chat")]))
        #expect(agreement == WebSocketAgreement(subprotocol: "chat"))
    }

    static let refused: [(Int, Headers, WebSocketHandshakeError.Kind)] = [
        (200, response(), .status),
        (401, [:], .status),
        (101, ["Connection": "Upgrade"], .upgrade),
        (101, ["Upgrade": "h2c", "Connection": "Upgrade"], .upgrade),
        (101, ["Upgrade": "websocket"], .connection),
        (101, ["Upgrade": "websocket", "Connection": "close"], .connection),
        (101, ["Upgrade": "websocket", "Connection": "Upgrade"], .accept),
        (
            101,
            [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOp=",
            ], .accept
        ),
        (101, response([("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")]), .accept),
        (101, response([("Sec-WebSocket-Protocol", "other")]), .subprotocol),
        (101, response([("Sec-WebSocket-Protocol", "Chat")]), .subprotocol),
        (101, response([("Sec-WebSocket-Protocol", "chat, chat")]), .subprotocol),
        (
            101,
            response([("Sec-WebSocket-Protocol", "chat"), ("Sec-WebSocket-Protocol", "chat")]),
            .subprotocol
        ),
        (101, response([("Sec-WebSocket-Extensions", "x-other")]), .extensions),
        (101, response([("Sec-WebSocket-Extensions", "permessage-deflate;;")]), .extensions),
        (
            101,
            response([("Sec-WebSocket-Extensions", "permessage-deflate, permessage-deflate")]),
            .extensions
        ),
    ]

    @Test(arguments: refused)
    func refusesAResponse(status: Int, headers: Headers, kind: WebSocketHandshakeError.Kind) {
        let handshake = WebSocketHandshake(nonce: Self.nonce, subprotocols: ["chat"])
        let error = #expect(throws: WebSocketHandshakeError.self) {
            try handshake.validate(status: status, headers: headers)
        }
        #expect(error?.kind == kind)
        #expect(error?.description.contains("s3pP") == false)
    }

    @Test func takesAnyCaseAndOtherUpgrades() throws {
        let headers: Headers = [
            "upgrade": "WebSocket", "CONNECTION": "keep-alive", "connection": "close, UPGRADE",
            "sec-websocket-accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        ]
        let handshake = WebSocketHandshake(nonce: Self.nonce)
        #expect(try handshake.validate(status: 101, headers: headers) == WebSocketAgreement())
    }

    @Test func answersARequest() throws {
        let handshake = WebSocketHandshake(nonce: Self.nonce, subprotocols: ["a", "b", "c"])
        let answer = try WebSocketHandshake.answer(
            method: "GET", headers: handshake.requestHeaders, subprotocols: ["c", "b"])
        #expect(
            answer.headers == [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                "Sec-WebSocket-Protocol": "b", "Sec-WebSocket-Extensions": "permessage-deflate",
            ])
        #expect(try handshake.validate(status: 101, headers: answer.headers) == answer.agreement)
        #expect(
            answer.agreement
                == WebSocketAgreement(subprotocol: "b", deflate: PerMessageDeflate()))
        #expect(
            try WebSocketAgreement(
                request: handshake.requestHeaders, response: answer.headers) == answer.agreement)
    }

    static let refusedRequests: [(String, String, String?, WebSocketHandshakeError.Kind, Int)] = [
        ("POST", "", nil, .request, 400),
        ("GET", "Upgrade", nil, .upgrade, 400),
        ("GET", "Connection", nil, .connection, 400),
        ("GET", "Connection", "close", .connection, 400),
        ("GET", "Sec-WebSocket-Version", nil, .version, 426),
        ("GET", "Sec-WebSocket-Version", "8", .version, 426),
        ("GET", "Sec-WebSocket-Key", nil, .key, 400),
        ("GET", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", .key, 400),
        ("GET", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j", .key, 400),
        ("GET", "Sec-WebSocket-Key", "!", .key, 400),
        ("GET", "Sec-WebSocket-Extensions", "a b", .extensions, 400),
    ]

    @Test(arguments: refusedRequests)
    func refusesARequest(
        method: String, field: String, value: String?, kind: WebSocketHandshakeError.Kind,
        status: Int
    ) {
        var headers = WebSocketHandshake(nonce: Self.nonce).requestHeaders
        headers.fields.removeAll { $0.name.description == field }
        if let value { headers.append(field, value) }
        let error = #expect(throws: WebSocketHandshakeError.self) {
            try WebSocketHandshake.answer(method: method, headers: headers)
        }
        #expect(error?.kind == kind)
        #expect(error?.status == status)
    }
}
