import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// When what was recorded comes again, where the app does not repeat its user's thinking time.
@Suite struct ReplayAnchorTests {
    private static let second = 1_000_000_000

    @Test(arguments: [
        (Pace.instant, ReplayClock.Anchor.session, ReplayClock.Anchor.session),
        (.virtual, .app, .session), (.original, .app, .app), (.scaled(2), .app, .app),
    ])
    func whatCanBeHad(
        pace: Pace, byDefault: ReplayClock.Anchor, asked: ReplayClock.Anchor
    ) async throws {
        #expect(ReplayClock(pace: pace).anchor == byDefault)
        #expect(ReplayClock(pace: pace, anchor: .session).anchor == asked)
    }

    // MARK: Requests

    /// An answer after a second; half a minute later one after four; then one after six.
    private static let slow = (1...3).map { x -> String in
        let start = (x - 1) * 31 * second
        return asked(x, at: start, [(["one", "two", "three"][x - 1], [1, 4, 6][x - 1] * second)])
    }.joined()

    /// `GET /x`, and when after it what came.
    private static func asked(_ x: Int, at start: Int, _ parts: [(String, Int)]) -> String {
        let lines = parts.map { delivery($0, x, at: start + $1) }
        let end = start + (parts.last?.1 ?? 0)
        let events = lines.joined(separator: "\n")
        return exchange(x, at: start, path: "/\(x)", events: events, end: nil)
            + #"{"kind":"end","x":\#(x),"t":\#(end),"how":"complete"}"# + "\n"
    }

    /// What an app finds that waits five seconds for each answer, and when.
    private static func patience(_ anchor: ReplayClock.Anchor) async throws -> [String] {
        let diary = Diary()
        let recording = try recording(slow)
        let time = VirtualTime()
        let replay = ReplayTransport(recording: recording, time: time, anchor: anchor)
        try await time.run {
            for x in 1...3 {
                try await diary.limited(on: time, by: 5 * second) {
                    let (deliveries, _) = await read(try await replay.send(get("/\(x)")).body)
                    for delivery in deliveries {
                        diary.note(time, String(decoding: delivery.bytes, as: UTF8.self))
                        #expect(delivery.time == time.now())
                    }
                }
            }
        }
        #expect(time.escape == nil)
        return diary.lines
    }

    @Test func aLimitForAnAnswerHoldsForTheAnswer() async throws {
        let lines = try await Self.patience(.app)
        #expect(lines == ["1.0 one", "5.0 two", "10.0 gave up"])
    }

    /// Held until its recorded moment, a request takes as long as its user thought.
    @Test func fromTheSessionsStartItDoesNot() async throws {
        let lines = try await Self.patience(.session)
        #expect(lines == ["1.0 one", "6.0 gave up", "11.0 gave up"])
    }

    @Test func aThousandRunsAreOne() async throws {
        var outcomes: Set<[String]> = []
        for _ in 0..<1_000 {
            outcomes.insert(try await Self.patience(.app))
        }
        #expect(outcomes.count == 1)
    }

    /// The second began twelve seconds behind the first; now they begin otherwise.
    @Test(arguments: [
        (0, ["2.0 short", "10.0 long", "20.0 longer"]),
        (9, ["10.0 long", "11.0 short", "20.0 longer"]),
        (18, ["10.0 long", "20.0 longer", "20.0 short"]),
        (40, ["10.0 long", "20.0 longer", "42.0 short"]),
    ])
    func exchangesThatOverlapKeepTheirOwnTime(start: Int, expected: [String]) async throws {
        let second = Self.second
        let text = [
            Self.asked(1, at: 0, [("long", 10 * second), ("longer", 20 * second)]),
            Self.asked(2, at: 12 * second, [("short", 2 * second)]),
        ].joined()
        let recording = try recording(text)
        let diary = Diary()
        let time = VirtualTime()
        let replay = ReplayTransport(recording: recording, time: time)
        try await time.run {
            try await withThrowingTaskGroup { group in
                for x in 1...2 {
                    group.addTask {
                        if x == 2 { try await time.sleep(for: Int64(start * second)) }
                        for try await delivery in try await replay.send(get("/\(x)")).body {
                            diary.note(time, String(decoding: delivery.bytes, as: UTF8.self))
                        }
                    }
                    // The requests are one after the other, as on the tape.
                    await Task.yield()
                }
                try await group.waitForAll()
            }
        }
        #expect(diary.lines == expected)
        #expect(replay.misses.isEmpty)
    }

    // MARK: WebSockets

    /// A greeting, half a minute of thought, an answer in two parts, another thought and request,
    /// and what came of that.
    private static func session() -> SocketTape {
        var tape = SocketTape([])
        tape.add(.server, .text("hello"), at: second)
        tape.add(.server, .text("news"), at: 20 * second)
        tape.add(.client, .text("ask"), at: 30 * second)
        tape.add(.server, .text("part 1"), at: 31 * second)
        tape.add(.server, .text("part 2"), at: 36 * second)
        tape.lines += exchange(2, at: 60 * second, path: "/go").split(separator: "\n").map(
            String.init)
        tape.add(.server, .text("gone"), at: 62 * second)
        tape.add(.client, .close(.normal), at: 70 * second)
        tape.add(.server, .close(.normal), at: 71 * second)
        tape.endTime = 71 * second
        return tape
    }

    /// What comes when the app asks, requests and closes at these seconds.
    private static func listen(_ moments: [Int], anchor: ReplayClock.Anchor = .app) async throws
        -> [String]
    {
        let diary = Diary()
        let recording = try recording(session().text)
        let time = VirtualTime()
        let replay = ReplayTransport(recording: recording, time: time, anchor: anchor)
        try await time.run {
            let socket = try await replay.open()
            let reader = replay.context.startTask {
                for try await message in socket.messages {
                    #expect(message.time == time.now())
                    diary.note(time, message.text)
                }
                diary.note(time, "closed")
            }
            let actions: [@Sendable () async throws -> Void] = [
                { try await socket.send(text: "ask") },
                { _ = await read(try await replay.send(get("/go")).body) },
                { try await socket.close() },
            ]
            for (moment, action) in zip(moments, actions) {
                try await time.sleep(for: Int64(moment * second) - time.now())
                try await action()
            }
            try await reader.value
        }
        #expect(replay.misses.isEmpty && replay.unconsumedTails.isEmpty)
        #expect(time.escape == nil)
        return diary.lines
    }

    @Test(arguments: [
        // At once: what was sent before is there, and what is asked for comes as fast as it did.
        (
            [0, 10, 20],
            ["0.0 hello", "0.0 news", "1.0 part 1", "6.0 part 2", "12.0 gone", "21.0 closed"]
        ),
        // While it waits for what was sent before.
        (
            [5, 15, 20],
            ["1.0 hello", "5.0 news", "6.0 part 1", "11.0 part 2", "17.0 gone", "21.0 closed"]
        ),
        // Before the answer has come.
        (
            [5, 7, 20],
            ["1.0 hello", "5.0 news", "6.0 part 1", "7.0 part 2", "9.0 gone", "21.0 closed"]
        ),
        // After a longer thought than when recorded.
        (
            [300, 400, 500],
            [
                "1.0 hello", "20.0 news", "301.0 part 1", "306.0 part 2", "402.0 gone",
                "501.0 closed",
            ]
        ),
    ])
    func aSocketGoesByWhatTheAppDoes(moments: [Int], expected: [String]) async throws {
        let lines = try await Self.listen(moments)
        #expect(lines == expected)
    }

    @Test func fromTheSessionsStartASocketGoesByTheTape() async throws {
        let lines = try await Self.listen([0, 0, 65], anchor: .session)
        #expect(
            lines == [
                "1.0 hello", "20.0 news", "31.0 part 1", "36.0 part 2", "62.0 gone", "71.0 closed",
            ])
    }

    @Test func aThousandRunsOfASocketAreOne() async throws {
        var outcomes: Set<[String]> = []
        for _ in 0..<1_000 {
            outcomes.insert(try await Self.listen([5, 7, 20]))
        }
        #expect(outcomes.count == 1)
    }

    /// The app's limit for an answer of the socket, behind half a minute of thought.
    @Test(arguments: [(7, ["6.0 part 2"]), (5, ["5.0 gave up"])])
    func aLimitForAMessageHoldsForTheMessage(limit: Int, expected: [String]) async throws {
        let diary = Diary()
        let recording = try recording(Self.session().text)
        let time = VirtualTime()
        let replay = ReplayTransport(recording: recording, time: time)
        try await time.run {
            let socket = try await replay.open()
            try await socket.send(text: "ask")
            try await diary.limited(on: time, by: limit * Self.second) {
                let part = try await socket.messages.first { $0.text == "part 2" }
                if let part { diary.note(time, part.text) }
            }
            socket.cancel()
        }
        #expect(diary.lines == expected)
    }

    /// A request that comes before what was done before it when recorded.
    @Test func whatIsDoneInAnotherOrder() async throws {
        let diary = Diary()
        let recording = try recording(Self.session().text)
        let time = VirtualTime()
        let replay = ReplayTransport(recording: recording, time: time)
        try await time.run {
            let socket = try await replay.open()
            let reader = replay.context.startTask {
                for try await message in socket.messages {
                    #expect(message.time == time.now())
                    diary.note(time, message.text)
                }
            }
            _ = await read(try await replay.send(get("/go")).body)
            try await time.sleep(for: Int64(8 * Self.second) - time.now())
            try await socket.send(text: "ask")
            try await time.sleep(for: Int64(5 * Self.second))
            try await socket.close()
            try await reader.value
        }
        #expect(
            diary.lines == ["0.0 hello", "0.0 news", "8.0 part 1", "8.0 part 2", "8.0 gone"])
    }

    /// Where time is real nobody waits for the recorded thought either.
    @Test func atTheOriginalPaceASocketGoesByWhatTheAppDoes() async throws {
        var tape = SocketTape([])
        tape.add(.client, .text("ask"), at: 3600 * Self.second)
        tape.add(.server, .text("part 1"), at: 3600 * Self.second + 20_000_000)
        tape.endTime = 7200 * Self.second
        let replay = ReplayTransport(recording: try recording(tape.text), pace: .original)
        let socket = try await replay.open()
        let reader = Task {
            let message = try await socket.messages.first { _ in true }
            return (message?.text, replay.clock.now())
        }
        try await socket.send(text: "ask")
        let sent = replay.clock.now()
        let (text, came) = try await reader.value
        #expect(text == "part 1")
        #expect(came - sent >= 19_000_000 && came < 60 * Self.second)
        socket.cancel()
    }
}

/// Who keeps what happened when.
private final class Diary: Sendable {
    private let kept = Locked<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    /// Keeps it with the time in seconds, to the microsecond.
    func note(_ time: VirtualTime, _ text: String) {
        let line = "\(Double(time.now() / 1_000) / 1e6) \(text)"
        kept.withLock { $0.append(line) }
    }

    /// Does something for so long, and notes it where time is over.
    func limited(
        on time: VirtualTime, by limit: Int, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                do { try await body() } catch { if !Task.isCancelled { throw error } }
            }
            group.addTask {
                do { try await time.sleep(for: Int64(limit)) } catch { return }
                self.note(time, "gave up")
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
