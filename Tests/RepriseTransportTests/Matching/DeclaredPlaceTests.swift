import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Requests whose changes are declared.
@Suite struct DeclaredPlaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var matching: RequestMatching
        /// What of the recorded request is another now.
        var change: @Sendable (inout Request) -> Void
        /// What differs all the same, in words; nil for nothing.
        var difference: String?

        var testDescription: String { name }
    }

    static let body =
        #"{"id":"m-1","sent":17,"list":[{"id":"a","n":1},{"id":"b","n":2}],"deep":{"x":{"id":9}}}"#

    static let recorded = exchange(
        method: "POST", path: "/c/abc/m/7?nonce=1&q=x",
        headers: #","# + #"["Content-Type","application/json"],["X-Trace","t1"],["X-One","1"]"#,
        body: body)

    static let request = Request(
        method: "POST", url: "https://a.example/c/abc/m/7?nonce=1&q=x",
        headers: ["Content-Type": "application/json", "X-Trace": "t1", "X-One": "1"],
        body: Array(body.utf8))

    static func replace(_ old: String, _ new: String) -> @Sendable (inout Request) -> Void {
        { request in
            let body = String(decoding: request.body, as: UTF8.self).replacing(old, with: new)
            request.body = Array(body.utf8)
            request.url = request.url.replacing(old, with: new)
        }
    }

    @Test(arguments: [
        Case(
            name: "a JSON value", matching: .exact.ignoring(.json("$.sent")),
            change: replace("17", "99")),
        Case(
            name: "a JSON value of another kind", matching: .exact.ignoring(.json("$.sent")),
            change: replace("17", #"{"now":true}"#)),
        Case(
            name: "a JSON value that is gone", matching: .exact.ignoring(.json("$.sent")),
            change: replace(#""sent":17,"#, "")),
        Case(
            name: "a JSON value that is new", matching: .exact.ignoring(.json("$.fresh")),
            change: replace(#""sent":17,"#, #""sent":17,"fresh":[1],"#)),
        Case(
            name: "another JSON value", matching: .exact.ignoring(.json("$.sent")),
            change: replace("m-1", "m-2"),
            difference: #"in the body, $.id differs: recorded "m-1", now "m-2""#),
        Case(
            name: "each element's", matching: .exact.ignoring(.json("$.list[*].id")),
            change: replace(#""id":"b""#, #""id":"z""#)),
        Case(
            name: "one element's", matching: .exact.ignoring(.json("$.list[0].id")),
            change: replace(#""id":"b""#, #""id":"z""#),
            difference: #"in the body, $.list[1].id differs: recorded "b", now "z""#),
        Case(
            name: "at any depth", matching: .exact.ignoring(.json("$..id")),
            change: { request in
                let changes = [("m-1", "m-5"), (#""a""#, #""c""#), ("9", "10")]
                for (old, new) in changes { replace(old, new)(&request) }
            }),
        Case(
            name: "all of it", matching: .exact.ignoring(.json("$")),
            change: { $0.body = Array("[]".utf8) }),
        Case(
            name: "all elements", matching: .exact.ignoring(.json("$.list[*]")),
            change: replace(#"{"id":"a","n":1},{"id":"b","n":2}"#, "7,8,9")),
        Case(
            name: "members in another order", matching: .exact.ignoring(.json("$.sent")),
            change: replace(#""id":"a","n":1"#, #""n":1,"id":"a""#),
            difference: "in the body, the members of $.list[0] are in another order"),
        Case(
            name: "members in another order by meaning", matching: .flexible,
            change: replace(#""id":"a","n":1"#, #""n":1.0,"id":"\u0061""#)),
        Case(
            name: "a parameter", matching: .exact.ignoring(.query("nonce")),
            change: replace("nonce=1", "nonce=2")),
        Case(
            name: "a parameter that is gone", matching: .exact.ignoring(.query("nonce")),
            change: replace("nonce=1&", "")),
        Case(
            name: "another parameter", matching: .exact.ignoring(.query("nonce")),
            change: replace("q=x", "q=y"),
            difference: #"the URL's query differs at parameter 1: recorded "q=x", now "q=y""#),
        Case(
            name: "parameters in another order", matching: .flexible,
            change: replace("nonce=1&q=x", "q=%78&nonce=1")),
        Case(
            name: "one parameter more", matching: .flexible,
            change: replace("q=x", "q=x&r"),
            difference: #"the URL's query differs at "r": recorded none, now "r""#),
        Case(
            name: "segments", matching: .exact.ignoring(.path("/c/*/m/*")),
            change: replace("/c/abc/m/7", "/c/xyz/m/8")),
        Case(
            name: "another segment", matching: .exact.ignoring(.path("/c/*/m/*")),
            change: replace("/m/", "/n/"),
            difference: #"the URL's path differs: recorded "/c/abc/m/7", now "/c/abc/n/7""#),
        Case(
            name: "more segments", matching: .exact.ignoring(.path("/c/*/m/*")),
            change: replace("/m/7", "/m/7/8"),
            difference: #"the URL's path differs: recorded "/c/abc/m/7", now "/c/abc/m/7/8""#),
        Case(
            name: "a header field", matching: .exact.ignoring(.header("x-trace")),
            change: { $0.headers.fields[1].value = "t2" }),
        Case(
            name: "a header field that is gone", matching: .exact.ignoring(.header("X-TRACE")),
            change: { $0.headers.fields.remove(at: 1) }),
        Case(
            name: "another header field", matching: .exact.ignoring(.header("X-Trace")),
            change: { $0.headers.fields[2].value = "2" },
            difference: #"the header X-One differs: recorded "1", now "2""#),
        Case(
            name: "only one header field, others differ",
            matching: .exact.comparing(fields: "x-one"),
            change: { $0.headers = ["content-type": "application/json", "X-ONE": "1"] }),
        Case(
            name: "only one header field, which differs",
            matching: .exact.comparing(fields: "X-One"),
            change: { $0.headers.fields[2].value = "2" },
            difference: #"the header X-One differs: recorded "1", now "2""#),
        Case(
            name: "only one header field, which is gone",
            matching: .exact.comparing(fields: "X-One"),
            change: { $0.headers.fields.remove(at: 2) },
            difference: "the header X-One is missing"),
        Case(
            name: "the host", matching: .flexible,
            change: { $0.url = $0.url.replacing("https://a.example", with: "http://127.0.0.1:1") }),
    ])
    func lets(_ each: Case) async throws {
        let transport = ReplayTransport(
            recording: try recording(Self.recorded), matching: each.matching)
        var request = Self.request
        each.change(&request)
        #expect(
            request.body != Self.request.body || request.url != Self.request.url
                || request.headers != Self.request.headers)
        do {
            _ = try await transport.send(request)
            #expect(each.difference == nil)
        } catch {
            #expect(error.code == .noSuchRequest)
            #expect(transport.misses.first?.differences.first?.description == each.difference)
        }
    }

    @Test(
        "A place is a text, and the text that place",
        arguments: [
            RequestPlace.json("$.a[0]..b"), .query("nonce"), .header("X-One"), .path("/a/*"),
            .part("file"),
        ])
    func text(place: RequestPlace) throws {
        #expect(try RequestPlace(place.description) == place)
        #expect(place.problem == nil)
    }

    @Test(
        "What is no place is told",
        arguments: [
            ("", #""" is no place in a request: it is "#), ("json:", #""json:" is no place in"#),
            ("json", #""json" is no place in a request: it is json:PATH, query:NAME, "#),
            ("cookie:a", #""cookie:a" is no place in a request"#),
            ("json:a.b", #""a.b" is no path into JSON: it begins with $, as in $.messages[*].id"#),
            ("json:$.", #""$." is no path"#), ("json:$.a[", #""$.a[" is no path"#),
            ("json:$.a[-1]", #""$.a[-1]" is no path"#), ("json:$a", #""$a" is no path"#),
            (#"json:$["a]"#, "is no path"),
        ])
    func noPlace(text: String, message: String) {
        let error = #expect(throws: RequestPlaceError.self) { try RequestPlace(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
