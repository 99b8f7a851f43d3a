import RepriseTape
import TestSupport
import Testing

@Suite("A live stream on a tape", .timeLimit(.minutes(10)))
struct RecordingEndToEndTests {
    @Test(
        "200 compressed chunks, cut inside JSON and characters, are on the tape as they were sent",
        arguments: ["gzip", "deflate", "raw-deflate", "identity"])
    func verbatim(coding: String) async throws {
        let session = try await AgoSession()
        let result = try await session.ago(
            "send", "Say much peer:chunks=200,cuts=hard,gap=2,stream=anthropic-messages",
            "peer:coding=\(coding)", tape: "long"
        ).run()
        try #require(result.status == 0, "\(result.errorText)")
        let log = try session.peer.readLog()
        let frames = try await session.frames("long.tape")

        let sent = log.pieces(of: 1).map(\.data)
        #expect(sent.count >= 200)
        #expect(frames.filter { $0.kind == "responseBody" }.map(\.bytes) == sent)
        #expect(frames.filter { $0.kind == "end" }.map(\.how) == ["complete"])

        var said = Said()
        log.said(to: 1).forEach { said.take($0) }
        #expect(result.text.contains(said.content.trimmingSpace))
        let latencies = latencies(of: result, log)
        print("\(coding), from the peer to the terminal:", LatencyTests.figures(latencies))
        // Handed on as they come: the first is there before the last is sent.
        let first = try #require(result.reads.first).time
        #expect(first < (log.pieces(of: 1).last?.time ?? 0))
    }

    /// For each piece that completed some text, the time from its sending to the text's arrival
    /// on standard output, in nanoseconds.
    private func latencies(of result: Command.Result, _ log: PeerLog) -> [Int64] {
        var said = Said()
        var found: [Int64] = []
        for (piece, bytes) in zip(log.pieces(of: 1), log.said(to: 1)) {
            let before = said.content.utf8.count
            said.take(bytes)
            let length = said.content.utf8.count
            guard length > before, let read = result.reads.first(where: { $0.end >= length })
            else { continue }
            found.append(read.time - piece.time)
        }
        return found
    }

    @Test("The request on the wire is the request on the tape, but for the masked credential")
    func wire() async throws {
        let session = try await AgoSession("--pace", "0")
        _ = try await session.ago("send", "Hello, Zürich", tape: "send").run()
        _ = try await session.ago(
            "ticket", "--subject", "Ünlü", "--typology", "question", "--priority", "high",
            "--body", "Line\r\nline", tape: "ticket"
        ).run()
        let log = try session.peer.readLog()
        let authority = "http://127.0.0.1:\(session.peer.port)"
        for (connection, tape) in [(1, "send.tape"), (2, "ticket.tape")] {
            let frames = try await session.frames(tape)
            let request = try #require(frames.first { $0.kind == "request" })
            let lines = (request.headers ?? []).map { "\($0[0]): \($0[1])\r\n" }.joined()
            let target = try #require(request.url).replacing(authority, with: "")
            let head = "\(request.method ?? "") \(target) HTTP/1.1\r\n\(lines)\r\n"
            let wire = String(decoding: log.received(on: connection), as: UTF8.self)
            let masked = wire.masking(AgoSession.token).masking(AgoSession.widgetId)
            #expect(masked == head + String(decoding: frames.bytes("requestBody"), as: UTF8.self))
            #expect(wire.contains(AgoSession.token))
        }
    }
}

extension String {
    /// With each character of `secret` as a star.
    func masking(_ secret: String) -> String {
        split(separator: secret, omittingEmptySubsequences: false)
            .joined(separator: String(repeating: "*", count: secret.count))
    }

    var trimmingSpace: String {
        var rest = Substring(self)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
