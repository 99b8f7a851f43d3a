import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct CutTests {
    private let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func twoChunksInOneReadAreTwoDeliveriesOfOneTime() async throws {
        let peer = try await RawPeer.shared()
        let path = "/cuts-two"
        let steps: [Step] = [
            .send(head), .send("1\r\n.\r\n"), .wait, .send("3\r\nabc\r\n4\r\ndefg\r\n"), .wait,
            .send("0\r\n\r\n"),
        ]
        try await peer.script(steps, at: path)
        let visit = try await Visit.make(Request(method: "GET", url: peer.url(path))) { delivery in
            if delivery.bytes.count != 3 { try await peer.go(path) }
        }
        #expect(visit.error == nil)
        #expect(visit.cuts == [".", "abc", "defg"])
        let times = visit.witness.deliveries.map(\.time)
        try #require(times.count == 3)
        #expect(times[0] < times[1])
        #expect(times[1] == times[2])
    }

    @Test func oneChunkInThreeReadsIsThreeDeliveries() async throws {
        let peer = try await RawPeer.shared()
        let path = "/cuts-three"
        let steps: [Step] = [
            .send(head), .send("9\r\nabc"), .wait, .send("def"), .wait, .send("ghi\r\n0\r\n\r\n"),
        ]
        try await peer.script(steps, at: path)
        let visit = try await Visit.make(Request(method: "GET", url: peer.url(path))) { _ in
            try await peer.go(path)
        }
        #expect(visit.error == nil)
        #expect(visit.cuts == ["abc", "def", "ghi"])
        #expect(Set(visit.witness.deliveries.map(\.time)).count == 3)
    }

    @Test func aCodedBodyStaysCoded() async throws {
        let peer = try await RawPeer.shared()
        let path = "/cuts-gzip"
        // "hi" as gzip; what matters is that not one byte is touched.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0xC8, 4, 0, 0xAC, 0x2A, 0x93, 0xD8, 2, 0, 0,
            0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)"
        try await peer.script([.send("\(head)\r\n\r\n"), .bytes(gzip)], at: path)
        let request = Request(
            method: "GET", url: peer.url(path), headers: ["Accept-Encoding": "gzip, deflate"])
        let visit = try await Visit.make(request)
        #expect(visit.body == gzip)
        #expect(visit.witness.deliveries.flatMap(\.bytes) == gzip)
        #expect(visit.witness.deliveries.allSatisfy { !$0.isDecoded })
    }
}

@Suite struct BodyCutsTests {
    @Test(arguments: [
        ("5\r\nhello\r\n0\r\n\r\n", [5]), ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", [1, 2]),
        ("A;name=\"5\"\r\n0123456789\r\n00\r\nX: y\r\n\r\nmore", [10]), ("3\nabc\n0\n\n", [3]),
        ("fffffffffffffffffffff", [5]), ("0\r\n\r\n", []), ("3\r\nab", [2]),
    ])
    func piecesAreChunks(_ text: String, _ lengths: [Int]) {
        var cuts = BodyCuts(isChunked: true)
        #expect(cuts.push(Array(text.utf8)) == lengths)
    }

    @Test func aSplitAddsACutAndNothingElse() {
        let whole = Array("5\r\nhello\r\n1f\r\n0123456789012345678901234567890\r\n0\r\n\r\n".utf8)
        for at in 0...whole.count {
            var cuts = BodyCuts(isChunked: true)
            let parts = cuts.push(Array(whole[..<at])) + cuts.push(Array(whole[at...]))
            #expect(parts.reduce(0, +) == 36)
            #expect(parts.count == 2 || (parts.count == 3 && parts.allSatisfy { $0 > 0 }))
        }
    }

    @Test func otherBodiesAreCutByReads() {
        var cuts = BodyCuts(isChunked: false)
        #expect(cuts.push([1, 2]) == [2])
        #expect(cuts.push([]) == [])
        #expect(cuts.push([3]) == [1])
    }
}
