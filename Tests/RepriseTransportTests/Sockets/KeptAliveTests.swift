import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Messages that only keep a WebSocket alive, where the app's user thinks for another time than when
/// recorded.
@Suite struct KeptAliveTests {
    private static let second = 1_000_000_000
    private static let options = SocketOptions { $0.text == "ping" || $0.text == "pong" }

    /// Half a minute apart from the opening on the client asks, and is answered after 0.2 s; its
    /// user thinks for 75 s, and gets an answer in parts that takes 35 s.
    private static func tape(
        answered: Int = 3, split: Bool = false, deflate: PerMessageDeflate? = PerMessageDeflate()
    ) -> SocketTape {
        let client = WebSocketWriter(sender: .client, deflate: deflate)
        let server = WebSocketWriter(sender: .server, deflate: deflate)
        var tape = SocketTape([])
        if deflate != nil {
            tape.responseHeaders = #",["Sec-WebSocket-Extensions","permessage-deflate"]"#
        }
        func add(_ sender: WebSocketRole, _ text: String, _ tenths: Int, gap: Int = 0) {
            let writer = sender == .client ? client : server
            let frames = writer.message(.text, Array(text.utf8), frameBytes: 9)
            for (place, frame) in frames.enumerated() {
                tape.add(sender, frame, at: (tenths + place * gap) * second / 10)
            }
        }
        for ping in 1...2 {
            add(.client, "ping", ping * 300)
            if ping <= answered { add(.server, "pong", ping * 300 + 2) }
        }
        add(.client, "ask", 750)
        add(.server, "a first part of it", 760, gap: split ? 100 : 0)
        add(.client, "ping", 900)
        if answered >= 3 { add(.server, "pong", 902) }
        add(.server, "a second part of it", 1_100)
        tape.endTime = 120 * second
        tape.end = #""how":"cancelled","code":"transport.cancelled""#
        return tape
    }

    /// What an app reads that asks its question after a while and keeps alive as it did, and when;
    /// it leaves a server that does not answer within `patience`.
    private static func talk(
        _ tape: SocketTape, asks: Int, leaves: Int, patience: Int = 5
    ) async throws -> [String] {
        let recording = try recording(tape.text)
        let time = VirtualTime()
        let replay = ReplayTransport(recording: recording, time: time)
        let app = App(time: time, patience: patience)
        try await time.run {
            let socket = try await replay.open(options: Self.options)
            let reader = replay.context.startTask { await app.read(socket) }
            let keeper = replay.context.startTask { try await app.keepAlive(socket) }
            defer { keeper.cancel() }
            try await time.sleep(for: Int64(asks * second))
            try await socket.send(text: "ask")
            try await time.sleep(for: Int64(leaves * second) - time.now())
            socket.cancel()
            await reader.value
        }
        #expect(replay.misses.isEmpty)
        #expect(time.escape == nil)
        return app.seen
    }

    private final class App: Sendable {
        private let time: VirtualTime
        private let state = Locked((seen: [String](), pongs: 0))

        private let patience: Int

        init(time: VirtualTime, patience: Int) {
            self.time = time
            self.patience = patience
        }

        var seen: [String] { state.withLock { $0.seen } }

        private func note(_ text: String) {
            let line = "\(Double(time.now() / 1_000_000) / 1e3) \(text)"
            state.withLock { $0.seen.append(line) }
        }

        func read(_ socket: WebSocket) async {
            do {
                for try await message in socket.messages {
                    note(message.text)
                    if message.text == "pong" { state.withLock { $0.pongs += 1 } }
                }
            } catch {}
        }

        func keepAlive(_ socket: WebSocket) async throws {
            for number in 1... {
                try await time.sleep(for: Int64(number * 30 * second) - time.now())
                state.withLock { $0.pongs = 0 }
                try await socket.send(text: "ping")
                try await time.sleep(for: Int64(patience * second))
                if state.withLock({ $0.pongs }) == 0 {
                    note("silence")
                    return socket.cancel()
                }
            }
        }
    }

    @Test(arguments: [nil, PerMessageDeflate(), PerMessageDeflate(serverNoContextTakeover: true)])
    func whoAsksAtAnotherTimeIsAnswered(deflate: PerMessageDeflate?) async throws {
        let seen = try await Self.talk(Self.tape(deflate: deflate), asks: 0, leaves: 130)
        #expect(
            seen == [
                "0.0 pong", "0.0 pong", "1.0 a first part of it", "15.2 pong", "30.0 pong",
                "35.0 a second part of it", "60.0 pong", "90.0 pong", "120.0 pong",
            ])
    }

    /// As recorded it goes without another answer.
    @Test func whoAsksAsRecordedIsAnsweredAsRecorded() async throws {
        let seen = try await Self.talk(Self.tape(), asks: 75, leaves: 115)
        #expect(
            seen == [
                "30.2 pong", "60.2 pong", "76.0 a first part of it", "90.2 pong",
                "110.0 a second part of it",
            ])
    }

    /// The app leaves a server that fell silent, which does not wait for the rest of the tape.
    @Test func whatFellSilentDoesSoAgain() async throws {
        let seen = try await Self.talk(Self.tape(answered: 2), asks: 0, leaves: 130)
        #expect(
            seen == [
                "0.0 pong", "0.0 pong", "1.0 a first part of it", "30.0 pong",
                "35.0 a second part of it", "65.0 silence",
            ])
        let never = try await Self.talk(Self.tape(answered: 0), asks: 0, leaves: 70)
        #expect(never.last == "35.0 silence")
    }

    /// An answer does not come within a message.
    @Test func noMessageIsCutByAnAnswer() async throws {
        let seen = try await Self.talk(
            Self.tape(split: true), asks: 27, leaves: 63, patience: 25)
        #expect(
            seen == [
                "27.0 pong", "27.0 pong", "48.0 a first part of it", "48.0 pong", "48.0 pong",
                "60.0 pong", "62.0 a second part of it",
            ])
    }
}
