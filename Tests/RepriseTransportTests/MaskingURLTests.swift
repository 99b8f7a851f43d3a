import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Secrets in URLs, wherever in a frame of JSON a URL stands.
@Suite struct MaskingURLTests {
    static let texts: [(text: String, masked: String)] = [
        ("https://u:pw@h/p", "https://*:**@h/p"),
        ("https://ghp_token@h", "https://*********@h"),
        ("u:PW@h/v1", "*:**@h/v1"),
        ("u:PW@127.0.0.1:80", "*:**@127.0.0.1:80"),
        ("//u:pw@h/p", "//*:**@h/p"),
        ("http://u:pw@ho st/v1", "http://*:**@ho st/v1"),
        ("http://h/v1?token=QUERY&x=1", "http://h/v1?token=*****&x=1"),
        ("/v1?token=QUERY", "/v1?token=*****"),
        ("see http://u:pw@h/?sig=abc, or not", "see http://*:**@h/?sig=***, or not"),
        ("(http://h/?key=abc)", "(http://h/?key=***)"),
        ("'http://h/?key=abc'", "'http://h/?key=***'"),
        ("url=http://u:pw@h", "url=http://*:**@h"),
        (#"{"url":"http://u:pw@h/?key=ab"}"#, #"{"url":"http://*:**@h/?key=**"}"#),
        ("https://h/?next=https://u:pw@g/&token=abc", "https://h/?next=https://*:**@g/&token=***"),
        ("https://p/https://u:pw@h/x", "https://p/https://*:**@h/x"),
        ("https://h/?next=https%3A%2F%2Fu%3Apw%40g", "https://h/?next=************************"),
        ("cannot reach u:PW@h/v1: no scheme", "cannot reach *:**@h/v1: no scheme"),
        ("http://u:p'(;w@h", "http://*:*****@h"),
        ("http://u:pa/ss@h/v1", "http://*:**/**@h/v1"),
        ("http://u:pa?ss#s@h/v1", "http://*:**?**#*@h/v1"),
    ]

    /// What has no secret, though parts of it look like it.
    static let plain = [
        "https://h/p?page=2", "bob@example.com", "write to bob@example.com or not",
        "mailto:bob@example.com", "sip:bob@example.com", "git@github.com:o/r", "a=b", "x @ y: z",
        "https://h:8080/@user", "https://h/@user?x=1", "http://[::1]:8080/a@b", "key=value",
        "at 12:30 @home", "https://app.example.com", "", "@", ":@", "a:@b", "://", "?", "//@",
    ]

    static let kinds: [@Sendable (JSON) -> FrameContent] = [
        { .client(ClientRecord(client: "c", config: ["baseURL": $0])) },
        { .call(CallRecord(call: 1, result: ["a": [$0]])) },
        { .call(CallRecord(call: 1, error: ["message": $0])) },
        { .note($0.string ?? "") },
        { .end(EndRecord(how: .failed, message: $0.string)) },
        { .session(SessionRecord(session: "s", wall: "", recorder: "r", labels: ["url": $0])) },
    ]

    /// The URL stands in the frame before the header field that tells what is secret.
    @Test func aSecretOfAHeaderIsMaskedInTheURLBeforeIt() throws {
        var redactor = Redactor()
        let token = "planted-token-0123456789"
        let record = RequestRecord(
            method: "GET", url: WireText("https://h/x/\(token)/y?q=\(token)"),
            headers: ["X-Trace": "\(token)", "Authorization": "Bearer \(token)"])
        redactor.open(exchange: 1, sensitive: SensitivePaths())
        let frames = redactor.redact(.request(record), exchange: 1, time: 0, frame: 1)
        for frame in frames {
            #expect(!String(decoding: frame.payload, as: UTF8.self).contains(token))
        }
        #expect(frames.map(\.kind) == [.request, .masked, .masked, .masked, .masked])
    }

    @Test(arguments: texts)
    func everywhere(text: String, masked: String) throws {
        for kind in Self.kinds {
            #expect(try mask(text, as: kind) == kind(.string(masked)))
        }
    }

    @Test(arguments: plain)
    func harmless(text: String) throws {
        for kind in Self.kinds {
            #expect(try mask(text, as: kind) == kind(.string(text)))
        }
    }

    /// In a setting, all of which is a URL, refused ones too.
    @Test(
        arguments: [
            ("http://u:p w\u{E4}\n@h", "http://*:* *   @h"), ("u:PW@h o/v1", "*:**@h o/v1"),
            (" http://u:p@h", " http://*:*@h"), ("//h?token=ab cd", "//h?token=*****"),
        ])
    func refused(url: String, masked: String) throws {
        #expect(try mask(url, as: Self.kinds[0]) == Self.kinds[0](.string(masked)))
    }

    @Test func aKeyMayBeAURL() throws {
        #expect(
            try mask("x", as: { .call(CallRecord(call: 1, result: ["http://u:pw@h": $0])) })
                == .call(CallRecord(call: 1, result: ["http://*:**@h": "x"])))
    }

    private func mask(
        _ text: String, as kind: (JSON) -> FrameContent
    ) throws -> FrameContent {
        var redactor = Redactor()
        let frames = redactor.redact(kind(.string(text)), exchange: 0, time: 0, frame: 1)
        let payload = frames[0].payload
        let spans = try frames.masks().flatMap { $0.offset..<$0.offset + $0.length }
        let stars = Set(payload.indices.filter { payload[$0] == UInt8(ascii: "*") })
        #expect(Set(spans).isSuperset(of: stars))
        #expect(Set(spans).subtracting(stars).allSatisfy { " /?#".utf8.contains(payload[$0]) })
        #expect(Set(spans).count == spans.count)
        return try frames[0].content()
    }

    /// Found once, a secret is masked in whatever comes later, in each way of writing it.
    @Test(
        arguments: [
            "PASS!word@1", "PASS!word%401", "PASS%21word%401", "query/sec+ret", "user-name",
        ])
    func learned(secret: String) throws {
        var redactor = Redactor()
        let url = "http://user-name:PASS!word%401@h/?token=query/sec+ret"
        _ = redactor.redact(
            .client(ClientRecord(client: "c", config: ["baseURL": .string(url)])), exchange: 0,
            time: 0, frame: 1)
        redactor.open(exchange: 1, sensitive: SensitivePaths())
        let body = redactor.redact(
            .requestBody(Array("<\(secret)>".utf8)), exchange: 1, time: 0, frame: 7)
        #expect(body[0].payload == Array("<\(Masking.stars(secret))>".utf8))
    }

    /// What a replay gives to the client comes back in bodies, where short values stay.
    @Test(
        arguments: [
            ("http://u:pw@h", "http://u:pw@h"), ("/?key=interactive", "/?key=interactive"),
            ("http://u:PASSword1@h", "http://u:*********@h"),
            ("npm:aB-345678@1", "npm:*********@1"),
            ("use npm:aB-345678@1", "use npm:aB-345678@1"),
        ])
    func arguments(text: String, masked: String) throws {
        let kinds: [(JSON) -> FrameContent] = [
            { .call(CallRecord(call: 1, op: "o", args: ["content": $0])) },
            { .tool(ToolRecord(id: "i", name: "n", state: .started, input: [$0])) },
            { .entropy(EntropyRecord(call: 1, purpose: "p", ordinal: 0, value: $0.string ?? "")) },
        ]
        for kind in kinds { #expect(try mask(text, as: kind) == kind(.string(masked))) }
    }

    @Test(
        arguments: [
            "token", "authToken", "apiKey", "password", "dbPasswordHash", "clientSecret",
            "Authorization", "jwt", "credentials",
        ])
    func namesOfSettings(key: String) throws {
        let inner: JSON = ["ab", ["deep": "cd", "n": 5], nil]
        let masked: JSON = ["**", ["deep": "**", "n": 5], nil]
        var redactor = Redactor()
        let frames = redactor.redact(
            .client(ClientRecord(client: "c", config: ["a": [key: inner]])), exchange: 0, time: 0,
            frame: 1)
        #expect(
            try frames[0].content()
                == .client(ClientRecord(client: "c", config: ["a": [key: masked]])))
        #expect(try frames.masks().map(\.rule) == ["key:" + key.lowercased()].repeated(2))
        // Elsewhere a name tells nothing: a message may have any.
        let call = FrameContent.call(CallRecord(call: 1, op: "o", args: [key: inner]))
        #expect(
            redactor.redact(call, exchange: 0, time: 0, frame: 1).map(\.payload) == [call.payload])
    }

    @Test func harmlessSettings() throws {
        let config: JSONObject = [
            "baseURL": "https://h/v1", "mode": "jwt", "origin": "https://app.example.com",
            "email": "bob@example.com", "author": "Ada", "maximumTokens": 5, "retry": ["x": 1],
            "userToken": "****",
        ]
        var redactor = Redactor()
        let content = FrameContent.client(ClientRecord(client: "c", config: config))
        let frames = redactor.redact(content, exchange: 0, time: 0, frame: 1)
        #expect(frames.map(\.payload) == [content.payload])
    }

    @Test func deeperThanJSONIsRead() throws {
        var redactor = Redactor()
        let deep = (0..<1500).reduce(JSON.string("http://u:PASSword1@h")) { value, _ in [value] }
        let frames = redactor.redact(
            .tool(ToolRecord(id: "i", name: "n", state: .started, input: deep)), exchange: 0,
            time: 0, frame: 1)
        #expect(String(decoding: frames[0].payload, as: UTF8.self).contains("http://u:*********@h"))
        #expect(try Array(frames.dropFirst()).masks().map(\.rule) == ["url:userinfo"])
    }
}

extension [String] {
    fileprivate func repeated(_ count: Int) -> [String] {
        Array(repeatElement(self, count: count).joined())
    }
}
