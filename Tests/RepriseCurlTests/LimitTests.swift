import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct LimitTests {
    private static let millisecond: Int64 = 1_000_000

    private func visit(
        _ name: String, _ steps: [Step], _ timeouts: Timeouts, isTLS: Bool = false
    ) async throws -> (Visit, took: Int64) {
        let peer = try await RawPeer.shared()
        let path = "/limits/\(name)"
        try await peer.script(steps, at: path)
        let url = isTLS ? "https://\(peer.place)\(path)" : peer.url(path)
        let began = LiveClock().now()
        let visit = try await Visit.make(Request(method: "GET", url: url, timeouts: timeouts))
        return (visit, (LiveClock().now() - began) / Self.millisecond)
    }

    private func expect(
        _ visit: Visit, _ code: TransportError.Code, _ took: Int64, atLeast limit: Int64
    ) {
        #expect(visit.error?.code == code)
        #expect(visit.error?.how == .timedOut)
        #expect(visit.end?.how == .timedOut)
        #expect(visit.end?.code == code.rawValue)
        #expect(took >= limit && took < limit + 20_000)
        #expect(visit.error?.message.contains("\(limit) ms") == true)
    }

    @Test func silenceBeforeTheHead() async throws {
        let (visit, took) = try await visit(
            "silence", [.hang], Timeouts(idle: 150 * Self.millisecond))
        expect(visit, .idleTimeout, took, atLeast: 150)
        #expect(visit.witness.kinds == ["request", "requestEnd", "phases", "end"])
    }

    @Test func silenceInTheBody() async throws {
        let (visit, took) = try await visit(
            "stall",
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), .hang],
            Timeouts(idle: 4_000 * Self.millisecond))
        expect(visit, .idleTimeout, took, atLeast: 4_000)
        #expect(visit.text == "hello")
        #expect(visit.end?.framing == .chunked)
    }

    @Test func aSlowStreamIsNotSilent() async throws {
        let (visit, took) = try await visit(
            "drip",
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .drip(chunks: 60, milliseconds: 100), .send("0\r\n\r\n"),
            ], Timeouts(idle: 4_000 * Self.millisecond))
        #expect(visit.error == nil)
        #expect(visit.deliveries.count == 60)
        #expect(took >= 5_900)
    }

    @Test func theWholeTakesTooLong() async throws {
        let (visit, took) = try await visit(
            "total",
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .drip(chunks: 1_000, milliseconds: 20), .send("0\r\n\r\n"),
            ], Timeouts(total: 200 * Self.millisecond))
        expect(visit, .totalTimeout, took, atLeast: 200)
    }

    /// A server that accepts and never answers the greeting of TLS.
    @Test func noConnectionInTime() async throws {
        let (visit, took) = try await visit(
            "connect", [], Timeouts(connect: 150 * Self.millisecond), isTLS: true)
        expect(visit, .connectTimeout, took, atLeast: 150)
        #expect(visit.error?.isBeforeRequest == true)
        #expect(visit.witness.kinds == ["request", "end"])
    }

    @Test func theWholeEndsBeforeAConnection() async throws {
        let (visit, took) = try await visit(
            "connect-total", [],
            Timeouts(connect: 20_000 * Self.millisecond, total: 150 * Self.millisecond),
            isTLS: true)
        expect(visit, .totalTimeout, took, atLeast: 150)
    }

    /// While the app holds the stream, silence is the app's own.
    @Test func holdingIsNotSilence() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .flood(chunks: 4_000, size: 8_000), .send("0\r\n\r\n"),
        ])
        let transport = CurlTransport(
            options: CurlOptions(proxy: .none, highWater: 65_536, lowWater: 16_384))
        let request = Request(
            method: "GET", url: peer.url(), timeouts: Timeouts(idle: 2_000 * Self.millisecond))
        var held = false
        let visit = try await Visit.make(request, through: transport) { _ in
            if held { return }
            held = true
            // Answers only after three quarters of a second without progress.
            try await peer.peer.tell("stuck")
            // The limit is real time, so what must outlast it is too.
            try await LiveClock().sleep(for: 2_500 * Self.millisecond)
        }
        #expect(visit.error == nil)
        #expect(visit.body.count == 32_000_000)
    }
}
