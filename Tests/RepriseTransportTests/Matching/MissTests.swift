import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What is told of each kind of a miss.
@Suite struct MissTests {
    private static let secret = "sk-live-0123456789abcdef"

    private static let body = #"{"message":"Hello","list":[{"id":1},{"id":2}],"stream":true}"#

    private static let tape =
        exchange(1, call: 1, at: 0, path: "/agents/a1")
        + exchange(
            2, call: 1, at: 100, method: "POST", path: "/agents/a1/chat?lang=en",
            headers: #",["Content-Type","application/json"],["Accept","text/event-stream"]"#,
            body: body)
        + exchange(3, call: 1, at: 200, path: "/agents/a1/history")
        + exchange(4, call: 2, at: 300, path: "/agents/a1/other")

    private static let chat = Request(
        method: "POST", url: "https://a.example/agents/a1/chat?lang=en",
        headers: ["Content-Type": "application/json", "Accept": "text/event-stream"],
        body: Array(body.utf8), call: 1)

    private static func changed(_ change: (inout Request) -> Void) -> Request {
        var request = chat
        change(&request)
        return request
    }

    /// What there is to say of the last of some requests.
    private static func told(
        _ requests: [Request], _ matching: RequestMatching = .exact, tape: String = tape
    ) async throws -> String {
        let transport = ReplayTransport(recording: try recording(tape), matching: matching)
        var last: TransportError?
        for request in requests {
            last = nil
            do throws(TransportError) { _ = try await transport.send(request) } catch {
                last = error
            }
        }
        let miss = try #require(transport.misses.last)
        #expect(last == miss.error)
        #expect(last?.code.rawValue == miss.kind.rawValue)
        return "\(miss)\n— \(miss.message)"
    }

    private static func golden(
        _ name: String, _ cases: [(title: String, text: String)]
    ) throws {
        let text = cases.map { "# \($0.title)\n\($0.text)\n" }.joined(separator: "\n")
        #expect(!text.contains(secret))
        try Snapshot.expect(text, name, in: #filePath)
    }

    @Test func noSuchRequest() async throws {
        let first = get("/agents/a1", call: 1)
        var cases: [(title: String, text: String)] = []
        func add(_ title: String, _ requests: [Request], _ matching: RequestMatching = .exact)
            async throws
        {
            cases.append((title, try await Self.told(requests, matching)))
        }
        try await add(
            "a value in a JSON body",
            [first, Self.changed { $0.body = Self.replaced("Hello", "Hallo") }])
        try await add(
            "several values",
            [
                first,
                Self.changed { request in
                    request.body = Array(
                        #"{"message":"Hallo","list":[{"id":1},{"id":"2"},3],"new":null}"#.utf8)
                },
            ])
        try await add(
            "a header field",
            [first, Self.changed { $0.headers.fields[1].value = "application/json" }])
        try await add(
            "a parameter and the host",
            [
                first,
                Self.changed { $0.url = "https://b.example/agents/a1/chat?lang=de" },
            ])
        try await add(
            "a segment of the path",
            [first, Self.changed { $0.url = $0.url.replacing("/a1/", with: "/a2/") }])
        try await add("another path", [get("/somewhere/else", call: 1)])
        try await add("another method", [first, Self.changed { $0.method = "PUT" }])
        try await add(
            "a body that is no JSON", [first, Self.changed { $0.body = Array("Hello".utf8) }])
        try await add("an operation that has no more", [get("/agents/a2", call: 3)])
        try await add(
            "in any order", [Self.changed { $0.body = Self.replaced("Hello", "Hallo") }],
            .flexible)
        try await add(
            "a long value",
            [
                first,
                Self.changed {
                    $0.body = Self.replaced("Hello", String(repeating: "long ", count: 100))
                },
            ])
        cases.append(
            ("a tape without exchanges", try await Self.told([get()], tape: Self.empty)))
        cases.append(("beside secrets", try await Self.masked()))
        cases.append(
            (
                "a place that is none",
                try await Self.told([get("/agents/a2", call: 1)], .exact.ignoring(.json("id")))
            ))
        try Self.golden("noSuchRequest.txt", cases)
    }

    private static let empty = #"{"kind":"note","t":0,"text":"x"}"# + "\n"

    private static func replaced(_ old: String, _ new: String) -> [UInt8] {
        Array(body.replacing(old, with: new).utf8)
    }

    /// A request whose secrets are masked on the tape and now, and which differs elsewhere.
    private static func masked() async throws -> String {
        let tape = exchange(
            method: "POST", headers: #",["Authorization","Bearer ****"]"#,
            body: #"{"token":"****","n":1}"#)
        let lines = tape.split(separator: "\n").map(String.init)
        let masks = [
            #"{"kind":"masked","x":1,"t":0,"frame":0,"offset":\#(offset(in: tape)),"length":4,"rule":"header"}"#,
            #"{"kind":"masked","x":1,"t":1,"frame":2,"offset":10,"length":4,"rule":"json:token"}"#,
        ]
        let whole = ([lines[0], masks[0], lines[1], masks[1]] + lines[2...])
            .joined(separator: "\n")
        var request = post(
            #"{"token":"\#(secret)","n":2}"#, headers: ["Authorization": "Bearer \(secret)"])
        request.sensitive = SensitivePaths(request: ["token"])
        return try await told([request], tape: whole)
    }

    /// Where the header's mask is in the payload of its frame.
    private static func offset(in tape: String) -> Int {
        let payload =
            #"{"transport":"http","method":"POST","url":"https://a.example/x","headers":"#
            + #"[["Host","a.example"],["Authorization","Bearer "#
        return payload.utf8.count
    }

    @Test func consumed() async throws {
        let list = (1...3).map { exchange($0, at: $0 * 100, path: "/list") }.joined()
        try Self.golden(
            "consumed.txt",
            [
                (
                    "recorded once",
                    try await Self.told(
                        [get("/agents/a1", call: 1), get("/agents/a1", call: 1)])
                ),
                (
                    "recorded three times",
                    try await Self.told(Array(repeating: get("/list"), count: 4), tape: list)
                ),
                (
                    "in any order",
                    try await Self.told([Self.chat, Self.chat], .flexible)
                ),
            ])
    }

    @Test func outOfOrder() async throws {
        try Self.golden(
            "outOfOrder.txt",
            [
                ("another is due", try await Self.told([Self.chat])),
                (
                    "recorded in another operation",
                    try await Self.told([get("/agents/a1/other", call: 1)])
                ),
                (
                    "recorded in another operation, and nothing is due",
                    try await Self.told([get("/agents/a1/history", call: 3)])
                ),
            ])
    }

    @Test func messages() async throws {
        func said(_ act: @escaping @Sendable (WebSocket) async throws -> Void) async throws
            -> String
        {
            let tape = SocketTape([
                (.client, .text(#"{"type":"auth","id":"a"}"#)),
                (.client, .text(#"{"type":"message","id":"b"}"#)), (.client, .close(.normal)),
            ])
            let transport = try SocketTape.replay(tape)
            let socket = try await transport.open()
            await #expect(throws: WebSocketError.self) { try await act(socket) }
            let miss = try #require(transport.misses.first)
            return "\(miss)\n— \(miss.message)"
        }
        try Self.golden(
            "messages.txt",
            [
                (
                    "another value",
                    try await said { try await $0.send(text: #"{"type":"auth","id":"z"}"#) }
                ),
                (
                    "out of order",
                    try await said { try await $0.send(text: #"{"type":"message","id":"b"}"#) }
                ),
                (
                    "said before",
                    try await said { socket in
                        try await socket.send(text: #"{"type":"auth","id":"a"}"#)
                        try await socket.send(text: #"{"type":"auth","id":"a"}"#)
                    }
                ),
                (
                    "another kind",
                    try await said { try await $0.send(binary: [1, 2]) }
                ),
                ("a close too early", try await said { try await $0.close() }),
            ])
    }
}
