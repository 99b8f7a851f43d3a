import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct ReplayCheckTests {
    static let client =
        #"{"kind":"client","t":0,"client":"toy","config":{"base":"https://a.example"}}"#
        + "\n"

    /// An operation `get` of the toy client, recorded.
    static func call(
        _ number: Int, path: String = "/x", exchange: String, result: String?
    ) -> String {
        var text = #"{"kind":"call","t":0,"call":\#(number),"op":"get","args":{"path":"\#(path)"}}"#
        text += "\n" + exchange
        if let result { text += #"{"kind":"call","t":0,"call":\#(number),\#(result)}"# + "\n" }
        return text
    }

    static func good(_ number: Int, path: String = "/x") -> String {
        call(
            number, path: path,
            exchange: exchange(
                number, call: number, path: path, events: delivery("hi", number, at: 20)),
            result: #""result":{"text":"hi"}"#)
    }

    private func check(_ text: String, _ clients: [any ClientReplayer.Type] = [Toy.self])
        async throws -> [String]
    {
        let check = ReplayCheck(try recording(text), clients: clients)
        let differences = try await check.run()
        #expect(try await check.run() == differences)
        return differences.map { "\($0.kind): \($0)" }
    }

    @Test func theSameIsTheSame() async throws {
        #expect(try await check(Self.client + Self.good(1) + Self.good(2, path: "/y")) == [])
    }

    @Test func numbersNeedNotBeginAtOne() async throws {
        #expect(try await check(Self.client + Self.good(7) + Self.good(3)) == [])
    }

    @Test(
        arguments: [
            (#""how":"reset","code":"transport.reset""#, #""error":{"code":"transport.reset"}"#),
            (#""how":"cancelled","code":"transport.cancelled""#, #""error":{"code":"cancelled"}"#),
            (nil, nil),
        ] as [(String?, String?)])
    func aBadEndIsTheSameBadEnd(end: String?, result: String?) async throws {
        let exchange = exchange(call: 1, events: delivery("h", at: 20), end: end)
        #expect(
            try await check(Self.client + Self.call(1, exchange: exchange, result: result)) == [])
    }

    @Test func whatTheRecorderDidNotLiveToSeeIsNotCompared() async throws {
        let text = Self.client + Self.call(1, exchange: "", result: nil)
        #expect(try await check(text) == [])
    }

    @Test(arguments: [
        // Another result.
        (
            client + good(1).replacing(#"{"text":"hi"}"#, with: #"{"text":"ho"}"#),
            [#"outcome: call 1: in the result of get, $.text differs: recorded "ho", now "hi""#]
        ),
        // Another request.
        (
            client + good(1).replacing(#"a.example/x""#, with: #"a.example/z""#),
            [#"request: call 1: GET /x: the URL's path differs: recorded "/z", now "/x""#]
        ),
        // One request too many, one too few.
        (
            client + call(1, exchange: "", result: #""result":1"#)
                + good(2).replacing(#""call":2,"transport""#, with: #""call":9,"transport""#),
            [
                "request: call 1: GET /x comes out of order: it is exchange 2, of another operation",
                "request: call 2: GET /x comes out of order: it is exchange 2, of another operation",
                "unconsumed: call 9: GET /x: recorded as exchange 2, no request asked for it",
            ]
        ),
        // It failed when recorded, and the other way round.
        (
            client
                + good(1).replacing(#""result":{"text":"hi"}"#, with: #""error":{"code":"a.b"}"#),
            ["outcome: call 1: get failed with a.b when recorded, now it did not"]
        ),
        (
            client
                + call(
                    1, exchange: exchange(call: 1, end: #""how":"reset""#), result: #""result":{}"#),
            ["outcome: call 1: recorded a result of get, now it failed: transport.reset"]
        ),
        // A second request that the client does not make.
        (
            client + good(1) + exchange(5, call: 1, at: 500),
            ["unconsumed: call 1: GET /x: recorded as exchange 5, no request asked for it"]
        ),
        // An operation that the client does not know, arguments that it changes.
        (
            client + good(1).replacing(#""op":"get""#, with: #""op":"fly""#),
            [
                "unconsumed: call 1: GET /x: recorded as exchange 1, no request asked for it",
                "operation: call 1: fly did not run: no operation fly",
            ]
        ),
        (
            client + good(1).replacing(#"{"path":"/x"}"#, with: #"{"path":"/x","odd":1}"#),
            ["operation: call 1: in the arguments of get, $.odd is missing: recorded 1"]
        ),
        // A draw that was not recorded.
        (
            client + good(1).replacing("/x", with: "/random"),
            [#"entropy: call 1: the random value "id" number 0 was not recorded"#]
        ),
        // Nobody to run it.
        (
            client.replacing("toy", with: "other") + good(1),
            [#"client: nobody can run the client "other""#]
        ),
        (
            client.replacing("base", with: "bass") + good(1),
            [#"client: the client "toy" could not be built: no base"#]
        ),
        (
            good(1),
            [
                "client: call 1: no client was recorded before it"
            ]
        ),
        (
            exchange(),
            [
                "nothingToRun: the tape has exchanges but no operations of a client that could "
                    + "be run again"
            ]
        ),
        (
            "",
            [
                "nothingToRun: the tape has neither exchanges nor operations of a client that "
                    + "could be run again"
            ]
        ),
    ])
    func whatDiffersIsTold(text: String, differences: [String]) async throws {
        #expect(try await check(text) == differences)
    }

    @Test func aMaskedResultMayBeAnything() async throws {
        let end = #"{"kind":"call","t":0,"call":1,"result":{"text":"h*"}}"# + "\n"
        let text =
            Self.client
            + Self.good(1).replacing(#""text":"hi"}}"#, with: #""text":"h*"}}"#)
        let payload = #"{"call":1,"result":{"text":"h*"}}"#
        let offset = try #require(payload.utf8.firstIndex(of: UInt8(ascii: "*")))
        let place = payload.utf8.distance(from: payload.startIndex, to: offset)
        let mask =
            #"{"kind":"masked","t":0,"frame":7,"offset":\#(place),"length":1,"rule":"known"}"#
        #expect(text.hasSuffix(end))
        #expect(try await check(text + mask) == [])
        #expect(try await check(text) != [])
    }
}

/// A client with one operation.
private struct Toy: ClientReplayer {
    static let client = "toy"

    let base: String
    let transport: any Transport

    init(config: JSONObject, transport: any Transport) throws {
        guard let base = config["base"]?.string else { throw ToyError(message: "no base") }
        self.base = base
        self.transport = transport
    }

    func perform(op: String, args: JSON) async throws {
        guard op == "get", let path = args["path"]?.string else {
            throw ToyError(message: "no operation \(op)")
        }
        let context = transport.context
        try await context.withCall(op: op, args: ["path": .string(path)], result: \.self) { call in
            if path == "/random" { _ = context.entropy.draw("id", call: call) { "live" } }
            let request = Request(method: "GET", url: base + path, call: call)
            let bytes = try await transport.send(request).collected()
            return ["text": .string(String(decoding: bytes, as: UTF8.self))] as JSON
        }
    }
}

private struct ToyError: CodedError {
    var errorCode: String { "toy.error" }
    var message: String
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}
