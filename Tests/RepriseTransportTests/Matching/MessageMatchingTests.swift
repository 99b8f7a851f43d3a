import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// What an app says on a WebSocket where it has changed, or makes ids of its own.
@Suite struct MessageMatchingTests {
    private static func transport(
        _ tapes: [SocketTape], _ matching: RequestMatching, other: String = ""
    ) throws -> ReplayTransport {
        let transport = ReplayTransport(
            recording: try recording(other + tapes.map(\.text).joined()), matching: matching)
        transport.waitLimit = 10_000_000
        return transport
    }

    @Test("Declared places may change, others may not")
    func declared() async throws {
        let recorded = #"{"type":"message","sentAt":17,"text":"hi"}"#
        let tape = SocketTape([(.client, .text(recorded))])
        for (now, isSame) in [
            (#"{"type":"message","sentAt":99,"text":"hi"}"#, true),
            (#"{"type":"message","text":"hi"}"#, true),
            (#"{"type":"message","sentAt":17,"text":"ho"}"#, false),
        ] {
            let transport = try Self.transport([tape], .exact.ignoring(.json("$.sentAt")))
            let socket = try await transport.open()
            try? await socket.send(text: now)
            #expect(transport.misses.isEmpty == isSame, "\(now)")
        }
    }

    @Test("In free order messages come in any, and the server's wait for all before them")
    func free() async throws {
        let tape = SocketTape([
            (.client, .text("a")), (.client, .text("b")), (.server, .text("after both")),
            (.client, .text("a")), (.server, .text("after all")),
        ])
        let transport = try Self.transport([tape], .exact.ordered(.free))
        let socket = try await transport.open()
        var messages = socket.messages.makeAsyncIterator()
        try await socket.send(text: "b")
        try await socket.send(text: "a")
        #expect(try await messages.next()?.text == "after both")
        #expect(transport.unconsumedTails.map(\.unsent) == [1])
        try await socket.send(text: "a")
        #expect(try await messages.next()?.text == "after all")
        let error = await #expect(throws: WebSocketError.self) { try await socket.send(text: "a") }
        #expect(error?.errorCode == "replay.consumed")
    }

    @Test("In free order what is missing is named")
    func missing() async throws {
        let tape = SocketTape([
            (.client, .text("a")), (.client, .text("b")), (.server, .text("after both")),
        ])
        let transport = try Self.transport([tape], .exact.ordered(.free))
        let socket = try await transport.open()
        try await socket.send(text: "b")
        let error = await readAll(socket).error
        #expect(error?.errorCode == "replay.stalled")
        #expect(error?.message.contains("the client's message 1 on") == true, "\(error as Any)")
    }

    struct Echo: Sendable, CustomTestStringConvertible {
        var isDeflated: Bool
        var cuts: [Int]
        var takeover = true
        var testDescription: String {
            "\(isDeflated ? "deflated" : "plain"), cut at \(cuts)\(takeover ? "" : ", no takeover")"
        }
    }

    /// The id "client-aaaa" stands from byte 7 to byte 17.
    static let echoes = [
        Echo(isDeflated: false, cuts: []), Echo(isDeflated: true, cuts: []),
        Echo(isDeflated: false, cuts: [3]), Echo(isDeflated: false, cuts: [7]),
        Echo(isDeflated: false, cuts: [12]), Echo(isDeflated: true, cuts: [12]),
        Echo(isDeflated: false, cuts: [8, 9, 17, 18]),
        Echo(isDeflated: true, cuts: [8, 9, 17, 18]),
        Echo(isDeflated: true, cuts: [12], takeover: false),
    ]

    @Test(
        "An id that was mapped comes back in the server's messages, across frames and deflated",
        arguments: echoes, ["new-1", "a-much-longer-new-id", "client-aaaa"])
    func echo(_ echo: Echo, id: String) async throws {
        let transport = try Self.transport(
            [Self.tape(echo)], .exact.mapping(.json("$.id")),
            other: exchange(
                2, at: -100, method: "POST", path: "/m", body: #"{"id":"client-aaaa"}"#))
        _ = try await transport.send(post(#"{"id":"\#(id)"}"#, path: "/m"))
        let observer = KeptEvents()
        let socket = try await transport.open(observer: observer)
        var messages = socket.messages.makeAsyncIterator()
        try await socket.send(text: #"{"of":"\#(id)"}"#)
        #expect(try await messages.next()?.text == #"{"id":"\#(id)","n":1}"#)
        #expect(try await messages.next()?.text == #"{"id":"other-id-0","n":2}"#)
        #expect(try await messages.next()?.text == #"{"n":3,"id":"\#(id)"}"#)
        #expect(transport.misses.isEmpty)
        let count = observer.events.count { event in
            if case .socketFrame(let record) = event.content {
                record.sender == .server
            } else {
                false
            }
        }
        #expect(count == echo.cuts.count + 3)
    }

    private static func tape(_ echo: Echo) -> SocketTape {
        let texts = [
            #"{"id":"client-aaaa","n":1}"#, #"{"id":"other-id-0","n":2}"#,
            #"{"n":3,"id":"client-aaaa"}"#,
        ]
        let deflate = PerMessageDeflate(serverNoContextTakeover: !echo.takeover)
        let deflater = deflate.deflater(of: .server)
        var frames: [(WebSocketRole, WebSocketFrame)] = [
            (.client, .text(#"{"of":"client-aaaa"}"#))
        ]
        for (index, text) in texts.enumerated() {
            let cuts = index == 0 ? echo.cuts : []
            let places = [0] + cuts + [text.utf8.count]
            let pieces = zip(places, places.dropFirst()).map { Array(Array(text.utf8)[$0..<$1]) }
            for (number, piece) in pieces.enumerated() {
                let (isFirst, isLast) = (number == 0, number == pieces.count - 1)
                let bytes =
                    echo.isDeflated
                    ? deflater.part(piece, isFirst: isFirst, isLast: isLast) : piece
                frames.append(
                    (
                        .server,
                        WebSocketFrame(
                            isFirst ? .text : .continuation, bytes, isFinal: isLast,
                            rsv1: isFirst && echo.isDeflated)
                    ))
            }
        }
        var tape = SocketTape(frames)
        tape.endTime = 10_000
        if echo.isDeflated {
            let forgets = echo.takeover ? "" : "; server_no_context_takeover"
            tape.responseHeaders =
                #",["Sec-WebSocket-Extensions","permessage-deflate\#(forgets)"]"#
        }
        return tape
    }
}
