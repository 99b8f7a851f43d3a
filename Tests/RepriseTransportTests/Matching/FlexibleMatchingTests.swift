import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Which recorded exchange a request of any client gets.
@Suite struct FlexibleMatchingTests {
    private static let tape = """
        {"kind":"session","t":0,"version":1,"session":"00000000000000aa","wall":"2026-11-30T06:06:00.000000000Z","recorder":"reprise/0.1.0"}
        {"kind":"request","x":1,"t":1,"transport":"http","method":"POST","url":"https://a.example/api/x?a=1","headers":[["Host","a.example"],["Content-Type","application/json"],["Accept","text/event-stream"],["X-Own","1"]]}
        {"kind":"requestBody","x":1,"t":2,"text":"{\\"a\\":1,\\"token\\":\\"****\\",\\"b\\":{\\"c\\":[1,2],\\"d\\":null}}"}
        {"kind":"masked","x":1,"t":2,"frame":2,"offset":16,"length":4,"rule":"path","secret":1}
        {"kind":"requestEnd","x":1,"t":3}
        {"kind":"end","x":1,"t":4,"how":"complete"}
        {"kind":"request","x":2,"t":5,"transport":"http","method":"GET","url":"https://a.example/list","headers":[]}
        {"kind":"requestEnd","x":2,"t":6}
        {"kind":"request","x":3,"t":7,"transport":"http","method":"GET","url":"https://a.example/list","headers":[]}
        {"kind":"requestEnd","x":3,"t":8}
        {"kind":"request","x":4,"t":9,"transport":"http","method":"POST","url":"https://a.example/form","headers":[["Content-Type","multipart/form-data; boundary=AAA"]]}
        {"kind":"requestBody","x":4,"t":9,"text":"--AAA\\r\\nContent-Disposition: form-data; name=\\"n\\"\\r\\n\\r\\nv\\r\\n--AAA--\\r\\n"}
        {"kind":"requestEnd","x":4,"t":9}
        """

    private func matcher(_ matching: RequestMatching = .flexible) throws -> RequestMatcher {
        RequestMatcher([try Recording(bytes: Array(Self.tape.utf8))], matching)
    }

    private static func post(
        _ body: String, type: String? = "application/json; charset=utf-8", accept: String = "*/*",
        url: String = "http://127.0.0.1:8080/api/x?a=1"
    ) -> Request {
        var request = Request(
            method: "POST", url: url,
            headers: ["User-Agent": "foreign/1", "Accept": accept], body: Array(body.utf8))
        if let type { request.headers.append("Content-Type", type) }
        return request
    }

    @Test(
        "Any spelling of the same request gets it",
        arguments: [
            post(#"{"a":1,"token":"mine","b":{"c":[1,2],"d":null}}"#),
            post(#"{ "b": {"d":null,"c":[1,2]}, "token": "m\u00e4", "a": 1 }"#),
            post(
                #"{"a":1,"token":"****","b":{"c":[1,2],"d":null}}"#, accept: "text/event-stream"),
        ])
    func same(request: Request) throws {
        var matcher = try matcher()
        guard case .found(0) = matcher.take(request) else {
            Issue.record("\(matcher.take(request))")
            return
        }
        guard case .miss(let miss) = matcher.take(request) else {
            Issue.record("taken twice")
            return
        }
        #expect(miss.kind == .consumed)
        #expect(
            miss.message
                == "POST /api/x comes once more than recorded: it was recorded once, as exchange 1, "
                + "which has answered a request")
    }

    @Test(
        "What differs is told",
        arguments: [
            (
                post(#"{"a":2,"token":"m","b":{"c":[1,2],"d":null}}"#),
                "in the body, $.a differs: recorded 1, now 2"
            ),
            (
                post(#"{"a":1,"token":"m","b":{"c":[1],"d":null}}"#),
                "in the body, $.b.c[1] is missing: recorded 2"
            ),
            (
                post(#"{"a":1,"token":"m","b":{"c":[1,2],"d":null}}"#, type: "text/plain"),
                #"the header Content-Type differs: recorded "application/json", now "text/plain""#
            ),
            (
                post(#"{"a":1,"token":"m","b":{"c":[1,2],"d":null}}"#, type: nil),
                #"the header Content-Type is missing: recorded "application/json""#
            ),
            (
                post(#"{"a":1,"token":"m","b":{"c":[1,2],"d":null}}"#, accept: "text/html"),
                #"the header Accept differs: recorded "text/event-stream", now "text/html""#
            ),
            (
                post(
                    #"{"a":1,"token":"m","b":{"c":[1,2],"d":null}}"#,
                    url: "http://127.0.0.1/api/x?a=2"),
                #"the URL's query differs at "a": recorded "a=1", now "a=2""#
            ),
            (
                post("no JSON"), "the body differs from byte 0 on: recorded 47 bytes, now 7"
            ),
        ])
    func differs(request: Request, difference: String) throws {
        var matcher = try matcher()
        guard case .miss(let miss) = matcher.take(request) else {
            Issue.record("it was found")
            return
        }
        #expect(miss.kind == .noSuchRequest)
        #expect(
            miss.message == "POST /api/x was not recorded; the nearest is exchange 1: \(difference)"
        )
    }

    @Test("Equal requests get their exchanges in recorded order, others in any")
    func order() throws {
        var matcher = try matcher()
        let list = Request(method: "GET", url: "http://localhost/list")
        guard case .found(1) = matcher.take(list), case .found(2) = matcher.take(list),
            case .found(0) = matcher.take(
                Self.post(#"{"a":1,"token":"m","b":{"c":[1,2],"d":null}}"#)),
            case .miss = matcher.take(list)
        else {
            Issue.record("another order")
            return
        }
    }

    @Test("A multipart body may have another boundary", arguments: [("v", true), ("w", false)])
    func boundary(value: String, isSame: Bool) throws {
        var matcher = try matcher()
        let body =
            "--zz9\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n\(value)\r\n--zz9--\r\n"
        let request = Self.post(
            body, type: "multipart/form-data; boundary=\"zz9\"", url: "http://h/form")
        if case .found(3) = matcher.take(request) {
            #expect(isSame)
        } else {
            #expect(!isSame)
        }
    }

    @Test("Of another path the nearest is told")
    func nothing() throws {
        var matcher = try matcher()
        guard case .miss(let miss) = matcher.take(Request(method: "GET", url: "http://h/other"))
        else {
            Issue.record("it was found")
            return
        }
        #expect(
            miss.message
                == "GET /other was not recorded; the nearest is exchange 2: the URL's path differs: "
                + "recorded \"/list\", now \"/other\"")
    }
}
