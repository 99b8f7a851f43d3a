import RepriseServer
import RepriseTape
import RepriseTransport
import TestSupport
import Testing

/// The very bytes that go out, read from the socket.
@Suite struct WireTests {
    /// A recording and what is on the wire for it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var recorded: [String]
        var wire: String
        var error: String?
        var testDescription: String { name }
    }

    static let chunked = #"["A","b"],["Transfer-Encoding","chunked"],["X","y"]"#

    static let table: [Case] = [
        Case(
            name: "Chunks as they came, fields in order and case",
            recorded: [
                Serving.response(
                    #"["zZ","1"],["A","b"],["a","c"],["Transfer-Encoding","chunked"]"#),
                Serving.body("hello"), Serving.body("wor"), Serving.body("ld"), Serving.end(),
            ],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nzZ: 1\r\nA: b\r\na: c\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + "5\r\nhello\r\n3\r\nwor\r\n2\r\nld\r\n0\r\n\r\n"),
        Case(
            name: "A length",
            recorded: [
                Serving.response(#"["Content-Length","8"],["A","b"]"#, status: 404),
                Serving.body("hello"), Serving.body("wor"), Serving.end(),
            ],
            wire: "HTTP/1.1 404 Not Found\r\nConnection: close\r\nA: b\r\nContent-Length: 8\r\n\r\n"
                + "hellowor"),
        Case(
            name: "A body that the closing of the connection ends",
            recorded: [
                Serving.response(#"["A","b"]"#), Serving.body("hello"),
                Serving.end(more: #","framing":"close""#),
            ],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nA: b\r\n\r\nhello"),
        Case(
            name: "HTTP/1.0",
            recorded: [
                Serving.response(#"["A","b"]"#)
                    .replacing(#""version":"1.1""#, with: #""version":"1.0""#),
                Serving.body("hello"), Serving.end(more: #","framing":"close""#),
            ],
            wire: "HTTP/1.0 200 OK\r\nConnection: close\r\nA: b\r\n\r\nhello"),
        Case(
            name: "No body",
            recorded: [Serving.response(#"["A","b"]"#, status: 204), Serving.end()],
            wire: "HTTP/1.1 204 No Content\r\nConnection: close\r\nA: b\r\n\r\n"),
        Case(
            name: "Trailers",
            recorded: [
                Serving.response(chunked), Serving.body("hello"),
                Serving.end(more: #","trailers":[["T","u"]]"#),
            ],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nA: b\r\nTransfer-Encoding: chunked\r\n"
                + "X: y\r\n\r\n5\r\nhello\r\n0\r\nT: u\r\n\r\n"),
        Case(
            name: "A FIN in a chunked body",
            recorded: [
                Serving.response(chunked), Serving.body("hello"),
                Serving.end("reset", more: #","code":"transport.closed""#),
            ],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nA: b\r\nTransfer-Encoding: chunked\r\n"
                + "X: y\r\n\r\n5\r\nhello\r\n"),
        Case(
            name: "A FIN before the length",
            recorded: [
                Serving.response(#"["Content-Length","80"]"#), Serving.body("hello"),
                Serving.end("reset", more: #","code":"transport.closed""#),
            ],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 80\r\n\r\nhello"),
        Case(
            name: "A RST",
            recorded: [
                Serving.response(chunked), Serving.body("hello"),
                Serving.end("reset", more: #","code":"transport.reset""#),
            ],
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\nA: b\r\nTransfer-Encoding: chunked\r\n"
                + "X: y\r\n\r\n5\r\nhello\r\n",
            error: "ConnectionResetError"),
        Case(
            name: "No answer at all", recorded: [Serving.end("reset")], wire: ""),
        Case(
            name: "A RST instead of an answer",
            recorded: [Serving.end("reset", more: #","code":"transport.reset""#)],
            wire: "", error: "ConnectionResetError"),
        Case(
            name: "A reason phrase of its own, with the fields in their places",
            recorded: [
                Serving.response(
                    #"["Content-Length","5"],["A","b"]"#, more: #""reason":"Oh Yes","#),
                Serving.body("hello"), Serving.end(),
            ],
            wire:
                "HTTP/1.1 200 Oh Yes\r\nContent-Length: 5\r\nA: b\r\nConnection: close\r\n\r\nhello"
        ),
        Case(
            name: "A field without a value",
            recorded: [Serving.response(#"["A",""]"#), Serving.body("hello"), Serving.end()],
            wire:
                "HTTP/1.1 200 OK\r\nA: \r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "5\r\nhello\r\n0\r\n\r\n"),
        Case(
            name: "Informational responses",
            recorded: [
                Serving.response(
                    #"["Link","</a>"]"#, status: 103, more: #""reason":"Early Hints","#),
                Serving.response(#"["A","b"]"#, more: #""reason":"OK","#), Serving.body("hello"),
                Serving.end(more: #","framing":"chunked","trailers":[["T","u"]]"#),
            ],
            wire: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n"
                + "0\r\nT: u\r\n\r\n"),
        Case(
            name: "Something that is no chunk",
            recorded: [
                Serving.response(#"["Transfer-Encoding","chunked"]"#), Serving.body("hello"),
                Serving.end("failed", more: #","code":"transport.malformed""#),
            ],
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "5\r\nhello\r\n?\r\n"),
    ]

    @Test(arguments: table)
    func bytes(_ entry: Case) async throws {
        let serving = try Serving.start(entry.recorded)
        let seen = try await Seen.client(
            "raw", serving.port, input: "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(seen.text == entry.wire)
        #expect(seen.error == entry.error)
        await serving.server.untilConsumed()
        #expect(serving.server.exchanges.map(\.state) == [.whole])
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test("A head, pieces and the end come at their times, but not before")
    func times() async throws {
        let serving = try Serving.start(
            [
                Serving.response(#"["A","b"]"#, at: 60_001_000), Serving.body("a", at: 120_001_000),
                Serving.body("b", at: 120_001_000), Serving.body("c", at: 240_001_000),
                Serving.end(at: 300_001_000),
            ], pace: .original)
        let seen = try await Seen.client(
            "raw", serving.port, input: "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(seen.text.hasSuffix("\r\n\r\n1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"))
        // How late depends on what else the machine does.
        for (mark, due) in [
            ("\r\n\r\n", 60.0), ("1\r\nb", 120), ("1\r\nc", 240), ("0\r\n\r\n", 300),
        ] {
            let time = try #require(seen.time(of: mark), "\(mark)")
            #expect(time > due - 2, "\(mark)")
        }
        await serving.server.stop()
    }

    @Test("A keeps-alive connection gets one answer after the other")
    func keptAlive() async throws {
        let serving = try Serving.start(
            [Serving.response(#"["Content-Length","2"]"#), Serving.body("hi"), Serving.end()],
            count: 20)
        let request = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n"
        let last = "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        let seen = try await Seen.client(
            "raw", serving.port, input: String(repeating: request, count: 19) + last)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        #expect(
            seen.text == String(repeating: answer, count: 19)
                + "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
        await serving.server.stop()
    }

    @Test("Many at once are answered, and one more is not")
    func many() async throws {
        let serving = try Serving.start(
            [
                Serving.response(#"["A","b"]"#, at: 20_000_000), Serving.body("hello"),
                Serving.body("world", at: 200_000_000), Serving.end(at: 200_000_000),
            ], count: 200, pace: .original)
        let output = try await Seen.output(["many", serving.server.url + "/x", "201"])
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains(#"[200, "aGVsbG93b3JsZA==", 200]"#), "\(text.prefix(300))")
        #expect(text.contains("[501,"))
        #expect(serving.server.missCount == 1)
        #expect(serving.server.exchanges.allSatisfy { $0.state == .whole })
        await serving.server.stop()
    }

    @Test("A piece as large as an imported one stays one chunk")
    func large() async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        let serving = try Serving.start(
            [Serving.response(#"["A","b"]"#), Serving.body(text), Serving.end()])
        let seen = try await Seen.client(
            "raw", serving.port, input: "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(seen.text.hasSuffix("\r\n\r\nF4240\r\n\(text)\r\n0\r\n\r\n"))
        await serving.server.stop()
    }
}
