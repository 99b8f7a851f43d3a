import ChatbaseKit
import RepriseAnalysis
import RepriseSession
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite("A turn of Chatbase over several streams", .timeLimit(.minutes(10)))
struct AgreementTests {
    /// The server runs a tool; the app runs one that returns and, in the next stream, one that
    /// throws. Every result comes too early at first.
    static let message =
        "Rain? peer:tools=search!+get_weather/find_order,not-ready=1,cuts=hard,coding=gzip"

    @Test("The reply, the callbacks, the tape, its replay and its report agree")
    func threeStreams() async throws {
        var peer: Peer? = try await Peer.start("chatbase", "--pace", "0.1")
        let turn = try await RecordedTurn(Self.message, to: try #require(peer))
        let response = try turn.outcome.get()
        let said = turn.heard.lines.filter { $0.hasPrefix("text ") }.map { $0.dropFirst(5) }
        #expect(response.message.text == said.joined())
        #expect(
            turn.heard.tools.map { $0.prefix { $0 != "{" } } == [
                "call search ", "result search ", "call get_weather ", "result get_weather ",
                "call find_order ", "result find_order ",
            ])
        #expect(turn.heard.tools[3] == #"result get_weather {"celsius":20.5,"city":"Zürich"}"#)
        #expect(turn.heard.tools[5] == #"result find_order {"error":"there is no such order"}"#)
        #expect(response.finishReason == .stop)
        #expect(response.usage.credits == 1)

        let log = try #require(peer).readLog()
        let url = try #require(peer).chatbaseURL
        let bodies = try bodies(of: turn.path)
        #expect(bodies == log.requestBodies)
        peer = nil
        try await replay(turn, from: url, bodies: bodies)
        try report(turn, response)
    }

    /// Runs the turn again from its tape, recorded anew: without network and without its tools.
    private func replay(
        _ turn: RecordedTurn, from url: String, bodies: [[UInt8]]
    ) async throws {
        let transport = ReplayTransport(recording: try Recording(path: turn.path))
        let again = turn.folder.file("again.tape")
        let recorder = try TapeRecorder(path: again)
        let client = RecordedTurn.client(
            url, RecordingTransport(base: transport, recorder: recorder))
        let heard = Heard()
        let outcome = await RecordedTurn.send(Self.message, client, heard)
        try recorder.close()
        #expect(try outcome.get() == turn.outcome.get())
        #expect(heard.lines == turn.heard.lines)
        #expect(transport.misses.isEmpty && transport.unconsumed.isEmpty)
        #expect(try self.bodies(of: again) == bodies)
        let check = ReplayCheck(try Recording(path: turn.path), clients: [ChatbaseReplayer.self])
        #expect(try await check.run().map(\.description) == [])
    }

    private func report(_ turn: RecordedTurn, _ response: ChatResponse) throws {
        let tape = try AnalyzedTape(
            name: "turn", bytes: try turn.folder.bytes("turn.tape"), dialects: [ChatbaseDialect()])
        let session = tape.session
        #expect(session.turns.map(\.outcome) == [.finished])
        #expect(session.turns.first?.exchanges.count == 7)
        #expect(session.turns.first?.textBytes == response.message.text.utf8.count)
        #expect(session.turns.first?.usage?.credits == 3_000_000)
        #expect(session.turns.first?.usage?.clientCredits == 1_000_000)
        let tools = session.tools
        #expect(tools.map(\.name) == ["search", "get_weather", "find_order"])
        #expect(tools.map(\.side) == [.server, .client, .client])
        #expect(tools.map(\.outcome) == [.succeeded, .succeeded, .threw])
        #expect(tools.map(\.submissions) == [0, 2, 2])
        #expect(tools.allSatisfy { $0.argumentTime ?? -1 >= 0 && $0.executionTime ?? -1 >= 0 })
        // Waiting for the server to be ready is a part of it.
        #expect(tools.dropFirst().allSatisfy { $0.executionTime ?? 0 >= 300_000_000 })
        #expect(tools.map { $0.handlerTime == nil } == [true, false, false])
        #expect(session.violations.map(\.rule) == ["chatbase.B10a", "chatbase.B11c"])
    }

    /// The bodies of the requests on a tape.
    private func bodies(of tape: String) throws -> [[UInt8]] {
        let recording = try TapeReader(path: tape)
        var bodies: [UInt64: [UInt8]] = [:]
        while let item = try recording.next() {
            guard case .frame(let frame) = item else { continue }
            if case .requestBody(let bytes) = try frame.content() {
                bodies[frame.exchange, default: []] += bytes
            }
        }
        return bodies.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension PeerLog {
    /// The bodies of the requests that came, in order, each with its length announced.
    var requestBodies: [[UInt8]] {
        var bodies: [[UInt8]] = []
        for connection in 1...(entries.compactMap(\.connection).max() ?? 1) {
            var rest = received(on: connection)[...]
            while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self).lowercased()
                let length =
                    head.split(separator: "\r\n").compactMap { line in
                        line.hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
                    }.first ?? 0
                bodies.append(Array(rest[end.upperBound...].prefix(length)))
                rest = rest[end.upperBound...].dropFirst(length)
            }
        }
        return bodies
    }
}
