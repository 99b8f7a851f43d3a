import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a replayed WebSocket gives, when, and what it waits for.
@Suite struct SocketReplayTests {
    private static let bye: [(WebSocketRole, WebSocketFrame)] = [
        (.server, .close(.normal, "bye")), (.client, .close(.normal)),
    ]

    @Test func playsMessagesAtTheirTimes() async throws {
        let observer = KeptEvents()
        let tape = SocketTape(
            [
                (.server, .text("one")), (.server, .ping("p")),
                (.client, WebSocketFrame(.pong, [0x70])),
                (.server, WebSocketFrame(.binary, [1], isFinal: false)),
                (.server, WebSocketFrame(.continuation, [2])),
            ] + Self.bye)
        let transport = try SocketTape.replay(tape)
        let socket = try await transport.open(observer: observer)
        #expect(socket.head.status == 101)
        #expect(transport.clock.now() == 10)
        var messages = socket.messages.makeAsyncIterator()
        let one = try await messages.next()
        #expect(one == WebSocket.Message(kind: .text, bytes: Array("one".utf8), time: 100))
        #expect(transport.clock.now() == 100)
        let two = try await messages.next()
        #expect(two == WebSocket.Message(kind: .binary, bytes: [1, 2], time: 500))
        let end = try await messages.next()
        #expect(end == nil)
        #expect(socket.closure == WebSocket.Closure(code: .normal, reason: "bye"))
        #expect(transport.clock.now() == 900)
        #expect(transport.misses.isEmpty && transport.unconsumed.isEmpty)
        #expect(transport.unconsumedTails.isEmpty)
        let recorded = transport.recording.exchanges[0].events.map(\.content)
        // Of the head only the answer is another.
        #expect(observer.events.dropFirst(3).map(\.content) == Array(recorded.dropFirst(2)))
        #expect(observer.kinds.prefix(3) == [.request, .requestEnd, .response])
        guard case .request(let head) = observer.events[0].content else { return }
        #expect(head.transport == .websocket)
    }

    @Test func theHandshakeIsAnsweredAfresh() async throws {
        for _ in 0..<2 {
            let transport = try SocketTape.replay(SocketTape(Self.bye))
            let socket = try await transport.open()
            #expect(
                socket.head.headers.first("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(await readAll(socket).error == nil)
        }
    }

    @Test func otherHeadersAreCompared() async throws {
        let transport = try SocketTape.replay(SocketTape(Self.bye))
        var request = socketRequest
        request.headers = ["Origin": "https://other.example"]
        let error = await #expect(throws: WebSocketError.self) {
            try await WebSocket.open(request, over: transport)
        }
        #expect(error?.errorCode == "replay.noSuchRequest")
        #expect(transport.misses[0].differences.map(\.part) == [.header("Origin")])
    }

    @Test func anAnswerThatWasWrongStaysSo() async throws {
        let end = #""how":"failed","code":"websocket.handshake""#
        let error = await #expect(throws: WebSocketError.self) {
            try await SocketTape.replay(SocketTape([], end: end)).open()
        }
        guard case .handshake(let handshake) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(handshake.kind == .accept)
        var tape = SocketTape([], end: end)
        tape.responseHeaders = #",["Sec-WebSocket-Protocol","odd"]"#
        let other = await #expect(throws: WebSocketError.self) {
            try await SocketTape.replay(tape).open()
        }
        #expect(
            other
                == .handshake(
                    WebSocketHandshakeError(
                        .subprotocol, "the subprotocol in the response was not offered")))
    }

    @Test func aRefusalComesWithItsBody() async throws {
        var tape = SocketTape([])
        tape.status = 401
        tape.lines = [delivery("who ", at: 20), delivery("are you?", at: 30)]
        let transport = try SocketTape.replay(tape)
        let error = await #expect(throws: WebSocketError.self) { try await transport.open() }
        guard case .refused(let head, let body) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(head.status == 401)
        #expect(String(decoding: body, as: UTF8.self) == "who are you?")
        #expect(transport.unconsumedTails.isEmpty && transport.clock.now() == 900)
    }

    // MARK: Ends

    @Test(
        arguments: [
            ("reset", "transport.reset", "cut"), ("timedOut", "websocket.closeTimeout", "late"),
            ("failed", "transport.failed", "odd"), ("cancelled", "transport.cancelled", "left"),
        ])
    func endsAsRecorded(how: String, code: String, message: String) async throws {
        let observer = KeptEvents()
        let end = #""how":"\#(how)","code":"\#(code)","message":"\#(message)""#
        let transport = try SocketTape.replay(SocketTape([(.server, .text("one"))], end: end))
        let socket = try await transport.open(observer: observer)
        let (messages, error) = await readAll(socket)
        #expect(messages == ["one"])
        #expect(error?.errorCode == code)
        #expect(error?.message == message)
        #expect(observer.kinds == [.request, .requestEnd, .response, .socketFrame, .end])
        guard case .end(let record) = observer.events.last?.content else { return }
        #expect(record == transport.recording.exchanges[0].end)
    }

    @Test func aRecorderThatDiedIsToldSo() async throws {
        let transport = try SocketTape.replay(
            SocketTape([(.server, .text("one")), (.client, .text("two"))], end: nil))
        let socket = try await transport.open()
        async let read = readAll(socket)
        try await socket.send(text: "two")
        let (messages, error) = await read
        #expect(messages == ["one"])
        #expect(error?.errorCode == "replay.recorderDied")
        #expect(transport.misses.isEmpty)
    }

    @Test func whatFollowsADeadRecorderIsNoMiss() async throws {
        let transport = try SocketTape.replay(SocketTape([(.server, .text("one"))], end: nil))
        let socket = try await transport.open()
        let error = await #expect(throws: WebSocketError.self) { try await socket.send(text: "x") }
        #expect(error?.errorCode == "replay.recorderDied")
        #expect(transport.misses.isEmpty)
    }

    /// Bytes that are no frame break the protocol again, at the same place.
    @Test func aViolationComesAgain() async throws {
        var tape = SocketTape(
            [(.server, .text("one")), (.server, WebSocketFrame(.text, [], isFinal: true))],
            end: #""how":"failed","code":"websocket.masked""#)
        tape.lines.append(#"{"kind":"responseBody","x":1,"t":400,"base64":"gYEAAAAA"}"#)
        tape.add(.client, .close(.protocolError), at: 500)
        let transport = try SocketTape.replay(tape)
        let socket = try await transport.open()
        let (messages, error) = await readAll(socket)
        #expect(messages == ["one", ""])
        #expect(error == .violation(WebSocketViolation(.masked, frame: 2, offset: 8)))
        #expect(transport.misses.isEmpty && transport.unconsumedTails.isEmpty)
    }

    @Test func aViolationInTheFramesComesAgain() async throws {
        let transport = try SocketTape.replay(
            SocketTape(
                [
                    (.server, WebSocketFrame(.text, [0xFF])), (.client, .close(.invalidPayload)),
                ], end: #""how":"failed","code":"websocket.invalidText""#))
        let (messages, error) = await readAll(try await transport.open())
        #expect(messages.isEmpty)
        #expect(error?.errorCode == "websocket.invalidText")
        #expect(transport.misses.isEmpty && transport.unconsumedTails.isEmpty)
    }

    // MARK: Gates

    @Test func aFrameWaitsForWhatTheClientSaidBefore() async throws {
        let transport = try SocketTape.replay(
            SocketTape(
                [
                    (.client, .text("a")), (.client, WebSocketFrame(.binary, [1])),
                    (.server, .text("both")),
                ] + Self.bye))
        transport.waitLimit = 60_000_000_000
        let socket = try await transport.open()
        let order = Locked<[String]>([])
        let reader = Task {
            let read = await readAll(socket)
            order.withLock { $0.append("read") }
            return read
        }
        try await socket.send(text: "a")
        await Task.yield()
        order.withLock { $0.append("sending") }
        try await socket.send(binary: [1])
        let (messages, error) = await reader.value
        #expect(messages == ["both"] && error == nil)
        #expect(order.withLock { $0 } == ["sending", "read"])
    }

    @Test(
        arguments: [
            (0, "the client's message 1 on the WebSocket of exchange 1"),
            (1, "the client's close frame on the WebSocket of exchange 1"),
        ])
    func whatDoesNotComeIsNamed(sent: Int, what: String) async throws {
        let transport = try SocketTape.replay(
            SocketTape([
                (.client, .text("a")), (.client, .close(.normal)), (.server, .close(.normal)),
            ]))
        let socket = try await transport.open()
        for _ in 0..<sent { try await socket.send(text: "a") }
        let (messages, error) = await readAll(socket)
        #expect(messages.isEmpty)
        #expect(error?.errorCode == "replay.stalled")
        #expect(error?.message.hasSuffix("it waits for \(what)") == true)
        #expect(transport.unconsumedTails.map(\.unsent) == [2 - sent])
        #expect(transport.unconsumedTails.map(\.unread) == [1])
        #expect(transport.unconsumedTails.allSatisfy { $0.wasNeeded })
    }

    @Test func aFrameWaitsForRequestsSinceTheOpening() async throws {
        var tape = SocketTape([])
        tape.add(.server, .text("early"), at: 50)
        let before = tape.text.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
        let after = """
            {"kind":"socketFrame","x":1,"t":300,"from":"server","opcode":"text","text":"late"}
            {"kind":"end","x":1,"t":400,"how":"reset"}

            """
        let transport = ReplayTransport(
            recording: try recording(before + exchange(2, at: 100, path: "/go") + after))
        transport.waitLimit = 60_000_000_000
        let socket = try await transport.open()
        var messages = socket.messages.makeAsyncIterator()
        let early = try await messages.next()
        #expect(early?.text == "early")
        let asked = Locked(false)
        async let late = {
            let message = try await socket.messages.first { _ in true }
            return (message?.text, asked.withLock { $0 })
        }()
        await Task.yield()
        asked.withLock { $0 = true }
        _ = await read(try await transport.send(get("/go")).body)
        let (text, wasAsked) = try await late
        #expect(text == "late" && wasAsked)
    }

    @Test func aRequestThatDoesNotComeIsNamed() async throws {
        var tape = SocketTape([])
        tape.end = nil
        let rest = """
            {"kind":"socketFrame","x":1,"t":300,"from":"server","opcode":"text","text":"late"}
            {"kind":"end","x":1,"t":400,"how":"reset"}

            """
        let transport = try SocketTape.replay(tape, other: exchange(2, at: 100, path: "/go") + rest)
        let (_, error) = await readAll(try await transport.open())
        #expect(error?.message.hasSuffix("it waits for the request GET /go (exchange 2)") == true)
    }

    @Test func stoppingWhileItWaitsIsToldAtOnce() async throws {
        let transport = try SocketTape.replay(
            SocketTape([(.client, .text("a")), (.server, .text("b"))]))
        transport.waitLimit = 60_000_000_000
        let socket = try await transport.open()
        let reader = Task { await readAll(socket) }
        await Task.yield()
        socket.cancel()
        #expect(await reader.value.error?.errorCode == "transport.cancelled")
    }

    @Test func atTheOriginalPaceAFrameWaitsForItsTime() async throws {
        var tape = SocketTape([])
        tape.add(.server, .text("later"), at: 30_000_000)
        tape.endTime = 3_600_000_000_000
        let transport = ReplayTransport(recording: try recording(tape.text), pace: .original)
        let socket = try await transport.open()
        var messages = socket.messages.makeAsyncIterator()
        let message = try await messages.next()
        #expect(message?.text == "later")
        #expect(transport.clock.now() >= message?.time ?? .max)
        // The end is an hour away; stopping does not wait for it.
        let reader = Task { await readAll(socket) }
        await Task.yield()
        socket.cancel()
        #expect(await reader.value.error?.errorCode == "transport.cancelled")
    }

    // MARK: Several

    @Test func socketsAreTakenInOrderBesideRequests() async throws {
        var (one, two) = (SocketTape(Self.bye), SocketTape(Self.bye))
        (one.path, two.path, two.x, two.start) = ("/one", "/two", 3, 50)
        let transport = try SocketTape.replay(one, two, other: exchange(2, at: 20))
        _ = try await transport.open("/one")
        #expect(transport.unconsumed.map(\.id) == [2, 3])
        _ = await read(try await transport.send(get()).body)
        _ = try await transport.open("/two")
        let more = await #expect(throws: WebSocketError.self) { try await transport.open("/two") }
        #expect(more?.errorCode == "replay.consumed")
        #expect(transport.misses.map(\.request) == ["GET /two"])
    }

    @Test func operationsTakeTheirOwn() async throws {
        var (one, two) = (SocketTape(Self.bye), SocketTape(Self.bye))
        (one.call, one.path) = (1, "/one")
        (two.call, two.path, two.x, two.start) = (2, "/two", 2, 50)
        let transport = try SocketTape.replay(one, two)
        _ = try await transport.open("/two", call: 2)
        _ = try await transport.open("/one", call: 1)
        #expect(transport.misses.isEmpty && transport.unconsumed.isEmpty)
    }

    @Test func whatIsLeftOfADroppedSocketIsTold() async throws {
        var tape = SocketTape(
            [(.server, .text("one")), (.client, .text("two")), (.server, .text("three"))]
                + Self.bye)
        tape.call = 4
        let transport = try SocketTape.replay(tape)
        do {
            let socket = try await transport.open(call: 4)
            var messages = socket.messages.makeAsyncIterator()
            _ = try await messages.next()
        }
        let tail = try #require(transport.unconsumedTails.first)
        #expect(tail.exchange == 1 && tail.call == 4)
        #expect(tail.unsent == 2 && tail.unread == 2 && tail.wasNeeded)
        #expect(
            tail.description == "GET /ws: left over of the recorded exchange 1: "
                + "2 messages of the client not sent, 2 frames of the server not read")
    }

    @Test func replayedSocketsLeaveNothing() async throws {
        weak var left: WebSocket?
        weak var transport: ReplayTransport?
        weak var observer: KeptEvents?
        do {
            let replay = try SocketTape.replay(SocketTape([(.server, .text("one"))]))
            let kept = KeptEvents()
            let socket = try await replay.open(observer: kept)
            (left, transport, observer) = (socket, replay, kept)
            var messages = socket.messages.makeAsyncIterator()
            _ = try await messages.next()
        }
        #expect(left == nil)
        #expect(transport == nil)
        #expect(observer == nil)
    }

    // MARK: Virtual time

    /// An app that keeps its connection alive by a timer of its own, for an hour.
    @Test func onVirtualTimeAnHourIsNothing() async throws {
        var tape = SocketTape([])
        for minute in 1...60 {
            let time = minute * 60_000_000_000
            tape.add(.client, .text("keep"), at: time)
            tape.add(.server, .text("minute \(minute)"), at: time + 5)
        }
        tape.add(.client, .close(.normal), at: 3_600_000_000_020)
        tape.add(.server, .close(.normal), at: 3_600_000_000_030)
        tape.endTime = 3_600_000_000_040
        let time = VirtualTime()
        let transport = ReplayTransport(recording: try recording(tape.text), time: time)
        let read = try await time.run {
            let socket = try await transport.open(
                options: SocketOptions { $0.text.hasPrefix("keep") })
            let context = transport.context
            let keeper = context.startTask {
                while true {
                    try await context.clock.sleep(for: 60_000_000_000)
                    try await socket.send(text: "keep")
                }
            }
            defer { keeper.cancel() }
            var read: [String] = []
            for try await message in socket.messages {
                read.append(message.text)
                #expect(message.time == Int64(read.count) * 60_000_000_000 + 5)
                #expect(context.clock.now() == message.time)
                if read.count == 60 { break }
            }
            try await socket.close()
            return read
        }
        #expect(read == (1...60).map { "minute \($0)" })
        // It closes at once, and is answered after 10.
        #expect(time.now() == 3_600_000_000_025)
        #expect(time.escape == nil)
        #expect(transport.misses.isEmpty && transport.unconsumedTails.isEmpty)
    }

    @Test func onVirtualTimeWhatCannotComeIsToldAtOnce() async throws {
        let time = VirtualTime()
        let transport = ReplayTransport(
            recording: try recording(
                SocketTape([(.client, .text("a")), (.server, .text("b"))]).text), time: time)
        let read = try await time.run { await readAll(try await transport.open()) }
        #expect(read.error?.errorCode == "replay.stalled")
        #expect(
            read.error?.message == "the replay cannot go on: it waits for the client's message 1 "
                + "on the WebSocket of exchange 1")
    }

    /// An app that stopped stops by itself, also where that takes it a little longer.
    @Test func onVirtualTimeAnAppMayStopLater() async throws {
        let time = VirtualTime()
        let transport = ReplayTransport(
            recording: try recording(
                SocketTape([(.server, .text("one"))], end: #""how":"cancelled""#).text),
            time: time)
        let stopped = try await time.run {
            let socket = try await transport.open()
            let reader = transport.context.startTask { await readAll(socket) }
            try await transport.context.clock.sleep(for: 500_000_000)
            socket.cancel()
            #expect(await reader.value.error?.errorCode == "transport.cancelled")
            return transport.context.clock.now()
        }
        #expect(stopped == 500_000_010)
    }

    /// A recording of a replay says what the replayed one says.
    @Test func recordedAgainItIsTheSame() async throws {
        let folder = try TemporaryFolder()
        let deflate = PerMessageDeflate()
        let (client, server) = (
            WebSocketWriter(sender: .client, deflate: deflate),
            WebSocketWriter(sender: .server, deflate: deflate)
        )
        let texts = (0..<5).map { "{\"n\":\($0),\"text\":\"all the same\"}" }
        var frames: [(WebSocketRole, WebSocketFrame)] = []
        for text in texts {
            frames += client.message(.text, Array(text.utf8)).map { (.client, $0) }
            frames += server.message(.text, Array(text.utf8), frameBytes: 7).map { (.server, $0) }
        }
        var tape = SocketTape(frames + Self.bye)
        tape.responseHeaders = #",["Sec-WebSocket-Extensions","permessage-deflate"]"#
        tape.endTime = 100_000
        let base = try SocketTape.replay(tape)
        let transport = RecordingTransport(
            base: base,
            recorder: try TapeRecorder(path: folder.file("a.tape"), clock: base.context.clock))
        let socket = try await WebSocket.open(socketRequest, over: transport)
        var read: [String] = []
        var messages = socket.messages.makeAsyncIterator()
        for text in texts {
            try await socket.send(text: text)
            if let message = try await messages.next() { read.append(message.text) }
        }
        #expect(try await messages.next() == nil)
        try transport.recorder.close()
        #expect(read == texts)
        let again = try Recording(path: folder.file("a.tape"))
        #expect(again.exchanges[0].request.transport == .websocket)
        let (old, new) = (base.recording.exchanges[0].events, again.exchanges[0].events)
        #expect(new.dropFirst(2).map(\.content) == Array(old.dropFirst(2).map(\.content)))
        let isServers = { (event: Recording.Event) in
            if case .socketFrame(let record) = event.content {
                record.sender == .server
            } else {
                false
            }
        }
        #expect(new.filter(isServers).map(\.time) == old.filter(isServers).map(\.time))
        #expect(new.last?.time == 100_000)
    }
}
