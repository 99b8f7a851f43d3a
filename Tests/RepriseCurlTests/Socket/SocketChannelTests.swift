import RepriseCurl
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Frames over a server that says exactly the bytes it is told.
@Suite struct SocketChannelTests {
    @Test func framesGoBothWaysAsOnTheWire() async throws {
        let peer = try await RawPeer.start()
        let (first, second) = (WebSocketFrame.text("hello"), WebSocketFrame(.ping, [1, 2]))
        try await peer.script(
            [
                .bytes(Array(Dial.switching.utf8) + first.served), .wait,
                .bytes(second.served + WebSocketFrame(.close, [3, 0xE8]).served), .hang,
            ], at: "/a/../b")
        let dial = await Dial.make("ws://\(peer.place)/a/../b?c=d")
        let channel = try #require(dial.channel)
        #expect(dial.response?.head.status == 101)
        #expect(try await channel.next()?.frame == first)
        let sent = [
            WebSocketFrame(.text, Array("one".utf8), isFinal: false, rsv1: true),
            WebSocketFrame(.continuation, [0, 0xFF]), WebSocketFrame(.close, [3, 0xE8]),
        ]
        try await channel.send(sent)
        try await peer.go("/a/../b")
        #expect(try await channel.next()?.frame == second)
        #expect(try await channel.next()?.frame?.opcode == .close)
        channel.finishSending()
        // The peer closes its side when ours is.
        #expect(try await channel.next() == nil)
        #expect(try await channel.next() == nil)
        #expect(dial.witness.end == nil)
        channel.end(EndRecord(how: .complete))
        channel.end(EndRecord(how: .failed))
        try await dial.witness.untilEnd()
        #expect(dial.end == EndRecord(how: .complete))
        #expect(
            dial.witness.kinds == [
                "request", "requestEnd", "phases", "response", "socketFrame", "end",
            ])
        #expect(dial.witness.frames(of: .client).map(\.frame) == sent)
        #expect(dial.witness.frames(of: .server).count == 3)
        #expect(dial.witness.committed.count == dial.witness.entries.count)
        let times = dial.witness.entries.map(\.time)
        #expect(times == times.sorted())

        let told = try #require(dial.witness.request)
        #expect(told.transport == .websocket)
        #expect(told.url.description == "ws://\(peer.place)/a/../b?c=d")
        var fields: Headers = ["Host": peer.place]
        fields.fields += Dial.headers.fields
        #expect(told.headers == fields)
        let head = WireTests.head(told, target: "/a/../b?c=d")
        let wire = try peer.peer.readLog().received(on: 1)
        #expect(Array(wire.prefix(head.count)) == head)
        let bytes = Array(wire.dropFirst(head.count))
        #expect(WebSocketFrame.all(ofClient: bytes) == sent)
    }
}

// MARK: - What is no frame, and broken connections

extension SocketChannelTests {
    /// Every split of a server's bytes gives the same frames and the same bytes that are none.
    @Test func aViolationKeepsItsBytesWhereverItIsCut() {
        let frames = [WebSocketFrame.text("hello"), WebSocketFrame(.ping, [1])]
        let sound = frames.flatMap(\.served)
        let bad: [UInt8] = [0x81, 0x7E, 0x00, 0x05] + Array("hello and more".utf8)
        let bytes = sound + bad
        for first in 0...bytes.count {
            for second in first...min(first + 9, bytes.count) {
                var reader = WebSocketFrameReader(limits: WebSocketLimits())
                let reads = [0..<first, first..<second, second..<bytes.count].map {
                    reader.push(Array(bytes[$0]))
                }
                let items = reads.flatMap(\.items)
                #expect(items.count == 3)
                #expect(items.compactMap { SocketDelivery($0, time: 0).frame } == frames)
                #expect(
                    SocketDelivery(items[2], time: 0).violation
                        == WebSocketViolation(.lengthForm, frame: 2, offset: sound.count + 1))
                #expect(reads.flatMap(\.refused) == bad)
            }
        }
    }

    @Test func whatIsNoFrameIsToldAndHandedOverAsAFault() async throws {
        let peer = try await RawPeer.start()
        let masked = WebSocketFrameEncoder.client(.text("masked"), mask: 0x1234_5678)
        try await peer.script([
            .bytes(Array(Dial.switching.utf8) + WebSocketFrame.text("sound").served + masked),
            .wait, .bytes([1, 2, 3]), .hang,
        ])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        #expect(try await channel.next()?.text == "sound")
        let violation = try await channel.next()?.violation
        #expect(violation == WebSocketViolation(.masked, frame: 1, offset: 8))
        #expect(dial.witness.deliveries.map(\.bytes) == [masked])
        try await peer.go()
        try await channel.send([WebSocketFrame(.close, [3, 0xEA])])
        channel.finishSending()
        #expect(try await channel.next() == nil)
        channel.end(EndRecord(how: .failed, code: "websocket.masked"))
        try await dial.witness.untilEnd()
        #expect(dial.witness.deliveries.flatMap(\.bytes) == masked + [1, 2, 3])
        #expect(dial.witness.frames(of: .server).count == 1)
        #expect(dial.end == EndRecord(how: .failed, code: "websocket.masked"))
    }

    /// Nothing holds a server back that goes on behind a fault; a tape does not grow with it.
    @Test func whatIsNoFrameIsNotToldWithoutEnd() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send(Dial.switching), .bytes([0x81, 0x80]), .frames(count: 400, size: 8_000), .hang,
        ])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        #expect(try await channel.next()?.violation?.kind == .masked)
        try await peer.peer.tell("sends 1")
        channel.finishSending()
        #expect(try await channel.next() == nil)
        channel.end(EndRecord(how: .failed))
        try await dial.witness.untilEnd()
        let told = dial.witness.deliveries.flatMap(\.bytes)
        #expect(told.count == 1 << 20)
        #expect(told.prefix(6) == [0x81, 0x80, 0x82, 0x7E, 0x1F, 0x40])
    }

    @Test func aFrameAboveTheLimitIsAFault() async throws {
        let peer = try await RawPeer.shared()
        let path = "/socket/limit"
        try await peer.script(
            [.send(Dial.switching), .frames(count: 1, size: 800), .hang], at: path)
        let dial = await Dial.make(peer.url(path), limits: WebSocketLimits(frameBytes: 799))
        let violation = try await dial.channel?.next()?.violation
        #expect(violation?.kind == .frameTooLarge)
    }

    /// A FIN within a frame ends the bytes; whether that is a cut is the driver's to say.
    @Test func anEndWithinAFrameEndsTheFrames() async throws {
        let peer = try await RawPeer.shared()
        let path = "/socket/cut"
        let frame = WebSocketFrame.text("whole").served
        try await peer.script(
            [.send(Dial.switching), .bytes(frame + frame.dropLast()), .fin], at: path)
        let dial = await Dial.make(peer.url(path))
        let channel = try #require(dial.channel)
        #expect(try await channel.next()?.text == "whole")
        #expect(try await channel.next() == nil)
        #expect(dial.end == nil)
        channel.end(EndRecord(how: .reset))
        try await dial.witness.untilEnd()
        #expect(dial.witness.frames(of: .server).count == 1)
    }

    @Test func aResetBreaksBothDirections() async throws {
        let peer = try await RawPeer.shared()
        let path = "/socket/reset"
        try await peer.script(
            [.send(Dial.switching), .bytes(WebSocketFrame.text("last").served), .wait, .reset],
            at: path)
        let dial = await Dial.make(peer.url(path))
        let channel = try #require(dial.channel)
        #expect(try await channel.next()?.text == "last")
        try await peer.go(path)
        let error = await #expect(throws: TransportError.self) { try await channel.next() }
        #expect(error?.code == .reset)
        #expect(error?.how == .reset)
        #expect(dial.end?.how == .reset)
        #expect(dial.end?.code == "transport.reset")
        let again = await #expect(throws: TransportError.self) {
            try await channel.send([.text("too late")])
        }
        #expect(again == error)
        channel.end(EndRecord(how: .complete))
        #expect(dial.witness.frames(of: .client).isEmpty)
        #expect(dial.witness.entries.filter { $0.content.kind == .end }.count == 1)
    }

    /// What came before the peer closed is read even where sending finds out first.
    @Test func framesBeforeABreakAreRead() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send(Dial.switching), .bytes(WebSocketFrame.text("first").served),
            .bytes(WebSocketFrame.text("second").served), .fin,
        ])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        try await peer.peer.tell("gone 1")
        // The first goes to a closed socket, whose answer is a reset, which the next one meets.
        let error = await #expect(throws: TransportError.self) {
            while true { try await channel.send([.text("anybody there?")]) }
        }
        #expect(error?.code == .reset)
        #expect(try await channel.next()?.text == "first")
        #expect(try await channel.next()?.text == "second")
        await #expect(throws: TransportError.self) { try await channel.next() }
        #expect(dial.end?.how == .reset)
    }
}

// MARK: - Sending

extension SocketChannelTests {
    /// Fifty tasks at once: the tape's order is the wire's.
    @Test func framesOfManySendersAreToldInTheOrderOfTheWire() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .hang])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let half = [UInt8](repeating: UInt8(number), count: number * 400)
                    try await channel.send([
                        WebSocketFrame(.binary, half, isFinal: false),
                        WebSocketFrame(.continuation, [UInt8(number)]),
                    ])
                }
            }
            try await group.waitForAll()
        }
        channel.finishSending()
        #expect(try await channel.next() == nil)
        let told = dial.witness.frames(of: .client).map(\.frame)
        #expect(told.count == 100)
        let isWhole = stride(from: 0, to: 100, by: 2).allSatisfy { index in
            told[index].payload.count == Int(told[index + 1].payload[0]) * 400
        }
        #expect(isWhole)
        let wire = try peer.peer.readLog().received(on: 1)
        let head = WireTests.head(try #require(dial.witness.request), target: "/")
        #expect(WebSocketFrame.all(ofClient: Array(wire.dropFirst(head.count))) == told)
        let late = await #expect(throws: TransportError.self) {
            try await channel.send([.text("behind the end")])
        }
        #expect(late?.code == .failed)
        channel.end(EndRecord(how: .complete))
        try await dial.witness.untilEnd()
        await #expect(throws: TransportError.self) { try await channel.send([.text("more")]) }
    }

    @Test func sendingWaitsForAPeerThatDoesNotRead() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .wait, .hang])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        // More than the system's buffers take.
        let frames = (0..<16).map { number in
            WebSocketFrame(.binary, [UInt8](repeating: UInt8(number), count: 1 << 19))
        }
        let isSent = Locked(false)
        let sender = Task {
            try await channel.send(frames)
            isSent.withLock { $0 = true }
        }
        while dial.witness.frames(of: .client).isEmpty { await Task.yield() }
        try await LiveClock().sleep(for: 200_000_000)
        #expect(!isSent.withLock { $0 })
        // What waits is not even made ready.
        #expect(dial.witness.frames(of: .client).count < 16)
        try await peer.go()
        try await sender.value
        channel.finishSending()
        #expect(try await channel.next() == nil)
        channel.end(EndRecord(how: .complete))
        let wire = try peer.peer.readLog().received(on: 1)
        let head = WireTests.head(try #require(dial.witness.request), target: "/")
        #expect(WebSocketFrame.all(ofClient: Array(wire.dropFirst(head.count))) == frames)
    }

    @Test func whatWaitsToBeSentIsGivenUpAtTheEnd() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .wait])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        let sender = Task {
            try await channel.send(
                Array(
                    repeating: WebSocketFrame(.binary, [UInt8](repeating: 1, count: 1 << 19)),
                    count: 16))
        }
        while dial.witness.frames(of: .client).isEmpty { await Task.yield() }
        channel.end(EndRecord(how: .complete))
        await #expect(throws: TransportError.self) { try await sender.value }
        #expect(dial.end == EndRecord(how: .complete))
    }
}
