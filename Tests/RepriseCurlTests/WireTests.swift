import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a recording says was sent is what was sent, byte for byte.
@Suite struct WireTests {
    static let requests: [(method: String, headers: Headers, body: [UInt8])] = [
        ("GET", [:], []),
        ("GET", ["accept": "text/event-stream", "X-b": "2", "x-A": "1", "X-b": "3"], []),
        ("GET", ["X-Empty": "", "Host": "elsewhere.example", "User-Agent": "reprise"], []),
        ("POST", ["Content-Type": "application/json"], Array(#"{"content":"hi"}"#.utf8)),
        ("POST", [:], []),
        ("POST", ["Expect": ""], (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ("PUT", ["Content-Length": "3"], [0, 13, 10]),
        ("PATCH", ["X-Long": String(repeating: "y", count: 60_000)], [1]),
        ("DELETE", [:], []), ("DELETE", [:], [7]), ("OPTIONS", [:], []), ("HEAD", [:], []),
        ("REPORT", ["Cookie": "a=b", "Authorization": "Bearer x"], Array("<a/>".utf8)),
    ]

    @Test(arguments: requests.indices)
    func theRequestOnTheWireIsTheOneTold(_ index: Int) async throws {
        let (method, headers, body) = Self.requests[index]
        let peer = try await RawPeer.start()
        try await peer.script(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")], at: "/a/../b%20c")
        let request = Request(
            method: method, url: peer.url("/a/../b%20c?q=1&r"), headers: headers, body: body,
            call: 7)
        let visit = try await Visit.make(request)
        #expect(visit.error == nil)
        let told = try #require(visit.witness.request)
        #expect(told.call == 7)
        #expect(told.url == WireText(request.url))
        #expect(visit.witness.requestBody == body)
        let head = Self.head(told, target: "/a/../b%20c?q=1&r")
        #expect(try peer.peer.readLog().received(on: 1) == head + body)
        // Nothing but what the protocol needs was added.
        let added = told.headers.fields.filter { !headers.fields.contains($0) }
        #expect(added.allSatisfy { ["Host", "Content-Length"].contains($0.name.description) })
    }

    @Test func theRequestOverTLSIsTheOneTold() async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
        let transport = CurlTransport(
            options: CurlOptions(caFile: authority.file, proxy: .none))
        let body = [UInt8](repeating: 7, count: 100_000)
        let request = Request(method: "POST", url: peer.url("/?x"), headers: ["A": "b"], body: body)
        let visit = try await Visit.make(request, through: transport)
        #expect(visit.error == nil)
        #expect(visit.witness.requestBody == body)
        let told = try #require(visit.witness.request)
        #expect(try peer.peer.readLog().received(on: 1) == Self.head(told, target: "/?x") + body)
        #expect(visit.witness.phases?.tls != nil)
    }

    static func head(_ record: RequestRecord, target: String) -> [UInt8] {
        var bytes = Array("\(record.method) \(target) HTTP/1.1\r\n".utf8)
        for field in record.headers.fields {
            bytes += field.name.bytes + Array(field.value.bytes.isEmpty ? ":".utf8 : ": ".utf8)
            bytes += field.value.bytes + [13, 10]
        }
        return bytes + [13, 10]
    }

    @Test func bytesThatGoOutAreSplitAtTheBlankLine() {
        let head = Array("POST /a HTTP/1.1\r\nHost: b\r\n\r\n".utf8)
        let body = Array("body\r\n\r\nmore".utf8)
        let connect = Array("CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n".utf8)
        for prefix in [[], connect] {
            let whole = prefix + head + body
            for cut in 0...whole.count {
                var sent = SentBytes()
                var heads: [[UInt8]] = []
                var bodies: [UInt8] = []
                for part in [Array(whole[..<cut]), Array(whole[cut...])] {
                    for event in sent.push(part) {
                        switch event {
                        case .head(let bytes): heads.append(bytes)
                        case .body(let bytes): bodies += bytes
                        }
                    }
                }
                #expect(heads == [head])
                #expect(bodies == body)
                #expect(sent.isAnythingOut)
            }
        }
        var proxied = SentBytes()
        #expect(proxied.push(connect) == [])
        #expect(!proxied.isAnythingOut)
    }
}
