import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Checks of tapes whose operations overlapped, timed out or were stopped.
@Suite struct ReplayConcurrentTests {
    static let second: Int64 = 1_000_000_000

    /// A recording of clients with one exchange each.
    private struct Tape {
        private var frames: [(time: Int64, line: String)] = []

        mutating func client(_ number: Int, at time: Int64 = 0) {
            add(
                time,
                #""kind":"client","client":"racer","config":{"base":"https://a.example/\#(number)"}"#
            )
        }

        mutating func begin(
            _ call: Int, _ op: String = "ask", client: Int? = 1, at time: Int64,
            limit: Int64 = 10 * second
        ) {
            let client = client.map { #""client":\#($0),"# } ?? ""
            add(
                time,
                #""kind":"call","call":\#(call),\#(client)"op":"\#(op)","args":{"limit":\#(limit)}"#
            )
        }

        mutating func end(_ call: Int, at time: Int64, _ outcome: String) {
            add(time, #""kind":"call","call":\#(call),\#(outcome)"#)
        }

        mutating func request(_ x: Int, call: Int, client: Int = 1, at time: Int64) {
            add(
                time,
                #""kind":"request","x":\#(x),"call":\#(call),"transport":"http","method":"GET","#
                    + #""url":"https://a.example/\#(client)","headers":[]"#)
            add(time, #""kind":"requestEnd","x":\#(x)"#)
        }

        mutating func response(_ x: Int, at time: Int64) {
            add(
                time,
                #""kind":"response","x":\#(x),"status":200,"version":"1.1","headers":[]"#)
        }

        mutating func body(_ x: Int, _ text: String, at time: Int64) {
            add(time, #""kind":"responseBody","x":\#(x),"text":"\#(text)""#)
        }

        mutating func end(exchange x: Int, at time: Int64, _ how: String = #""how":"complete""#) {
            add(time, #""kind":"end","x":\#(x),\#(how)"#)
        }

        private mutating func add(_ time: Int64, _ fields: String) {
            frames.append((time, #"{"t":\#(time),\#(fields)}"#))
        }

        /// In the order of time, which is that of a tape.
        var text: String {
            frames.enumerated().sorted {
                ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
            }
            .map(\.element.line).joined(separator: "\n") + "\n"
        }

        mutating func exchange(
            _ x: Int, call: Int, client: Int = 1, from start: Int64, _ text: String, to end: Int64
        ) {
            request(x, call: call, client: client, at: start)
            response(x, at: start + 1000)
            body(x, text, at: end - 1000)
            self.end(exchange: x, at: end)
        }
    }

    private func check(_ tape: Tape, pace: Pace = .instant) async throws -> [String] {
        try await check(tape.text, pace: pace)
    }

    private func check(_ text: String, pace: Pace = .instant) async throws -> [String] {
        let check = ReplayCheck(try recording(text), clients: [Racer.self])
        return try await check.run(pace: pace).map { "\($0.kind): \($0)" }
    }

    /// A long operation, within which two short ones run one after the other.
    private static var overlapping: Tape {
        var tape = Tape()
        tape.client(1)
        tape.begin(1, at: 10)
        tape.exchange(1, call: 1, from: 20, "long", to: 5 * second)
        for call in 2...3 {
            let start = Int64(call - 1) * second
            tape.begin(call, at: start)
            tape.exchange(call, call: call, from: start + 10, "short", to: start + 500_000)
            tape.end(call, at: start + 600_000, #""result":"short""#)
        }
        tape.end(1, at: 5 * second + 10, #""result":"long""#)
        return tape
    }

    @Test(arguments: [Pace.instant, .virtual, .scaled(1000)])
    func whatOverlappedOverlapsAgain(pace: Pace) async throws {
        #expect(try await check(Self.overlapping, pace: pace) == [])
    }

    @Test func differencesComeInRecordedOrder() async throws {
        let text = Self.overlapping.text.replacing(#""result":"long""#, with: #""result":"old""#)
            .replacing(#""result":"short""#, with: #""result":"older""#)
        let expected = [
            #"outcome: call 1: in the result of ask, $ differs: recorded "old", now "long""#,
            #"outcome: call 2: in the result of ask, $ differs: recorded "older", now "short""#,
            #"outcome: call 3: in the result of ask, $ differs: recorded "older", now "short""#,
        ]
        for _ in 0..<20 { #expect(try await check(text) == expected) }
    }

    @Test func anOperationWaitsForWhatHadEndedBefore() async throws {
        // `wait` answers how often `count` was run: none may run beside another.
        var tape = Tape()
        tape.client(1)
        for call in 1...3 {
            tape.begin(call, "alone", at: Int64(call) * 10)
            tape.end(call, at: Int64(call) * 10 + 5, #""result":1"#)
        }
        #expect(try await check(tape) == [])
    }

    /// The client gives up after 2 s.
    private static func race(answerAt time: Int64?, limit: Int64 = 2 * second) -> Tape {
        var tape = Tape()
        tape.client(1)
        tape.begin(1, at: 10, limit: limit)
        tape.request(1, call: 1, at: 20)
        if let time {
            tape.response(1, at: second)
            tape.body(1, "in time", at: time)
            tape.end(exchange: 1, at: time)
            tape.end(1, at: time + 10, #""result":"in time""#)
        } else {
            tape.end(exchange: 1, at: limit + 300_000, #""how":"cancelled","code":"x""#)
            tape.end(1, at: limit + 400_000, #""error":{"code":"racer.timeout","message":"m"}"#)
        }
        return tape
    }

    @Test(arguments: [second, 2 * second - 1, 2 * second, 2 * second + 10, nil] as [Int64?])
    func aTimeOutComesWhenItCame(answer: Int64?) async throws {
        // The client begins to wait at 10 ns and so gives up at 2 s and 10 ns: what is on the tape
        // for that very moment was earlier.
        #expect(try await check(Self.race(answerAt: answer)) == [])
    }

    @Test func anAnswerThatCameLaterLosesNow() async throws {
        let found = try await check(Self.race(answerAt: 2 * Self.second + 11))
        #expect(
            found == ["outcome: call 1: recorded a result of ask, now it failed: racer.timeout"])
    }

    @Test func whatTheAppStoppedIsStopped() async throws {
        var tape = Tape()
        tape.client(1)
        // It would go on forever: it asks again and again, and is between two requests.
        tape.begin(1, "poll", at: 10)
        for x in 1...3 {
            let start = Int64(x - 1) * Self.second + 10
            tape.exchange(x, call: 1, from: start, "nothing", to: start + 5000)
        }
        tape.end(1, at: 3 * Self.second, #""error":{"code":"cancelled","message":"m"}"#)
        tape.begin(2, at: 4 * Self.second)
        tape.exchange(4, call: 2, from: 4 * Self.second + 5, "a", to: 4 * Self.second + 5000)
        tape.end(2, at: 5 * Self.second, #""result":"a""#)
        #expect(try await check(tape) == [])
    }

    @Test func whatComesToNoEndIsTold() async throws {
        var tape = Tape()
        tape.client(1)
        tape.begin(1, "hang", at: 10)
        tape.end(1, at: 20, #""result":null"#)
        tape.begin(2, at: 30)
        tape.exchange(1, call: 2, from: 40, "a", to: 50_000)
        tape.end(2, at: 60_000, #""result":"a""#)
        #expect(
            try await check(tape) == [
                "outcome: call 1: recorded a result of hang, now it failed: cancelled",
                "stalled: the replay cannot go on: it waits for the end of hang, call 1",
            ])
    }

    @Test func whatIsBesideTheReplaysTimeIsTold() async throws {
        var tape = Tape()
        tape.client(1)
        tape.begin(1, "detach", at: 10)
        tape.end(1, at: 20, #""result":null"#)
        // On a busy machine it may be back too late.
        let told = ["nondeterministic: this replay is not deterministic: 1 time", "stalled: "]
        let found = try await check(tape)
        #expect(found.contains { line in told.contains { line.hasPrefix($0) } })
    }

    @Test func aMinuteIsCheckedInNoTime() async throws {
        var tape = Tape()
        tape.client(1)
        tape.begin(1, at: 10, limit: 600 * Self.second)
        tape.request(1, call: 1, at: 20)
        tape.response(1, at: 1000)
        for index in 0..<600 { tape.body(1, "a", at: Int64(index) * Self.second / 10 + 2000) }
        tape.end(exchange: 1, at: 60 * Self.second)
        let text = String(repeating: "a", count: 600)
        tape.end(1, at: 60 * Self.second + 10, #""result":"\#(text)""#)
        let recording = try recording(tape.text)
        let check = ReplayCheck(recording, clients: [Racer.self])
        var best = Int64.max
        for _ in 0..<5 {
            let start = LiveClock().now()
            #expect(try await check.run() == [])
            best = min(best, LiveClock().now() - start)
        }
        print("a minute with 600 deliveries in \(best / 1000) µs")
    }

    // MARK: Clients

    @Test func operationsAreRunByTheClientThatTheyName() async throws {
        var tape = Tape()
        tape.client(1)
        tape.client(2)
        for call in 1...4 {
            let (start, client) = (Int64(call) * 1_000_000, 2 - call % 2)
            tape.begin(call, client: client, at: start)
            tape.exchange(
                call, call: call, client: client, from: start + 5, "a", to: start + 5000)
            tape.end(call, at: start + 6000, #""result":"a""#)
        }
        #expect(try await check(tape) == [])
        // A tape of before names none: it is the latest.
        let old = tape.text.replacing(#""client":1,"#, with: "").replacing(
            #""client":2,"#, with: "")
        #expect(
            try await check(old)
                == [1, 3].flatMap { call in
                    [
                        "request: call \(call): GET /2 comes out of order: it is exchange "
                            + "\(call + 1), and exchange \(call), GET /1, is due before it",
                        "unconsumed: call \(call): GET /1: recorded as exchange \(call), no request "
                            + "asked for it",
                    ]
                })
        let odd = tape.text.replacing(#""call":4,"client":2,"#, with: #""call":4,"client":3,"#)
        #expect(
            try await check(odd)
                == ["client: call 4: its client, number 3, was not recorded before it"])
    }

    @Test func twoClientsOnOneRecorderCheckClean() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/two.tape"
        let recorder = try TapeRecorder(path: path)
        let transport = RecordingTransport(base: FixedTransport(), recorder: recorder)
        let clients = try (1...2).map { number in
            try Racer(
                config: ["base": .string("https://a.example/\(number)")], transport: transport)
        }
        for turn in 0..<6 {
            try await clients[turn % 2].perform(
                op: "ask", args: ["limit": .integer(600 * Self.second)])
        }
        try recorder.close()
        let recording = try Recording(path: path)
        #expect(recording.clients.count == 2)
        #expect(recording.calls.map(\.client) == [1, 2, 1, 2, 1, 2])
        let check = ReplayCheck(recording, clients: [Racer.self])
        #expect(try await check.run().map(\.description) == [])
    }
}

/// A client whose operations race with its own limits.
private final class Racer: ClientReplayer {
    static let client = "racer"

    private let base: String
    private let transport: any Transport
    private let notice = ClientNotice()
    private let running = Locked(0)

    init(config: JSONObject, transport: any Transport) throws {
        base = config["base"]?.string ?? ""
        self.transport = transport
    }

    private var context: SessionContext { transport.context }

    func perform(op: String, args: JSON) async throws {
        let record = ClientRecord(client: Self.client, config: ["base": .string(base)])
        let client = notice.tell(context.journal, record, secrets: [])
        try await context.withCall(op: op, args: args, client: client, result: \.self) { call in
            switch op {
            case "ask": try await ask(call, limit: args["limit"]?.integer ?? 0)
            case "poll": try await poll(call)
            case "alone": try await alone()
            case "hang": try await hang()
            default: await detach()
            }
        }
    }

    private func ask(_ call: UInt64, limit: Int64) async throws -> JSON {
        let clock = context.clock
        return try await withThrowingTaskGroup(of: JSON.self) { group in
            group.addTask {
                try await clock.sleep(for: limit)
                throw RacerError.timeout
            }
            group.addTask { try await self.answer(call) }
            defer { group.cancelAll() }
            return try await group.next() ?? .null
        }
    }

    private func answer(_ call: UInt64) async throws -> JSON {
        let response = try await transport.send(
            Request(method: "GET", url: base, call: call))
        return .string(String(decoding: try await response.collected(), as: UTF8.self))
    }

    private func poll(_ call: UInt64) async throws -> JSON {
        while true {
            _ = try await answer(call)
            try await context.clock.sleep(for: 1_000_000_000)
        }
    }

    private func alone() async throws -> JSON {
        let count = running.withLock { count in
            count += 1
            return count
        }
        try await context.clock.sleep(for: 1_000_000_000)
        running.withLock { $0 -= 1 }
        return .integer(count)
    }

    private func hang() async throws -> JSON {
        for await _ in AsyncStream<Int>.makeStream().stream {}
        try Task.checkCancellation()
        return .null
    }

    private func detach() async -> JSON {
        // Long enough for who awaits it to be suspended.
        await Task.detached { try? await Task.sleep(for: .milliseconds(2)) }.value
        return .null
    }
}

private enum RacerError: CodedError {
    case timeout

    var errorCode: String { "racer.timeout" }
    var message: String { "no answer in time" }
}

/// A transport that answers everything at once.
private struct FixedTransport: Transport {
    let context = SessionContext.live

    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        let now = context.clock.now()
        let record = ResponseRecord(status: 200, version: "1.1", headers: [:])
        observer?.observe(
            .request(
                RequestRecord(
                    call: request.call, method: request.method, url: WireText(request.url),
                    headers: request.headers)), at: now)
        observer?.observe(.requestEnd, at: now)
        observer?.observe(.response(record), at: now)
        observer?.observe(.end(EndRecord(how: .complete)), at: now)
        observer?.commit()
        return Response(head: record, body: ResponseBody(Nothing()))
    }

    private final class Nothing: ResponseBody.Source {
        func next() async throws(TransportError) -> Delivery? { nil }
        func cancel() {}
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}
