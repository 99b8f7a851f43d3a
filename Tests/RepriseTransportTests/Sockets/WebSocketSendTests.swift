import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// What the driver sends, and in which order.
@Suite struct WebSocketSendTests {
    @Test func sendsInFrames() async throws {
        let channel = ScriptedChannel([.silence])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        try await socket.send(text: "größer")
        try await socket.send(binary: [0, 255])
        try await socket.ping([0x70])
        #expect(
            channel.log == [
                "send text größer", "sent", "send binary [0, 255]", "sent", "send ping p", "sent",
            ])
    }

    @Test func whatCannotBeSentChangesNothing() async throws {
        let channel = ScriptedChannel([.silence])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        let long = [UInt8](repeating: 0x61, count: 126)
        let ping = await #expect(throws: WebSocketError.self) { try await socket.ping(long) }
        #expect(ping == .send(.controlTooLong))
        let code = await #expect(throws: WebSocketError.self) {
            try await socket.close(code: .abnormal)
        }
        #expect(code == .send(.closeCode))
        try await socket.send(text: "still open")
        #expect(channel.log == ["send text still open", "sent"])
    }

    /// Messages of many tasks refer to each other's bytes: one out of order would not inflate.
    @Test func manySendersShareOneWindow() async throws {
        let deflate = PerMessageDeflate()
        let channel = ScriptedChannel([.silence])
        let socket = try await WebSocket.open(
            socketRequest, over: ScriptedTransport(channel, deflate: deflate))
        #expect(socket.agreement.deflate == deflate)
        let texts = (0..<200).map { "message \($0) of many, which all say nearly the same" }
        try await withThrowingTaskGroup { group in
            for text in texts { group.addTask { try await socket.send(text: text) } }
            try await group.waitForAll()
        }
        let reader = WebSocketReader(sender: .client, deflate: deflate)
        let read = channel.frames.flatMap { reader.receive($0) }.map { event -> String? in
            if case .message(let message) = event { message.text } else { nil }
        }
        #expect(Set(read) == Set(texts))
        #expect(read.count == texts.count)
        #expect(channel.frames.allSatisfy { $0.rsv1 })
        // One at a time.
        #expect(
            channel.log == channel.log.indices.map { $0 % 2 == 0 ? "send text deflated" : "sent" })
    }

    @Test func senderAndRepliesTakeTurns() async throws {
        let channel = ScriptedChannel([.frame(.ping("p")), .silence])
        channel.block()
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        async let first: Void = socket.send(text: "first")
        await channel.saw("send text first")
        async let read = readAll(socket)
        await channel.saw("next")
        channel.unblock()
        try await first
        await channel.saw("send pong p")
        #expect(
            channel.log.filter { $0 != "next" }.prefix(3) == [
                "send text first", "sent", "send pong p",
            ])
        socket.cancel()
        let error = await read.error
        #expect(error?.errorCode == "transport.cancelled")
    }

    // MARK: Cancelling

    @Test func aCancelledSenderThatWaitsLeaves() async throws {
        let channel = ScriptedChannel([.silence])
        channel.block()
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        async let first: Void = socket.send(text: "first")
        await channel.saw("send text first")
        let second = Task { try await socket.send(text: "second") }
        second.cancel()
        let error = await #expect(throws: WebSocketError.self) { try await second.value }
        #expect(error?.errorCode == "transport.cancelled")
        channel.unblock()
        try await first
        try await socket.send(text: "third")
        #expect(channel.log == ["send text first", "sent", "send text third", "sent"])
    }

    @Test func aCancelledSenderOnItsWayEndsTheExchange() async throws {
        let channel = ScriptedChannel([.silence])
        channel.block()
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        let first = Task { try await socket.send(text: "first") }
        await channel.saw("send text first")
        let second = Task { try await socket.send(text: "second") }
        first.cancel()
        for task in [first, second] {
            let error = await #expect(throws: WebSocketError.self) { try await task.value }
            #expect(error?.errorCode == "transport.cancelled")
        }
        #expect(channel.log == ["send text first", "end cancelled transport.cancelled"])
    }

    @Test func cancellingTheReaderEndsTheExchange() async throws {
        let channel = ScriptedChannel([.frame(.text("one")), .silence])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        let reader = Task { await readAll(socket) }
        await channel.saw("next")
        reader.cancel()
        let read = await reader.value
        #expect(read.error?.errorCode == "transport.cancelled")
        #expect(channel.log.last == "end cancelled transport.cancelled")
        #expect(socket.closure == nil)
    }

    @Test func droppingItEndsTheExchangeAndLeavesNothing() async throws {
        weak var leftChannel: ScriptedChannel?
        weak var leftSocket: WebSocket?
        let clock = HandClock()
        let lines: Locked<[String]> = Locked([])
        do {
            let channel = ScriptedChannel([.frame(.text("one")), .silence])
            let socket = try await WebSocket.open(
                socketRequest, over: ScriptedTransport(channel, clock: clock))
            var messages = socket.messages.makeAsyncIterator()
            let first = try await messages.next()
            #expect(first?.text == "one")
            // The limit of a closing must hold nothing either.
            let closing = Task { [weak socket] in try await socket?.close() }
            await clock.slept()
            closing.cancel()
            _ = await closing.result
            leftChannel = channel
            leftSocket = socket
            lines.withLock { $0 = channel.log }
        }
        #expect(lines.withLock { $0.last } == "end cancelled transport.cancelled")
        #expect(leftSocket == nil)
        #expect(leftChannel == nil)
        #expect(clock.sleepers.isEmpty)
    }

    @Test func droppingItWithoutAWordEndsTheExchange() async throws {
        let channel = ScriptedChannel([.silence])
        do { _ = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel)) }
        #expect(channel.log == ["end cancelled transport.cancelled"])
    }

    // MARK: Closing

    @Test func closingReadsOnAndKeepsWhatComes() async throws {
        let channel = ScriptedChannel([
            .frame(.text("on its way")), .frame(.ping("p")), .frame(.close(.normal)), .finish,
        ])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        try await socket.close(code: .normal, reason: "done")
        #expect(
            channel.log == [
                "send close 1000 done", "sent", "next", "next", "send pong p", "sent", "next",
                "next", "finish", "end complete",
            ])
        let (messages, error) = await readAll(socket)
        #expect(messages == ["on its way"])
        #expect(error == nil)
    }

    @Test func closingWhileAnotherReads() async throws {
        let channel = ScriptedChannel([.silence])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        async let read = readAll(socket)
        await channel.saw("next")
        async let closing: Void = socket.close(code: .goingAway)
        await channel.saw("sent")
        channel.continueWith([.frame(.text("last")), .frame(.close(.goingAway)), .finish])
        try await closing
        let (messages, error) = await read
        #expect(messages == ["last"])
        #expect(error == nil)
        #expect(channel.frames.map(\.said) == ["close 1001"])
        try await socket.close()
        #expect(channel.log.last == "end complete")
    }

    @Test func afterTheCloseNothingIsSent() async throws {
        let channel = ScriptedChannel([.frame(.close(.normal)), .finish])
        let socket = try await WebSocket.open(socketRequest, over: ScriptedTransport(channel))
        try await socket.close()
        let error = await #expect(throws: WebSocketError.self) { try await socket.send(text: "x") }
        #expect(error == .closed)
    }
}
