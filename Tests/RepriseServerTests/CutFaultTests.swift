import RepriseServer
import RepriseTransport
import TestSupport
import Testing

/// What cuts and faults are on the wire.
@Suite struct CutFaultTests {
    private static let head =
        "HTTP/1.1 200 OK\r\nConnection: close\r\nA: b\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"

    private static let recorded = [
        Serving.response(#"["A","b"],["Transfer-Encoding","chunked"]"#),
        Serving.body(#"data: é\n\n"#), Serving.body(#"data: b\n\n"#), Serving.end(),
    ]

    private func text(of serving: Serving) async throws -> String {
        let seen = try await Seen.client(
            "raw", serving.port, input: "GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return seen.text
    }

    @Test(arguments: [
        (Cuts.asRecorded, "A\r\ndata: é\n\n\r\n9\r\ndata: b\n\n\r\n"),
        (.oneBlob, "13\r\ndata: é\n\ndata: b\n\n\r\n"),
        (
            .beforeLineEnds,
            "8\r\ndata: é\r\n1\r\n\n\r\n1\r\n\n\r\n7\r\ndata: b\r\n1\r\n\n\r\n1\r\n\n\r\n"
        ),
    ])
    func cuts(cuts: Cuts, chunks: String) async throws {
        let serving = try Serving.start(Self.recorded, cuts: cuts)
        #expect(try await text(of: serving) == Self.head + chunks + "0\r\n\r\n")
        await serving.server.untilConsumed()
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test(arguments: [
        ("cut@event:1,end=fin", head + "A\r\ndata: é\n\n\r\n"),
        ("cut@byte:12,end=fin", head + "A\r\ndata: é\n\n\r\n2\r\nda\r\n"),
        ("reorder@event:1", head + "9\r\ndata: b\n\n\r\nA\r\ndata: é\n\n\r\n0\r\n\r\n"),
        (
            "duplicate@event:1",
            head + "A\r\ndata: é\n\n\r\nA\r\ndata: é\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n"
        ),
    ])
    func faults(fault: String, wire: String) async throws {
        let serving = try Serving.start(Self.recorded, faults: [try Fault(fault)])
        #expect(serving.server.unstruck == [try Fault(fault)])
        #expect(try await text(of: serving) == wire)
        #expect(serving.server.unstruck.isEmpty)
        await serving.server.stop()
    }

    @Test func aStatusLeavesWhatWasRecordedToTheNextAttempt() async throws {
        let serving = try Serving.start(
            Self.recorded, faults: [try Fault("status=503@exchange:1,body=no")])
        #expect(serving.server.unstruck.count == 1)
        let first = try await text(of: serving)
        #expect(first.hasPrefix("HTTP/1.1 503 ") && first.hasSuffix("\r\n\r\nno"))
        #expect(serving.server.exchanges.map(\.state) == [.unasked])
        #expect(serving.server.unstruck.isEmpty)
        let second = try await text(of: serving)
        #expect(second.hasPrefix(Self.head) && second.hasSuffix("0\r\n\r\n"))
        await serving.server.untilConsumed()
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }
}
