import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// How the driver ends an exchange, step by step.
@Suite struct WebSocketEndTests {
    /// A peer, and what there is to see of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [ScriptedChannel.Step]
        var messages: [String] = []
        /// The code of the error; nil for an orderly end.
        var error: String?
        var log: [String]
    }

    private static let reset = TransportError(how: .reset, .reset, "cut")

    static let cases = [
        Case(
            testDescription: "pings are answered before the next frame is read",
            steps: [
                .frame(.ping("a")), .frame(.text("one")), .frame(.ping("b")),
                .frame(.close(.normal, "bye")), .finish,
            ], messages: ["one"],
            log: [
                "next", "send pong a", "sent", "next", "next", "send pong b", "sent", "next",
                "send close 1000", "sent", "next", "finish", "end complete",
            ]),
        Case(
            testDescription: "a close without a code",
            steps: [.frame(.close(nil)), .finish],
            log: ["next", "send close", "sent", "next", "finish", "end complete"]),
        Case(
            testDescription: "what follows the close is dropped",
            steps: [
                .frame(.close(.goingAway)), .frame(.text("late")), .frame(.ping("late")), .finish,
            ],
            log: [
                "next", "send close 1001", "sent", "next", "next", "next", "finish",
                "end complete",
            ]),
        Case(
            testDescription: "a reset behind the closing handshake",
            steps: [.frame(.close(.normal)), .fail(reset)],
            log: ["next", "send close 1000", "sent", "next", "broken", "end complete"]),
        Case(
            testDescription: "no close frame",
            steps: [.frame(.text("one")), .finish], messages: ["one"], error: "transport.closed",
            log: ["next", "next", "finish", "end reset transport.closed"]),
        Case(
            testDescription: "within a message",
            steps: [.frame(WebSocketFrame(.text, [0x61], isFinal: false)), .finish],
            error: "transport.closed",
            log: ["next", "next", "finish", "end reset transport.closed"]),
        Case(
            testDescription: "a reset",
            steps: [.frame(.text("one")), .fail(reset)], messages: ["one"],
            error: "transport.reset", log: ["next", "next", "broken", "end reset transport.reset"]),
        Case(
            testDescription: "a violation in the frames",
            steps: [
                .frame(.text("one")), .frame(WebSocketFrame(.text, [], rsv2: true)),
                .frame(.text("two")), .finish,
            ], messages: ["one"], error: "websocket.reservedBits",
            log: [
                "next", "next", "send close 1002", "sent", "next", "next", "finish",
                "end failed websocket.reservedBits",
            ]),
        Case(
            testDescription: "a violation in the bytes",
            steps: [.violation(.masked), .finish], error: "websocket.masked",
            log: [
                "next", "send close 1002", "sent", "next", "finish",
                "end failed websocket.masked",
            ]),
        Case(
            testDescription: "text that is not UTF-8",
            steps: [.frame(WebSocketFrame(.text, [0xFF])), .finish],
            error: "websocket.invalidText",
            log: [
                "next", "send close 1007", "sent", "next", "finish",
                "end failed websocket.invalidText",
            ]),
        Case(
            testDescription: "a violation, and a reset",
            steps: [.violation(.lengthForm), .fail(reset)], error: "websocket.lengthForm",
            log: [
                "next", "send close 1002", "sent", "next", "broken",
                "end failed websocket.lengthForm",
            ]),
        Case(
            testDescription: "a message over the limit",
            steps: [.frame(.text("twelve bytes")), .finish], error: "websocket.messageTooLarge",
            log: [
                "next", "send close 1009", "sent", "next", "finish",
                "end failed websocket.messageTooLarge",
            ]),
    ]

    @Test(arguments: cases)
    func ends(_ expected: Case) async throws {
        let channel = ScriptedChannel(expected.steps)
        let socket = try await WebSocket.open(
            socketRequest,
            options: SocketOptions(limits: WebSocketLimits(messageBytes: 10)),
            over: ScriptedTransport(channel))
        let (messages, error) = await readAll(socket)
        #expect(messages == expected.messages)
        #expect(error?.errorCode == expected.error)
        #expect(channel.log == expected.log)
        // What has ended stays so.
        let again = await readAll(socket)
        #expect(again.messages.isEmpty && again.error == error)
        socket.cancel()
        let send = await #expect(throws: WebSocketError.self) { try await socket.send(text: "x") }
        #expect(send == error ?? .closed)
        #expect(channel.log == expected.log)
    }

    @Test func tellsHowThePeerClosed() async throws {
        let channel = ScriptedChannel([.frame(.close(.goingAway, "later")), .finish])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        #expect(socket.closure == nil)
        _ = await readAll(socket)
        #expect(socket.closure == WebSocket.Closure(code: .goingAway, reason: "later"))
    }

    @Test func tellsWhenMessagesCame() async throws {
        let channel = ScriptedChannel([
            .frame(WebSocketFrame(.binary, [1], isFinal: false)), .frame(.ping("p")),
            .frame(WebSocketFrame(.continuation, [2])), .finish,
        ])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        var messages = socket.messages.makeAsyncIterator()
        let message = try await messages.next()
        #expect(message == WebSocket.Message(kind: .binary, bytes: [1, 2], time: 30))
        #expect(channel.frames.map(\.said) == ["pong p"])
    }

    // MARK: Limits

    /// Peers that stay silent when it is theirs to go on, and what comes of them.
    @Test(
        arguments: [
            ([.frame(.close(.normal)), .silence], nil, "end complete"),
            ([.violation(.masked), .silence], "websocket.masked", "end failed websocket.masked"),
        ] as [([ScriptedChannel.Step], String?, String)])
    func aPeerThatStaysHasALimit(
        steps: [ScriptedChannel.Step], code: String?, end: String
    ) async throws {
        let clock = HandClock()
        let channel = ScriptedChannel(steps)
        let socket = try await WebSocket.open(
            socketRequest, options: SocketOptions(closeLimit: 7),
            over: ScriptedTransport(channel, clock: clock))
        async let read = readAll(socket)
        await clock.slept()
        #expect(clock.sleepers == [7])
        clock.wake()
        let error = await read.error
        #expect(error?.errorCode == code)
        #expect(channel.log.last == end)
    }

    @Test func aCloseThatIsNotAnsweredHasALimit() async throws {
        let clock = HandClock()
        let channel = ScriptedChannel([.silence])
        let socket = try await WebSocket.open(
            socketRequest, over: ScriptedTransport(channel, clock: clock))
        let closing = Task { try await socket.close(code: .normal) }
        await channel.saw("sent")
        await clock.slept()
        #expect(clock.sleepers == [10_000_000_000])
        clock.wake()
        let error = await #expect(throws: WebSocketError.self) { try await closing.value }
        #expect(error?.errorCode == "websocket.closeTimeout")
        #expect(
            channel.log.filter { $0 != "next" } == [
                "send close 1000", "sent", "end timedOut websocket.closeTimeout",
            ])
    }

    @Test func nobodySleepsOnWhenTheCloseIsAnswered() async throws {
        let clock = HandClock()
        let channel = ScriptedChannel([.frame(.close(.normal)), .finish])
        let socket = try await WebSocket.open(
            socketRequest, over: ScriptedTransport(channel, clock: clock))
        try await socket.close(code: .normal)
        #expect(clock.sleepers.isEmpty)
        #expect(
            channel.log == ["send close 1000", "sent", "next", "next", "finish", "end complete"])
    }
}
