import RepriseServer
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Where the bytes of a served WebSocket are cut.
@Suite struct SocketCutTests {
    /// `é` in two bytes, a line end, and a longer head; then the client, and two frames more.
    private static let long = WebSocketFrame(.binary, [UInt8](repeating: 7, count: 130))
    private static let tape = ServedSocketTape(
        frames: [
            (.server, .text("é\n")), (.server, long), (.client, .text("next")),
            (.server, .text("c")), (.server, .text("d")),
        ],
        end: EndRecord(how: .reset, code: "transport.closed", message: "the peer closed it"))

    /// The sizes of the pieces; a semicolon where the client has to say something.
    static let sizes: [(cuts: Cuts, pieces: String)] = [
        (.asRecorded, "5 134;3 3"),
        (.oneBlob, "139;6"),
        (.everyByte, String(repeating: "1 ", count: 138) + "1;1 1 1 1 1 1"),
        (.insideCharacters, "3 2 134;3 3"),
        (.beforeLineEnds, "4 1 134;3 3"),
        (.insideCodingHeads, "5 134;3 3"),
        (.insideFrameHeads, "1 1 3 1 1 1 1 130;1 1 1 1 1 1"),
    ]

    /// What is written, each piece by itself, and what of it when the client was heard.
    private func pieces(
        _ cuts: Cuts, faults: [Fault] = [], stray: [UInt8] = []
    ) async throws -> (before: [[UInt8]], all: [[UInt8]]) {
        var tape = Self.tape
        tape.stray = stray
        let recording = try tape.recording()
        let exchange = try #require(recording.exchanges.first)
        let written = Locked<[[UInt8]]>([])
        let gate = ReplayGate()
        let request = Request(method: "GET", url: "ws://h/x", headers: RawSocket.headers)
        let socket = ServedSocket(
            exchange, of: recording, for: request, name: "t",
            ServedSocket.Surroundings(
                pace: .instant, clock: LiveClock(), start: 0, options: SocketOptions(),
                faults: FaultPlan(faults).take(request), cuts: cuts, member: 0, gate: gate,
                missing: { _ in nil }, miss: { Issue.record("\($0)") },
                matching: .flexible(recording), open: { _ in },
                write: { pieces, _ in written.withLock { $0 += pieces } }))
        let player = Task { await socket.play() }
        // All that comes before the client's message; then nothing more.
        let first = tape.frames.prefix(2).reduce(0) {
            $0 + WebSocketFrameEncoder.server($1.frame).count
        }
        while written.withLock({ $0.reduce(0) { $0 + $1.count } }) < first { await Task.yield() }
        let before = written.withLock { $0 }
        socket.take(.text("next"))
        _ = await player.value
        return (before, written.withLock { $0 })
    }

    private static let wire = tape.frames.filter { $0.sender == .server }.flatMap {
        WebSocketFrameEncoder.server($0.frame)
    }

    @Test(arguments: sizes)
    func eachPieceIsWrittenByItself(row: (cuts: Cuts, pieces: String)) async throws {
        let (before, all) = try await pieces(row.cuts)
        let parts = [before, Array(all.dropFirst(before.count))]
        let sizes = parts.map { $0.map { "\($0.count)" }.joined(separator: " ") }
        #expect(sizes.joined(separator: ";") == row.pieces)
        #expect(Array(all.joined()) == Self.wire)
    }

    @Test(arguments: 0..<20)
    func atRandomItIsTheSameEachTime(seed: UInt64) async throws {
        let (before, all) = try await pieces(.random(seed: seed))
        #expect(Array(all.joined()) == Self.wire)
        // Nothing is held while the client is waited for.
        #expect(before.joined().count == 139)
        #expect(try await pieces(.random(seed: seed)).all == all)
    }

    /// What a fault keeps back is not waited for with what is held.
    @Test(arguments: [
        ("reorder@event:1", "139;6"), ("reorder@event:3", "139;6"), ("stall@event:3", "139;3"),
        ("cut@byte:140", "139;1"), ("duplicate@event:4", "139;9"),
    ])
    func aBlobWithFaults(fault: String, sizes: String) async throws {
        let (before, all) = try await pieces(.oneBlob, faults: [try Fault(fault)])
        let parts = [before, Array(all.dropFirst(before.count))]
        #expect(
            parts.map { $0.map { "\($0.count)" }.joined(separator: " ") }.joined(separator: ";")
                == sizes)
    }

    @Test(arguments: Cuts.all)
    func whatIsNoFrameComesBehind(cuts: Cuts) async throws {
        let stray: [UInt8] = [0x81, 0x7E, 0x01, 0x00, 0x61, 0x0A]
        let (_, all) = try await pieces(cuts, stray: stray)
        #expect(Array(all.joined()) == Self.wire + stray)
        if cuts == .oneBlob { #expect(all.last?.count == 12) }
    }

    /// Over a real socket: the bytes are the same, and what is joined comes in one read.
    @Test(arguments: Cuts.all)
    func overASocket(cuts: Cuts) async throws {
        let serving = try Serving.start(try Self.tape.recording(), cuts: cuts)
        let next = WebSocketFrameEncoder.client(.text("next"), mask: 0x0102_0304)
        let seen = try await Seen.client(
            "talk", serving.port, "139", hex(next), input: RawSocket.handshake)
        #expect(seen.behindHead == Self.wire)
        await serving.server.untilConsumed()
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
        guard cuts == .oneBlob else { return }
        let sizes = seen.cuts.map(\.count)
        #expect(sizes.last == 6)
        #expect(sizes.dropLast().last.map { $0 >= 139 } == true)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    /// However long it took to get ready: what is due by then comes at once.
    @Test(.timeLimit(.minutes(2)))
    func momentsCountFromTheRequest() async throws {
        var tape = ServedSocketTape(
            frames: [(.server, .text("a")), (.server, .text("b"))],
            end: EndRecord(how: .reset, code: "transport.closed", message: "the peer closed it"))
        tape.step = 600_000_000_000
        let recording = try tape.recording()
        let written = Locked<[[UInt8]]>([])
        let socket = ServedSocket(
            try #require(recording.exchanges.first), of: recording,
            for: Request(method: "GET", url: "ws://h/x", headers: RawSocket.headers), name: "t",
            ServedSocket.Surroundings(
                pace: .original, clock: LiveClock(),
                start: LiveClock().now() - 3_600_000_000_000, options: SocketOptions(),
                faults: [], cuts: .asRecorded, member: 0, gate: ReplayGate(),
                missing: { _ in nil }, miss: { Issue.record("\($0)") },
                matching: .flexible(recording), open: { _ in },
                write: { pieces, _ in written.withLock { $0 += pieces } }))
        #expect(await socket.play() == .finish)
        #expect(written.withLock { $0 }.count == 2)
    }

    /// A pong does not come between the pieces of a frame.
    @Test(arguments: Cuts.all)
    func pingsAreAnsweredBetweenFrames(cuts: Cuts) async throws {
        let text = WebSocketFrame.text(String(repeating: "é", count: 2_000))
        let frames = (0..<50).map { _ in (sender: WebSocketRole.server, frame: text) }
        var tape = ServedSocketTape(
            frames: frames,
            end: EndRecord(how: .reset, code: "transport.closed", message: "the peer closed it"))
        tape.step = 1_000
        let recording = try tape.recording()
        let written = Locked<[UInt8]>([])
        let socket = ServedSocket(
            try #require(recording.exchanges.first), of: recording,
            for: Request(method: "GET", url: "ws://h/x", headers: RawSocket.headers), name: "t",
            ServedSocket.Surroundings(
                pace: .instant, clock: LiveClock(), start: 0, options: SocketOptions(), faults: [],
                cuts: cuts, member: 0, gate: ReplayGate(), missing: { _ in nil },
                miss: { Issue.record("\($0)") },
                matching: .flexible(recording), open: { _ in },
                write: { pieces, _ in
                    for piece in pieces { written.withLock { $0 += piece } }
                }))
        let pinging = Task {
            while !Task.isCancelled {
                socket.take(WebSocketFrame(.ping, [1]))
                await Task.yield()
            }
        }
        _ = await socket.play()
        pinging.cancel()
        await pinging.value
        var decoder = WebSocketFrameDecoder(sender: .server)
        let items = decoder.push(written.withLock { $0 })
        let read = items.compactMap { item -> WebSocketFrame? in
            if case .frame(let frame, _) = item { frame } else { nil }
        }
        #expect(read.count == items.count && decoder.unfinished == 0)
        #expect(read.filter { $0.opcode == .text } == frames.map(\.frame))
        #expect(read.allSatisfy { $0 == text || $0 == WebSocketFrame(.pong, [1]) })
    }
}

extension SocketMatching {
    /// Matching by meaning on the first WebSocket of a recording.
    fileprivate static func flexible(_ recording: Recording) -> SocketMatching {
        let matcher = Locked(RequestMatcher([recording], .flexible))
        return SocketMatching(.free, of: 0) { body in matcher.withLock { body(&$0) } }
    }
}
