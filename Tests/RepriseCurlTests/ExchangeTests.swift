import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct ExchangeTests {
    @Test func deliversAStreamAndTellsAllOfIt() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send("HTTP/1.1 200 Fine Thanks\r\nX-One: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .send("5\r\nhello\r\n"), .wait, .send("6\r\n world\r\n"), .wait, .send("0\r\n\r\n"),
        ])
        let visit = try await Visit.make(Request(method: "GET", url: peer.url())) { _ in
            try await peer.go()
        }
        #expect(visit.error == nil)
        #expect(visit.head?.status == 200)
        #expect(visit.head?.reason == "Fine Thanks")
        #expect(visit.head?.version == "1.1")
        #expect(visit.head?.headers == ["X-One": "1", "Transfer-Encoding": "chunked"])
        #expect(visit.cuts == ["hello", " world"])
        let witness = visit.witness
        #expect(
            witness.kinds == ["request", "requestEnd", "phases", "response", "responseBody", "end"])
        #expect(witness.deliveries == visit.deliveries)
        #expect(witness.end == EndRecord(how: .complete, framing: .chunked, proven: true))
        #expect(witness.entries.map(\.time) == witness.entries.map(\.time).sorted())
        #expect(witness.committed.count == witness.entries.count)
    }

    @Test func sendsABody() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")])
        let request = Request(
            method: "POST", url: peer.url(), headers: ["Content-Type": "application/json"],
            body: Array("{}".utf8))
        let visit = try await Visit.make(request)
        #expect(visit.error == nil)
        #expect(visit.text == "ok")
        #expect(visit.witness.kinds.prefix(3) == ["request", "requestBody", "requestEnd"])
        #expect(visit.end == EndRecord(how: .complete, framing: .length, proven: true))
    }
}
