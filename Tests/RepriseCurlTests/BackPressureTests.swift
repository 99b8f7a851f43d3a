import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct BackPressureTests {
    @Test func aReaderThatSleepsHoldsTheServerBack() async throws {
        let (chunks, size) = (4_000, 8_000)
        let peer = try await RawPeer.start()
        try await peer.script([
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .flood(chunks: chunks, size: size), .send("0\r\n\r\n"),
        ])
        let witness = Witness()
        let response = try await CurlTransport.direct.send(
            Request(method: "GET", url: peer.url()), observer: witness)
        try await peer.peer.tell("stuck")
        // The high mark, and what one call of libcurl may bring beyond it: twice a hundred reads.
        let queued = witness.deliveries.reduce(0) { $0 + $1.bytes.count }
        #expect(queued >= 1 << 20)
        #expect(queued <= (1 << 20) + 3_400_000)
        var whole: [UInt8] = []
        var isCutKept = true
        for try await delivery in response.body {
            // No delivery reaches over the end of a chunk: none were melted together.
            let start = whole.count
            whole += delivery.bytes
            isCutKept = isCutKept && start / size == (whole.count - 1) / size
        }
        #expect(isCutKept)
        #expect(whole.count == chunks * size)
        let isRight = (0..<chunks).allSatisfy { index in
            whole[(index * size)..<(index * size + 8)].elementsEqual(Self.digits(index))
        }
        #expect(isRight)
        #expect(witness.deliveries.flatMap(\.bytes) == whole)
        #expect(witness.end == EndRecord(how: .complete, framing: .chunked, proven: true))
    }

    private static func digits(_ index: Int) -> [UInt8] {
        let text = String(index)
        return Array((String(repeating: "0", count: 8 - text.utf8.count) + text).utf8)
    }

    @Test func aHeldStreamCanBeDropped() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .flood(chunks: 6_000, size: 8_000), .send("0\r\n\r\n"),
        ])
        let witness = Witness()
        do {
            _ = try await CurlTransport.direct.send(
                Request(method: "GET", url: peer.url()), observer: witness)
        }
        try await peer.peer.tell("gone 1")
        try await witness.untilEnd()
        #expect(witness.end?.how == .cancelled)
    }
}
