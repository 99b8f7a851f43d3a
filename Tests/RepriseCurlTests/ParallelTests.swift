import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct ParallelTests {
    @Test func twoHundredStreamsAtOnce() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .drip(chunks: 20, milliseconds: 10), .send("0\r\n\r\n"),
        ])
        let url = peer.url()
        let visits = try await withThrowingTaskGroup(of: Visit.self) { group in
            for _ in 0..<200 {
                group.addTask { try await Visit.make(Request(method: "GET", url: url)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let expected = (0..<20).map { "\($0);" }
        #expect(visits.count == 200)
        #expect(visits.allSatisfy { $0.error == nil && $0.cuts == expected })
        #expect(visits.allSatisfy { $0.witness.deliveries == $0.deliveries })
    }

    /// The app never sees what is not committed.
    @Test func chunksComeAfterTheirCommit() async throws {
        let peer = try await RawPeer.shared()
        let path = "/commit-order"
        let steps: [Step] = [
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .flood(chunks: 3_000, size: 64), .send("0\r\n\r\n"),
        ]
        try await peer.script(steps, at: path)
        let witness = Witness()
        let response = try await CurlTransport.direct.send(
            Request(method: "GET", url: peer.url(path)), observer: witness)
        #expect(witness.committed.contains { $0.content.kind == .response })
        var seen = 0
        var isInOrder = true
        for try await delivery in response.body {
            seen += delivery.bytes.count
            isInOrder = isInOrder && witness.committedBytes >= seen
        }
        #expect(isInOrder)
        #expect(seen == 3_000 * 64)
        #expect(witness.committed.last?.content.kind == .end)
        // Groups, not single chunks: one commit a turn.
        #expect(witness.commits < 3_000)
    }
}
