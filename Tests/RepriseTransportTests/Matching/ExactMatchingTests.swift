import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct ReplayMatchingTests {
    /// A recorded request against the same with one thing changed.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var change: @Sendable (inout Request) -> Void
        var parts: [RequestDifference.Part]
        var message = ""

        var testDescription: String { name }
    }

    static let body = #"{"a":{"b c":[1,"x"]},"d":null}"#

    static let recorded = exchange(
        method: "POST", path: "/p/q?a=1&b&c=",
        headers: #"""
            ,["Content-Length","30"],["Connection","close"],["Proxy-Connection","x"],\#
            ["X-One","1"],["x-Two","2"],["X-One","3"]
            """#, body: body)

    static let request = Request(
        method: "POST", url: "https://a.example/p/q?a=1&b&c=",
        headers: ["X-One": "1", "x-Two": "2", "X-One": "3"], body: Array(body.utf8))

    @Test(arguments: [
        Case(name: "same", change: { _ in }, parts: []),
        Case(name: "fragment", change: { $0.url += "#top" }, parts: []),
        Case(
            name: "own content length", change: { $0.headers.append("Content-Length", "30") },
            parts: [.headerOrder],
            message: #"the order of the header fields differs: recorded "content-length" "#
                + #"where now "x-one" is"#),
        Case(
            name: "method", change: { $0.method = "PUT" }, parts: [.method],
            message: #"the method differs: recorded POST, now "PUT""#),
        Case(
            name: "scheme and host", change: { $0.url = "http://b.example/p/q?a=1&b&c=" },
            parts: [.url("scheme"), .url("host")],
            message: #"the URL's scheme differs: recorded "https", now "http""#),
        Case(
            name: "path", change: { $0.url = "https://a.example/p/?a=1&b&c=" },
            parts: [.url("path")],
            message: #"the URL's path differs: recorded "/p/q", now "/p/""#),
        Case(
            name: "query value", change: { $0.url = "https://a.example/p/q?a=1&b=&c=" },
            parts: [.url("query b")],
            message: #"the URL's query differs at parameter 2: recorded "b", now "b=""#),
        Case(
            name: "query piece", change: { $0.url += "&d=4" }, parts: [.url("query d")],
            message: #"the URL's query differs at parameter 4: recorded none, now "d=4""#),
        Case(
            name: "header value", change: { $0.headers.fields[1].value = "9" },
            parts: [.header("x-Two")],
            message: #"the header x-Two differs: recorded "2", now "9""#),
        Case(
            name: "header case", change: { $0.headers.fields[1].name = "X-Two" },
            parts: [.header("x-Two")], message: "the header x-Two is spelled otherwise"),
        Case(
            name: "header missing", change: { $0.headers.fields.remove(at: 1) },
            parts: [.header("x-Two")], message: "the header x-Two is missing"),
        Case(
            name: "header once", change: { $0.headers.fields.remove(at: 2) },
            parts: [.header("X-One")],
            message: "the header X-One was recorded 2 times, now 1"),
        Case(
            name: "header more", change: { $0.headers.append("X-New", "1") },
            parts: [.header("X-New")], message: "the header X-New was not recorded"),
        Case(
            name: "header order", change: { $0.headers.fields.swapAt(0, 1) },
            parts: [.headerOrder]),
        Case(
            name: "JSON value",
            change: { $0.body = Array(#"{"a":{"b c":[1,"y"]},"d":null}"#.utf8) },
            parts: [.json(path: #"$.a["b c"][1]"#)],
            message: #"in the body, $.a["b c"][1] differs: recorded "x", now "y""#),
        Case(
            name: "JSON missing", change: { $0.body = Array(#"{"a":{"b c":[1]},"d":null}"#.utf8) },
            parts: [.json(path: #"$.a["b c"][1]"#)],
            message: #"in the body, $.a["b c"][1] is missing: recorded "x""#),
        Case(
            name: "JSON more",
            change: { $0.body = Array(#"{"a":{"b c":[1,"x"]},"d":null,"e":true}"#.utf8) },
            parts: [.json(path: "$.e")],
            message: "in the body, $.e was not recorded: now true"),
        Case(
            name: "JSON order",
            change: { $0.body = Array(#"{"d":null,"a":{"b c":[1,"x"]}}"#.utf8) },
            parts: [.json(path: "$")],
            message: "in the body, the members of $ are in another order"),
        Case(
            name: "JSON blanks",
            change: { $0.body = Array(#"{"a": {"b c":[1,"x"]},"d":null}"#.utf8) },
            parts: [.body(offset: 5)],
            message: "the body differs from byte 5 on: recorded 30 bytes, now 31"),
        Case(
            name: "no JSON", change: { $0.body = Array("{\"a\":oops".utf8) },
            parts: [.body(offset: 5)],
            message: "the body differs from byte 5 on: recorded 30 bytes, now 9"),
        Case(
            name: "no body", change: { $0.body = [] }, parts: [.body(offset: 0)],
            message: "the body ends before the recorded one: recorded 30 bytes, now 0"),
    ])
    func namesWhatDiffers(_ each: Case) async throws {
        let transport = ReplayTransport(recording: try recording(Self.recorded))
        var request = Self.request
        each.change(&request)
        do {
            _ = try await transport.send(request)
            #expect(each.parts.isEmpty)
        } catch {
            let miss = try #require(transport.misses.first)
            #expect(miss.differences.map(\.part) == each.parts)
            if !each.message.isEmpty {
                #expect(miss.differences.first?.description == each.message)
            }
        }
    }

    @Test func longValuesAreCut() async throws {
        let transport = ReplayTransport(recording: try recording(exchange(path: "/a")))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get("/" + String(repeating: "x", count: 500)))
        }
        #expect(try #require(error).message.count < 250)
    }
}
