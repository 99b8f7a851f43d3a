import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct FailureTests {
    @Test func aRefusedConnection() async throws {
        // Port 1 of the loopback: nobody listens there.
        let url = "http://user:secret@127.0.0.1:1/path?token=hidden"
        let visit = try await Visit.make(Request(method: "GET", url: url, call: 3))
        let error = try #require(visit.error)
        #expect(error.code == .connect)
        #expect(error.isBeforeRequest)
        #expect(error.message.contains("127.0.0.1:1"))
        #expect(!error.message.contains("secret") && !error.message.contains("hidden"))
        #expect(visit.witness.kinds == ["request", "end"])
        #expect(
            visit.witness.request
                == RequestRecord(call: 3, method: "GET", url: WireText(url), headers: [:]))
        #expect(
            visit.end
                == EndRecord(
                    how: .failed, code: "transport.connect", message: error.message))
    }

    @Test func anUnknownHost() async throws {
        let visit = try await Visit.make(Request(method: "GET", url: "http://nowhere.invalid/"))
        #expect(visit.error?.code == .resolve)
        #expect(visit.error?.message.contains("nowhere.invalid") == true)
        #expect(visit.end?.how == .failed)
    }

    @Test(arguments: [
        "", "/relative", "example.com", "ftp://example.com/", "file:///etc/passwd", "http://",
        "http://example.com/a b", "http://example.com/\r\nX: y", "http://exa\u{0}mple.com/",
        "http://example.com/ä", "http://example.com:99999/", "http://[::1/",
    ])
    func aURLThatCannotBeUsed(_ url: String) async throws {
        let visit = try await Visit.make(Request(method: "GET", url: url))
        #expect(visit.error?.code == .badRequest)
        #expect(visit.witness.kinds == ["request", "end"])
        #expect(visit.end?.code == "transport.badRequest")
        #expect(visit.witness.committed.count == 2)
    }

    static let badRequests: [(String, [(String, [UInt8])], [UInt8])] = [
        ("GET", [("X", Array("a\r\nY: b".utf8))], []), ("GET", [("X", [0])], []),
        ("GET", [("X", Array("a\nb".utf8))], []), ("GET", [("X", Array("a\rb".utf8))], []),
        ("GET", [("X\r\nY", [])], []), ("GET", [("X Y", [])], []), ("GET", [("", [])], []),
        ("GET", [("X:", [])], []), ("GET", [("X;", [])], []), ("GET", [("Ä", [])], []),
        ("GET /x HTTP/1.1\r\nX:", [], []), ("", [], []), ("CONNECT", [], []),
        ("POST", [("content-length", Array("1".utf8))], [1, 2]),
        ("POST", [("Transfer-Encoding", Array("chunked".utf8))], [1]), ("HEAD", [], [1]),
    ]

    @Test(arguments: badRequests.indices)
    func aRequestThatCannotBeSent(_ index: Int) async throws {
        let (method, fields, body) = Self.badRequests[index]
        let peer = try await RawPeer.shared()
        let headers = Headers(
            fields.map { Headers.Field(WireText($0.0), WireText(bytes: $0.1)) })
        let visit = try await Visit.make(
            Request(method: method, url: peer.url(), headers: headers, body: body))
        #expect(visit.error?.code == .badRequest)
        #expect(visit.witness.kinds == ["request", "end"])
    }
}
