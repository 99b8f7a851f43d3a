import ChatbaseKit
import RepriseAnalysis
import RepriseSupport
import RepriseTesting
import RepriseTransport
import Testing

/// The trait as a test has it.
@Suite struct TraitTests {
    @Test(.tape("weather")) func asksForTheWeather() async throws {
        let client = ChatbaseClient(agentId: "a1", transport: Tape.current.transport)
        let reply = try await client.send("Hello")
        #expect(reply.message.text == Weather.text)
        #expect(Tape.current.turns[0].ttft! < .milliseconds(800))
        Tape.current.expectNoViolations()
    }

    @Test(.tape("weather.jsonl", in: "Recordings", playback: .strict), arguments: 1...3)
    func eachCaseHasATapeOfItsOwn(_ number: Int) async throws {
        #expect(try await Weather.ask(.current) == Weather.text)
        #expect(Tape.current.turns.count == 1)
        #expect(Tape.current.turns[0].latency == .milliseconds(59_985))
        #expect(Tape.current.turns[0].operation == "send")
        #expect(Tape.current.session.exchanges.map(\.path) == ["/api/sdk/agents/a1/chat"])
        #expect(Tape.current.report.verdict.turns == 1)
    }

    @Test(.tape("chatbase-user-send", in: "../../Recordings"))
    func playsATape() async throws {
        let client = ChatbaseClient(
            agentId: "a-1", baseURL: "http://127.0.0.1:18911/api/sdk",
            transport: Tape.current.transport,
            options: ChatbaseOptions(deviceId: .fixed("3d0c2b4e-7a51-4c1f-8f0e-6b9d2a7e5c10")))
        try await client.identify(token: String(repeating: "*", count: 26))
        let reply = try await client.send("Which colours has it?")
        #expect(reply.conversationId == "cv-4fb8d8de9321")
        Tape.current.expectNoViolations()
    }

    /// The app's own limit comes when it came, and nobody waits for it.
    @Test(.tape("weather", allowing: [.unread(path: "/api/sdk/*")]))
    func aTimeOutOfTheAppComesOnTheRecordedTime() async throws {
        let tape = Tape.current
        let clock = tape.transport.context.clock
        let words = Locked<[String]>([])
        await withTaskGroup { group in
            group.addTask {
                _ = try? await ChatbaseClient(agentId: "a1", transport: tape.transport)
                    .send("Hello") { callbacks in
                        callbacks.onTextDelta = { word in words.withLock { $0.append(word) } }
                    }
            }
            group.addTask { try? await clock.sleep(for: 10_000_000_000) }
            await group.next()
            group.cancelAll()
        }
        #expect(words.withLock { $0.joined() } == "It is warm and clear")
        #expect(clock.now() == 10_000_000_000)
    }

    /// `.none` is a mode here, and no optional that is nil.
    @Test func modesAreWhatTheySay() {
        let none = TapeTrait.tape("x", mode: .none, playback: .live, matching: .flexible)
        #expect(none.tape.options.mode == Tape.Mode.none)
        #expect(none.tape.options.playback == .live)
        #expect(none.tape.options.matching == .flexible)
        let usual = TapeTrait.tape("x")
        #expect(usual.tape.options.mode == .once)
        #expect(usual.tape.options.playback == .strict)
        #expect(usual.tape.options.matching == .exact)
    }

    @Test func aTapeWithoutATraitIsUsedAlike() async throws {
        let matching = RequestMatching.exact.ignoring(.json("$.message"))
        try await Tape.use("weather", mode: .none, playback: .strict, matching: matching) { tape in
            #expect(tape.activity == .replaying)
            let text = try await Weather.ask(tape, "Hi")
            #expect(text == Weather.text)
        }
    }

    @Suite(.tape("weather")) struct ASuite {
        @Test func givesItsTestsATapeEach() async throws {
            #expect(Tape.current.name == "weather")
            #expect(try await Weather.ask(.current) == Weather.text)
        }

        @Test(.tape("chatbase-conversations", in: "../../Recordings", allowing: [.unconsumed()]))
        func comesBehindATestsOwn() {
            #expect(Tape.current.name == "chatbase-conversations")
        }
    }

    @Test func thereIsNoTapeWithoutATrait() async throws {
        let issues = Locked(0)
        await withKnownIssue {
            let tape = Tape.current
            await #expect(throws: TransportError.self) {
                try await tape.transport.send(Request(method: "GET", url: "http://a.example"))
            }
        } matching: { issue in
            issues.withLock { $0 += 1 }
            return issue.comments.first?.rawValue.contains("add the trait .tape(…)") == true
        }
        #expect(issues.withLock { $0 } == 1)
    }

    @Test func aMinuteTakesNoTime() async throws {
        let clock = ContinuousClock()
        var least = Duration.seconds(60)
        for _ in 0..<10 {
            let took = try await clock.measure {
                try await Weather.use().run(sourceLocation: #_sourceLocation) { tape in
                    #expect(try await Weather.ask(tape) == Weather.text)
                    let time = try #require(tape.time)
                    #expect(time.now() >= 59_000_000_000)
                }
            }
            least = min(least, took)
        }
        print("a minute on virtual time took \(least)")
    }

    @Test func aThousandInParallelDoTheSame() async throws {
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<1_000 {
                group.addTask { await TraitTests.outcome() }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes.count == 1)
        #expect(outcomes.values.first == 1_000)
    }

    /// What a test sees: each word with its time, a time-out that ties with one of them, the end.
    private static func outcome() async -> String {
        let diary = Locked<[String]>([])
        do {
            try await Weather.use().run(sourceLocation: #_sourceLocation) { tape in
                let clock = tape.transport.context.clock
                let note: @Sendable (String) -> Void = { word in
                    let line = "\(clock.now()) \(word)"
                    diary.withLock { $0.append(line) }
                }
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        _ = try await ChatbaseClient(agentId: "a1", transport: tape.transport)
                            .send("Hello") { $0.onTextDelta = note }
                        note("end")
                    }
                    for second in 1...5 {
                        group.addTask {
                            try await clock.sleep(for: Int64(second) * 10_000_000_000)
                            note("slept \(second)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        } catch {
            diary.withLock { $0.append("\(error)") }
        }
        return diary.withLock { $0.joined(separator: "\n") }
    }
}
