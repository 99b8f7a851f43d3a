import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct SocketBackPressureTests {
    private static let (count, size) = (4_000, 8_000)

    private static func flood(_ peer: RawPeer, at path: String = "/") async throws {
        try await peer.script(
            [
                .send(Dial.switching), .frames(count: count, size: size),
                .bytes(WebSocketFrame(.close, [3, 0xE8]).served), .hang,
            ], at: path)
    }

    @Test func aReaderThatSleepsHoldsTheServerBack() async throws {
        let peer = try await RawPeer.start()
        try await Self.flood(peer)
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        try await peer.peer.tell("stuck")
        let queued = dial.witness.frames(of: .server).reduce(0) { $0 + $1.frame.payload.count }
        #expect(queued >= (1 << 20) - 65_536)
        // The mark, and one read beyond it.
        #expect(queued <= (1 << 20) + 65_536)

        // Meanwhile others go on, also those that make libcurl look for dead connections.
        try await peer.script(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")], at: "/other")
        for _ in 0..<3 {
            let visit = try await Visit.make(Request(method: "GET", url: peer.url("/other")))
            #expect(visit.text == "ok")
            // It looks for them once a second.
            try await LiveClock().sleep(for: 1_050_000_000)
        }
        var frames = 0
        while let frame = try await channel.next()?.frame, frame.opcode == .binary {
            let digits = String(decoding: frame.payload.prefix(8), as: UTF8.self)
            #expect(Int(digits) == frames && frame.payload.count == Self.size)
            frames += 1
        }
        #expect(frames == Self.count)
        #expect(dial.witness.frames(of: .server).count == Self.count + 1)
        channel.end(EndRecord(how: .complete))
        try await dial.witness.untilEnd()
    }

    @Test func aHeldWebSocketCanBeDropped() async throws {
        let peer = try await RawPeer.start()
        try await Self.flood(peer)
        let witness = Witness()
        do {
            let dial = await Dial.make(peer.url(), witness: witness)
            #expect(dial.channel != nil)
            try await peer.peer.tell("stuck")
        }
        try await peer.peer.tell("gone 1")
        try await witness.untilEnd()
        #expect(witness.end?.how == .cancelled)
    }

    /// TLS holds bytes that the system does not tell of.
    @Test func aReaderThatSleepsLosesNothingOverTLS() async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await Self.flood(peer)
        let transport = CurlTransport(
            options: CurlOptions(
                caFile: authority.file, proxy: .none, highWater: 30_000, lowWater: 10_000))
        let dial = await Dial.make("wss://\(peer.place)/", through: transport)
        let channel = try #require(dial.channel)
        try await peer.peer.tell("stuck")
        var frames = 0
        while let frame = try await channel.next()?.frame, frame.opcode == .binary { frames += 1 }
        #expect(frames == Self.count)
        channel.end(EndRecord(how: .complete))
        try await dial.witness.untilEnd()
    }
}
