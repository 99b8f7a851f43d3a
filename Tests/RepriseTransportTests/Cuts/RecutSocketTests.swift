import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// What a client gets of a WebSocket over a transport that cuts anew.
@Suite struct RecutSocketTests {
    private static let frames: [(WebSocketRole, WebSocketFrame)] = [
        (.server, .text("Grüße 😀\r\n")), (.server, .ping("p")),
        (.server, WebSocketFrame(.text, Array("ein".utf8), isFinal: false)),
        (.server, WebSocketFrame(.continuation, Array("s".utf8))),
        (.client, .text("next")),
        (.server, .text(String(repeating: "ä", count: 100))),
        (.server, .text(String(repeating: "b", count: 70_000))),
        (.server, .close(.normal, "bye")), (.client, .close(.normal)),
    ]

    private static func open(
        _ tape: SocketTape, _ cuts: Cuts, observer: (any ExchangeObserver)? = nil
    ) async throws -> WebSocket {
        let transport = RecutTransport(base: try SocketTape.replay(tape), cuts: cuts)
        return try await WebSocket.open(socketRequest, over: transport, observer: observer)
    }

    /// The messages, the client sending its own behind the second.
    private func messages(of socket: WebSocket) async throws -> [WebSocket.Message] {
        var messages: [WebSocket.Message] = []
        for try await message in socket.messages {
            messages.append(message)
            if messages.count == 2 { try await socket.send(text: "next", deflated: false) }
        }
        return messages
    }

    @Test(arguments: Cuts.all + (2..<20).map { .random(seed: $0) })
    func messagesAreTheSame(cuts: Cuts) async throws {
        let tape = SocketTape(Self.frames)
        let expected = try await messages(of: try await Self.open(tape, .asRecorded))
        #expect(expected.map(\.time) == [100, 400, 600, 700])
        let observer = KeptEvents()
        let socket = try await Self.open(tape, cuts, observer: observer)
        let now = try await messages(of: socket)
        #expect(now.map(\.bytes) == expected.map(\.bytes))
        #expect(now.map(\.kind) == expected.map(\.kind))
        #expect(socket.closure == WebSocket.Closure(code: .normal, reason: "bye"))
        let plain = KeptEvents()
        _ = try await messages(of: try await Self.open(tape, .asRecorded, observer: plain))
        #expect(serverFrames(observer) == serverFrames(plain))
        #expect(observer.events.last?.content == plain.events.last?.content)
        #expect(observer.events.map(\.time) == observer.events.map(\.time).sorted())
        guard case .oneBlob = cuts else { return }
        // All before the client's message at once, and all behind it.
        #expect(now.map(\.time) == [400, 400, 800, 800])
    }

    /// What is no frame, and what comes before it, is as it was.
    @Test(arguments: Cuts.all)
    func violationsAreTheSame(cuts: Cuts) async throws {
        var tape = SocketTape(
            [(.server, .text("a"))], end: #""how":"failed","code":"websocket.masked""#)
        tape.lines.append(#"{"kind":"responseBody","x":1,"t":200,"base64":"gYEBAgMEYQ=="}"#)
        let plain = await readAll(try await Self.open(tape, .asRecorded))
        let now = await readAll(try await Self.open(tape, cuts))
        #expect(plain.error?.errorCode == "websocket.masked")
        #expect(now.messages == ["a"] && now.error == plain.error)
    }

    @Test(arguments: Cuts.all, [#""how":"reset","code":"transport.reset""#, nil])
    func badEndsAreTheSame(cuts: Cuts, end: String?) async throws {
        let tape = SocketTape([(.server, .text("a")), (.server, .text("b"))], end: end)
        let plain = await readAll(try await Self.open(tape, .asRecorded))
        let now = await readAll(try await Self.open(tape, cuts))
        #expect(now.messages == ["a", "b"] && plain.messages == now.messages)
        #expect(now.error == plain.error && now.error != nil)
    }

    @Test func headsAndPayloadsAreCut() {
        let frames: [WebSocketFrame] = [
            .text("aé\n"), WebSocketFrame(.binary, [UInt8](repeating: 0, count: 200)),
            WebSocketFrame(.binary, [UInt8](repeating: 0, count: 65_536)),
        ]
        let heads = [2, 4, 10]
        for (frame, head) in zip(frames, heads) {
            let cutter = FrameCutter(.insideFrameHeads, member: 1)
            let pieces = cutter.push(frame, at: 5)
            let sizes = [Int](repeating: 1, count: head) + [frame.payload.count]
            #expect(pieces.map(\.bytes.count) == sizes)
            #expect(pieces.allSatisfy { $0.time == 5 })
        }
        #expect(
            FrameCutter(.insideCharacters, member: 1).push(frames[0], at: 0).map(\.bytes)
                == [[0x81, 4, 0x61, 0xC3], [0xA9, 0x0A]])
        #expect(
            FrameCutter(.beforeLineEnds, member: 1).push(frames[0], at: 0).map(\.bytes)
                == [[0x81, 4, 0x61, 0xC3, 0xA9], [0x0A]])
        let deflated = WebSocketFrame(.text, [0x0A, 0xC3, 0xA9], rsv1: true)
        #expect(FrameCutter(.beforeLineEnds, member: 1).push(deflated, at: 0).count == 1)
    }

    private func serverFrames(_ observer: KeptEvents) -> [FrameContent] {
        observer.events.map(\.content).filter { content in
            if case .socketFrame(let record) = content { record.sender == .server } else { false }
        }
    }
}
