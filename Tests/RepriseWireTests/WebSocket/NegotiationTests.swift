import RepriseWire
import Testing

/// RFC 7692 section 7.1: what may be offered, answered and agreed on.
struct NegotiationTests {
    typealias Offer = PerMessageDeflate.Offer

    /// Offers of a client, the response of a server, and what follows: the agreement as
    /// `server window, client window` with `!` where the window is not kept, or nil for a refusal.
    static let responses: [([Offer], String, String?)] = [
        ([Offer()], "permessage-deflate", "15 15"),
        ([Offer()], "permessage-deflate; client_max_window_bits=9", "15 9"),
        ([Offer()], "permessage-deflate; client_max_window_bits=\"9\"", "15 9"),
        ([Offer()], " permessage-deflate ;\tclient_max_window_bits = 8 ,", "15 8"),
        ([Offer()], "permessage-deflate; client_max_window_bits=15", "15 15"),
        ([Offer()], "permessage-deflate; client_max_window_bits", nil),
        ([Offer()], "permessage-deflate; client_max_window_bits=7", nil),
        ([Offer()], "permessage-deflate; client_max_window_bits=16", nil),
        ([Offer()], "permessage-deflate; client_max_window_bits=09", nil),
        ([Offer()], "permessage-deflate; client_max_window_bits=+9", nil),
        ([Offer()], "permessage-deflate; client_max_window_bits=\"\"", nil),
        ([Offer()], "permessage-deflate; server_max_window_bits=8", "8 15"),
        ([Offer()], "permessage-deflate; server_max_window_bits", nil),
        ([Offer()], "permessage-deflate; server_no_context_takeover", "15! 15"),
        ([Offer()], "permessage-deflate; client_no_context_takeover", "15 15!"),
        ([Offer()], "permessage-deflate; client_no_context_takeover=1", nil),
        (
            [Offer()],
            "permessage-deflate; client_no_context_takeover; client_no_context_takeover", nil
        ),
        ([Offer()], "permessage-deflate; unknown", nil),
        ([Offer()], "Permessage-Deflate", nil),
        ([Offer()], "permessage-deflate; Client_Max_Window_Bits=9", nil),
        ([Offer(clientWindow: .fixed)], "permessage-deflate", "15 15"),
        ([Offer(clientWindow: .fixed)], "permessage-deflate; client_max_window_bits=15", nil),
        ([Offer(clientWindow: .atMost(10))], "permessage-deflate", "15 10"),
        (
            [Offer(clientWindow: .atMost(10))],
            "permessage-deflate; client_max_window_bits=9", "15 9"
        ),
        (
            [Offer(clientWindow: .atMost(10))],
            "permessage-deflate; client_max_window_bits=11", nil
        ),
        ([Offer(serverMaxWindowBits: 10)], "permessage-deflate", nil),
        (
            [Offer(serverMaxWindowBits: 10)],
            "permessage-deflate; server_max_window_bits=10", "10 15"
        ),
        (
            [Offer(serverMaxWindowBits: 10)],
            "permessage-deflate; server_max_window_bits=9", "9 15"
        ),
        (
            [Offer(serverMaxWindowBits: 10)],
            "permessage-deflate; server_max_window_bits=11", nil
        ),
        ([Offer(serverNoContextTakeover: true)], "permessage-deflate", nil),
        (
            [Offer(serverNoContextTakeover: true)],
            "permessage-deflate; server_no_context_takeover", "15! 15"
        ),
        ([Offer(clientNoContextTakeover: true)], "permessage-deflate", "15 15!"),
        ([Offer(serverMaxWindowBits: 9), Offer()], "permessage-deflate", "15 15"),
        (
            [Offer(serverMaxWindowBits: 9, clientWindow: .fixed), Offer(serverMaxWindowBits: 12)],
            "permessage-deflate; server_max_window_bits=12; client_max_window_bits=12", "12 12"
        ),
        ([], "permessage-deflate", nil),
        ([Offer()], "x-webkit-deflate-frame", nil),
        ([Offer()], "", "none"),
        ([], "", "none"),
    ]

    @Test(arguments: responses)
    func judgesAResponse(offers: [Offer], response: String, agreed: String?) throws {
        let handshake = WebSocketHandshake(nonce: filler(16), offers: offers)
        var headers: Headers = [
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Accept": WebSocketHandshake.accept(for: handshake.key),
        ]
        if !response.isEmpty { headers.append("Sec-WebSocket-Extensions", response) }
        guard let agreed else {
            let error = #expect(throws: WebSocketHandshakeError.self) {
                try handshake.validate(status: 101, headers: headers)
            }
            #expect(error?.kind == .extensions)
            return
        }
        let agreement = try handshake.validate(status: 101, headers: headers)
        #expect(agreement.deflate.short == agreed)
        #expect(
            try WebSocketAgreement(request: handshake.requestHeaders, response: headers)
                == agreement)
    }

    /// Requests, what the server prefers, its answer, and the agreement.
    static let requests: [(String, PerMessageDeflate, String?, String)] = [
        ("permessage-deflate", PerMessageDeflate(), "permessage-deflate", "15 15"),
        (
            "permessage-deflate; client_max_window_bits", PerMessageDeflate(),
            "permessage-deflate", "15 15"
        ),
        (
            "permessage-deflate; client_max_window_bits",
            PerMessageDeflate(serverMaxWindowBits: 11, clientMaxWindowBits: 10),
            "permessage-deflate; server_max_window_bits=11; client_max_window_bits=10", "11 10"
        ),
        (
            "permessage-deflate; client_max_window_bits=9",
            PerMessageDeflate(clientMaxWindowBits: 10),
            "permessage-deflate; client_max_window_bits=9", "15 9"
        ),
        (
            "permessage-deflate", PerMessageDeflate(clientMaxWindowBits: 10),
            "permessage-deflate", "15 15"
        ),
        (
            "permessage-deflate; server_max_window_bits=10", PerMessageDeflate(),
            "permessage-deflate; server_max_window_bits=10", "10 15"
        ),
        (
            "permessage-deflate; server_max_window_bits=15", PerMessageDeflate(),
            "permessage-deflate; server_max_window_bits=15", "15 15"
        ),
        (
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
            PerMessageDeflate(),
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
            "15! 15!"
        ),
        (
            "permessage-deflate; server_max_window_bits, permessage-deflate", PerMessageDeflate(),
            "permessage-deflate", "15 15"
        ),
        (
            "x-other; a=\"b\", permessage-deflate; client_max_window_bits=77, permessage-deflate",
            PerMessageDeflate(serverNoContextTakeover: true),
            "permessage-deflate; server_no_context_takeover", "15! 15"
        ),
        (
            "permessage-deflate; server_max_window_bits=\"8\"", PerMessageDeflate(),
            "permessage-deflate; server_max_window_bits=8", "8 15"
        ),
        ("permessage-deflate; unknown=1", PerMessageDeflate(), nil, "none"),
        ("x-other", PerMessageDeflate(), nil, "none"),
    ]

    @Test(arguments: requests)
    func answersAnOffer(
        request: String, preferred: PerMessageDeflate, answer: String?, agreed: String
    ) throws {
        var headers = WebSocketHandshake(nonce: filler(16), offers: []).requestHeaders
        headers.append("Sec-WebSocket-Extensions", request)
        let response = try WebSocketHandshake.answer(
            method: "GET", headers: headers, deflate: preferred)
        #expect(response.headers.first("Sec-WebSocket-Extensions") == answer)
        #expect(response.agreement.deflate.short == agreed)
        let without = try WebSocketHandshake.answer(
            method: "GET", headers: headers, deflate: nil)
        #expect(without.agreement == WebSocketAgreement())
        #expect(
            try WebSocketAgreement(request: headers, response: response.headers)
                == response.agreement)
    }

    static let malformed = [
        "permessage-deflate;", "permessage-deflate; =", "permessage-deflate; a=", "a b",
        "permessage-deflate; a=\"b", "permessage-deflate; a=\"b c\"", "permessage-deflate; a=\"",
        "permessage-deflate; a=\"\\", "permessage-deflate; a=\"\"", "=", ";", "\u{e9}",
        "permessage-deflate; a==b", "a; b=c d",
    ]

    @Test(arguments: malformed)
    func refusesAListThatIsNone(list: String) {
        let headers: Headers = ["Sec-WebSocket-Extensions": list]
        let error = #expect(throws: WebSocketHandshakeError.self) {
            try WebSocketAgreement(request: headers, response: [:])
        }
        #expect(error?.kind == .extensions)
    }

    /// Every offer that can be made, answered by every server, is understood alike at both ends.
    @Test func bothEndsAgree() throws {
        var count = 0
        for offer in Self.allOffers {
            let handshake = WebSocketHandshake(nonce: filler(16), offers: [offer])
            let request = handshake.requestHeaders
            for preferred in Self.allPreferences {
                let answer = try WebSocketHandshake.answer(
                    method: "GET", headers: request, deflate: preferred)
                let agreement = try handshake.validate(status: 101, headers: answer.headers)
                #expect(agreement == answer.agreement)
                count += 1
            }
        }
        #expect(count == 4 * 4 * 5 * 4 * 3 * 3)
    }

    static let allOffers: [Offer] = [false, true].flatMap { server in
        [false, true].flatMap { client in
            [nil, 8, 12, 15].flatMap { bits in
                [.fixed, .open, .atMost(8), .atMost(11), .atMost(15)].map { window in
                    Offer(
                        serverNoContextTakeover: server, clientNoContextTakeover: client,
                        serverMaxWindowBits: bits, clientWindow: window)
                }
            }
        }
    }

    static let allPreferences: [PerMessageDeflate] = [false, true].flatMap { server in
        [false, true].flatMap { client in
            [8, 10, 15].flatMap { serverBits in
                [8, 10, 15].map { clientBits in
                    PerMessageDeflate(
                        serverNoContextTakeover: server, clientNoContextTakeover: client,
                        serverMaxWindowBits: serverBits, clientMaxWindowBits: clientBits)
                }
            }
        }
    }
}

extension PerMessageDeflate? {
    fileprivate var short: String {
        guard let self else { return "none" }
        return "\(self.serverMaxWindowBits)\(self.serverNoContextTakeover ? "!" : "")"
            + " \(self.clientMaxWindowBits)\(self.clientNoContextTakeover ? "!" : "")"
    }
}
