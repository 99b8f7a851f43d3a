import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a server answers to the request for a WebSocket, and what that must be called.
struct AnswerCase: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [Step]
    /// The status where a head came.
    var status: Int?
    var pieces: [String] = []
    var how = EndRecord.How.complete
    var framing: EndRecord.Framing?
    var proven: Bool?
    var code: TransportError.Code?
    var trailers: Headers?

    var testDescription: String { name }
}

@Suite struct SocketAnswerTests {
    private static let refused = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 6\r\n\r\n"
    private static let chunked = "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let cases: [AnswerCase] = [
        AnswerCase(
            name: "length", steps: [.send(refused + "denied and more")], status: 401,
            pieces: ["denied"], framing: .length, proven: true),
        AnswerCase(
            name: "chunked",
            steps: [
                .send(chunked + "3;a=b\r\nnot\r\n5\r\n here\r\n0\r\nX-Why: late\r\n\r\n")
            ], status: 403, pieces: ["not", " here"], framing: .chunked, proven: true,
            trailers: ["X-Why": "late"]),
        AnswerCase(
            name: "close",
            steps: [.send("HTTP/1.1 503 Service Unavailable\r\n\r\nlater"), .fin],
            status: 503, pieces: ["later"], framing: .close, proven: false),
        AnswerCase(
            name: "nothing", steps: [.send("HTTP/1.1 204 No Content\r\n\r\n"), .hang],
            status: 204, framing: .length, proven: true),
        AnswerCase(
            name: "interim",
            steps: [
                .send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n"),
                .send(refused + "denied"),
            ], status: 401, pieces: ["denied"], framing: .length, proven: true),
        AnswerCase(
            name: "length-cut", steps: [.send(refused + "den"), .fin], status: 401,
            pieces: ["den"], how: .reset, framing: .length, code: .closed),
        AnswerCase(
            name: "chunked-cut", steps: [.send(chunked + "8\r\nnot"), .fin], status: 403,
            pieces: ["not"], how: .reset, framing: .chunked, code: .closed),
        AnswerCase(
            name: "chunked-end-cut", steps: [.send(chunked + "3\r\nnot\r\n0\r\n"), .fin],
            status: 403, pieces: ["not"], how: .reset, framing: .chunked, code: .closed),
        AnswerCase(
            name: "chunked-bad", steps: [.send(chunked + "3\r\nnot\r\nzz\r\n"), .hang],
            status: 403, pieces: ["not"], how: .failed, framing: .chunked, code: .malformed),
        AnswerCase(
            name: "length-bad",
            steps: [.send("HTTP/1.1 401 No\r\nContent-Length: 6, 7\r\n\r\ndenied"), .hang],
            status: 401, how: .failed, framing: nil, code: .malformed),
        AnswerCase(name: "nothing-at-all", steps: [.fin], how: .reset, code: .closed),
        AnswerCase(
            name: "head-cut", steps: [.send("HTTP/1.1 101 Switching Protocols\r\nUpgr"), .fin],
            how: .reset, code: .closed),
        AnswerCase(
            name: "interim-only", steps: [.send("HTTP/1.1 103 Early Hints\r\n\r\n"), .fin],
            how: .reset, code: .closed),
        AnswerCase(
            name: "head-reset", steps: [.send("HTTP/1.1 101 Swi"), .wait, .reset],
            how: .reset, code: .reset),
        AnswerCase(
            name: "not-http", steps: [.send("SSH-2.0-OpenSSH\r\n"), .hang], how: .failed,
            code: .malformed),
        AnswerCase(
            name: "not-http-later",
            steps: [.send("HTTP/1.1 103 Early Hints\r\n\r\nUpgrade: websocket\r\n"), .hang],
            how: .failed, code: .malformed),
        AnswerCase(
            name: "large-head",
            steps: [
                .send("HTTP/1.1 101 Switching Protocols\r\n"),
                .repeated("A: 0123456789\r\n", times: 80_000),
                .hang,
            ], how: .failed, code: .malformed),
        AnswerCase(
            name: "large-line",
            steps: [
                .send("HTTP/1.1 101 Switching Protocols\r\nA: "),
                .repeated("0123456789", times: 110_000), .hang,
            ], how: .failed, code: .malformed),
    ]

    @Test(arguments: cases)
    func isCalledWhatItIs(_ example: AnswerCase) async throws {
        let peer = try await RawPeer.shared()
        let path = "/socket/answer/\(example.name)"
        try await peer.script(example.steps, at: path)
        async let go: Void = example.steps.contains(where: \.isWait) ? peer.go(path) : ()
        let dial = await Dial.make(peer.url(path))
        try await go
        var error = dial.error
        var pieces: [String] = []
        do throws(TransportError) {
            var iterator = dial.body?.makeAsyncIterator()
            while let delivery = try await iterator?.next() {
                pieces.append(String(decoding: delivery.bytes, as: UTF8.self))
            }
        } catch let failure {
            error = failure
        }
        #expect(dial.channel == nil)
        #expect(dial.response?.head.status == example.status)
        #expect(pieces == example.pieces)
        #expect(error?.code == example.code)
        #expect(error?.how == (example.code == nil ? nil : example.how))
        let end = try #require(dial.end)
        #expect(end.how == example.how)
        #expect(end.framing == example.framing)
        #expect(end.proven == example.proven)
        #expect(end.trailers == example.trailers)
        #expect(end.code == example.code?.rawValue)
        #expect(end.message == error?.message)
        let told = dial.witness.deliveries.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(told == example.pieces)
        var kinds = ["request", "requestEnd", "phases", "response", "responseBody", "end"]
        if example.status == nil { kinds.removeAll { $0 == "response" } }
        if pieces.isEmpty { kinds.removeAll { $0 == "responseBody" } }
        #expect(dial.witness.kinds == kinds)
        #expect(dial.witness.committed.count == dial.witness.entries.count)
    }

    @Test func anAnswerInSingleBytesIsTheSame() async throws {
        let peer = try await RawPeer.shared()
        let path = "/socket/answer/bytes"
        let frames = WebSocketFrame.text("hello").served + WebSocketFrame(.close, []).served
        let bytes = Array("HTTP/1.1 100 Continue\r\n\r\n\(Dial.switching)".utf8) + frames
        try await peer.script(bytes.map { .bytes([$0]) } + [.hang], at: path)
        let dial = await Dial.make(peer.url(path))
        let channel = try #require(dial.channel)
        #expect(dial.response?.head.headers.fields.count == 3)
        #expect(try await channel.next()?.text == "hello")
        #expect(try await channel.next()?.frame == WebSocketFrame(.close))
        channel.end(EndRecord(how: .complete))
        try await dial.witness.untilEnd()
    }

    /// Limits hold until the response has come, and not for an open WebSocket.
    @Test(arguments: [
        (Timeouts(idle: 150_000_000), TransportError.Code.idleTimeout),
        (Timeouts(total: 150_000_000), .totalTimeout),
    ])
    func aLimitEndsTheHandshakeOnly(
        _ timeouts: Timeouts, _ code: TransportError.Code
    ) async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.hang], at: "/silent")
        let dial = await Dial.make(peer.url("/silent"), timeouts: timeouts)
        #expect(dial.error?.code == code)
        #expect(dial.error?.how == .timedOut)
        #expect(dial.error?.message.contains("150 ms") == true)
        #expect(dial.end?.how == .timedOut)
        #expect(dial.witness.kinds.first == "request" && dial.witness.kinds.last == "end")
        try await peer.peer.tell("gone 1")

        try await peer.script(
            [.send(Dial.switching), .wait] + [
                .bytes(WebSocketFrame.text("late").served), .hang,
            ], at: "/open")
        let open = await Dial.make(
            peer.url("/open"), timeouts: Timeouts(idle: 4_000_000_000, total: 4_000_000_000))
        let channel = try #require(open.channel)
        // The limit is real time, so what must outlast it is too.
        try await LiveClock().sleep(for: 4_300_000_000)
        try await peer.go("/open")
        #expect(try await channel.next()?.text == "late")
        channel.end(EndRecord(how: .complete))
    }

    @Test func aRefusalKeepsTheLimits() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Self.refused + "den"), .hang])
        let dial = await Dial.make(peer.url(), timeouts: Timeouts(idle: 150_000_000))
        #expect(dial.response?.head.status == 401)
        let body = try #require(dial.body)
        let error = await #expect(throws: TransportError.self) { for try await _ in body {} }
        #expect(error?.code == .idleTimeout)
        #expect(dial.end?.framing == .length)
    }

    @Test(arguments: [
        ("gopher://127.0.0.1/", "GET", TransportError.Code.badRequest),
        ("/nowhere", "GET", .badRequest), ("ws://127.0.0.1:1/", "GET", .connect),
        ("ws://127.0.0.1:1/", "POST", .badRequest), ("ws://h\u{E9}/", "GET", .badRequest),
        ("ws://a%00b@127.0.0.1:1/", "GET", .badRequest),
    ])
    func whatCannotBeAskedForIsSaid(
        _ url: String, _ method: String, _ code: TransportError.Code
    ) async throws {
        let witness = Witness()
        let error = await #expect(throws: TransportError.self) {
            _ = try await CurlTransport.direct.connect(
                Request(method: method, url: url), options: SocketOptions(), observer: witness)
        }
        #expect(error?.code == code)
        #expect(error?.isBeforeRequest == true)
        #expect(witness.kinds == ["request", "end"])
        #expect(witness.request?.transport == .websocket)
    }
}

extension Step {
    var isWait: Bool { if case .wait = self { true } else { false } }
}
