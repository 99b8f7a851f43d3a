import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Every fault of a small WebSocket: which messages come when, and how it ends.
@Suite struct FaultSocketTests {
    /// Three messages (of 5, 4 + a ping + 4, and 5 bytes on the wire) at 100, 400 and 500, the
    /// second in two frames, then the closing handshake.
    static func frames(_ deflate: PerMessageDeflate? = nil) -> [(WebSocketRole, WebSocketFrame)] {
        let wire = SocketWire(.server, deflate: deflate)
        func message(_ text: String, _ cuts: [Int] = []) -> [(WebSocketRole, WebSocketFrame)] {
            wire.message(Array(text.utf8), deflated: deflate != nil, pings: true) { _ in cuts }
                .map { (.server, $0.frame) }
        }
        return message("one") + message("twotwo", [2]) + message("one")
            + [(.server, .close(.normal)), (.client, .close(.normal))]
    }

    static let all = "one@100 twotwo@400 one@500 closed"

    static let table: [(fault: String, outcome: String)] = [
        ("cut", "transport.reset@10"),
        ("cut@event:1", "one@100 transport.reset@100"),
        ("cut@event:2", "one@100 twotwo@400 transport.reset@400"),
        ("cut@event:1,end=fin", "one@100 transport.closed@100"),
        ("cut@byte:4", "transport.reset@100"),
        ("cut@byte:5", "one@100 transport.reset@100"),
        ("cut@time:250ns", "one@100 transport.reset@250"),
        ("cut@time:0s", "transport.reset@0"),
        ("cut@event:9", all),
        ("stall@event:1,for=1us", "one@100 twotwo@1100 one@1100 closed"),
        ("stall@byte:7,for=1us", "one@100 twotwo@1200 one@1200 closed"),
        ("stall@time:250ns,for=1us", "one@100 twotwo@1250 one@1250 closed"),
        ("stall@event:1", "one@100 transport.idleTimeout@86400000000100"),
        // Delivery by delivery, and each frame is one.
        ("slow@event:1,delay=10ns", "one@100 twotwo@430 one@540 closed"),
        // The pong goes out late, at 500, and in a replay nothing behind it comes before it.
        ("slow@time:100ns,factor=2", "one@100 twotwo@900 one@900 closed"),
        ("duplicate", "one@100 one@100 twotwo@400 one@500 closed"),
        ("duplicate@event:1", "one@100 one@100 twotwo@400 one@500 closed"),
        ("duplicate@event:2", "one@100 twotwo@400 twotwo@400 one@500 closed"),
        ("reorder@event:1", "twotwo@400 one@400 one@500 closed"),
        ("reorder@event:2", "one@100 one@500 twotwo@500 closed"),
        ("reorder@event:3", "one@100 twotwo@400 one@600 closed"),
        ("corrupt@event:1", "websocket.invalidText@100"),
        ("corrupt@byte:3", "websocket.invalidText@100"),
        // The second byte of a head: a masked frame of a server.
        ("corrupt@byte:1", "websocket.masked@100"),
        ("status=503", "websocket.refused@0"),
    ]

    @Test(arguments: table)
    func isAsSaid(row: (fault: String, outcome: String)) async throws {
        let text = try await run(SocketTape(Self.frames()), [row.fault])
        #expect(text == row.outcome)
    }

    /// Deflated messages are the same, whatever of the window they refer to is gone.
    @Test(arguments: table.filter { $0.fault.contains("event") && !$0.fault.contains("corrupt") })
    func deflatedMessagesAreTheSame(row: (fault: String, outcome: String)) async throws {
        var tape = SocketTape(Self.frames(PerMessageDeflate()))
        tape.responseHeaders = #",["Sec-WebSocket-Extensions","permessage-deflate"]"#
        let text = try await run(tape, [row.fault])
        #expect(text == row.outcome)
    }

    @Test func aDamagedDeflatedMessageIsDamagedText() async throws {
        var tape = SocketTape(Self.frames(PerMessageDeflate()))
        tape.responseHeaders = #",["Sec-WebSocket-Extensions","permessage-deflate"]"#
        let text = try await run(tape, ["corrupt@event:1"])
        #expect(text == "websocket.invalidText@100")
    }

    /// The client goes on to send in a silence, and can close in it.
    @Test func whoClosesInASilenceIsDone() async throws {
        let time = VirtualTime()
        let how = try await time.run {
            let tape = SocketTape([
                (.server, .text("one")), (.client, .text("two")), (.client, .close(.normal)),
                (.server, .close(.normal)),
            ])
            let replay = ReplayTransport(recording: try recording(tape.text), time: time)
            let transport = FaultTransport(
                base: replay, faults: [try Fault("stall@event:1,for=20s")])
            let socket = try await WebSocket.open(socketRequest, over: transport)
            var messages = socket.messages.makeAsyncIterator()
            _ = try await messages.next()
            try await socket.send(text: "two", deflated: false)
            do throws(WebSocketError) { try await socket.close() } catch {
                return "\(error.errorCode)@\(replay.clock.now())"
            }
            return "closed"
        }
        // The limit of closing is 10 s.
        #expect(how == "websocket.closeTimeout@10000000100")
    }

    private func run(_ tape: SocketTape, _ faults: [String]) async throws -> String {
        let time = VirtualTime()
        let recording = try recording(tape.text)
        let list = try faults.map { try Fault($0) }
        return try await time.run {
            let replay = ReplayTransport(recording: recording, time: time)
            let observer = KeptEvents()
            let transport = FaultTransport(base: replay, faults: list)
            var parts: [String] = []
            do throws(WebSocketError) {
                let socket = try await WebSocket.open(
                    socketRequest, over: transport, observer: observer)
                for try await message in socket.messages {
                    parts.append("\(message.text)@\(message.time)")
                }
                parts.append("closed")
            } catch {
                parts.append("\(error.errorCode)@\(replay.clock.now())")
            }
            let text = parts.joined(separator: " ")
            // Behind the last message there is nothing to swap it with.
            let isUnstruck = text == Self.all || faults == ["reorder@event:3"]
            #expect(transport.unstruck == (isUnstruck ? list : []))
            #expect(observer.kinds.count { $0 == .end } == 1)
            #expect(observer.events.map(\.time) == observer.events.map(\.time).sorted())
            return text
        }
    }
}
