import CometChatKit
import RepriseSupport
import RepriseTesting
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Tests of an app that talks to CometChat, on tapes that ship.
@Suite struct CometChatTapeTests {
    private static let folder = "../../Recordings"

    private static func session(_ tape: Tape = .current) -> CometChatSession {
        CometChatSession(
            appId: "app-1",
            settings: AppSettings(
                baseURL: "http://127.0.0.1:18912/v3.0", socketURL: "ws://127.0.0.1:18913"),
            transport: tape.transport)
    }

    /// What a user does, with pauses of so many seconds: logs in, asks, and logs out.
    @discardableResult
    private static func chat(
        _ tape: Tape, _ question: String = "What is the weather in Zürich?", pauses: [Int64] = [],
        _ note: @escaping @Sendable (AgentRunUpdate) -> Void = { _ in }
    ) async throws -> AgentRun {
        let clock = tape.transport.context.clock
        let pause: @Sendable (Int) async throws -> Void = { place in
            guard place < pauses.count else { return }
            try await clock.sleep(for: pauses[place] * 1_000_000_000)
        }
        let session = session(tape)
        try await session.login(authToken: "secret")
        try await pause(0)
        let run = try await session.send(question, to: "agent-7", onUpdate: note)
        try await pause(1)
        try await session.logout()
        return run
    }

    @Test(.tape("cometchat-weather", in: folder)) func runsWithAToolAndCards() async throws {
        let kinds = Locked<[String]>([])
        let run = try await Self.chat(.current) { update in
            guard case .event(let event) = update else { return }
            kinds.withLock { if $0.last != event.event.type { $0.append(event.event.type) } }
        }
        #expect(run.tools.map(\.name) == ["get_weather"])
        #expect(run.cards.count == 2)
        #expect(run.isComplete && !run.text.isEmpty)
        #expect(kinds.withLock { $0.first } == "run_started")
        #expect(Tape.current.turns[0].toolCalls == 1)
        Tape.current.expectNoViolations()
    }

    /// However long the user thinks, and the app idles: the run takes what it took.
    @Test(arguments: [[], [29], [600, 0], [0, 600], [45, 3_600], [7_200, 7_200]] as [[Int64]])
    func thinkingTakesNothingFromARun(pauses: [Int64]) async throws {
        try await Tape.use("cometchat-weather", in: Self.folder) { tape in
            let clock = tape.transport.context.clock
            try await Self.chat(tape, pauses: pauses)
            let idle = pauses.reduce(0, +) * 1_000_000_000
            #expect(clock.now() - idle > 700_000_000 && clock.now() - idle < 800_000_000)
        }
    }

    @Test func manyInParallelDoTheSame() async throws {
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let diary = Locked<[String]>([])
                    do {
                        try await Tape.use("cometchat-two-runs", in: Self.folder) { tape in
                            let clock = tape.transport.context.clock
                            try await Self.chat(tape, "And in Basel?", pauses: [40, 90]) { update in
                                diary.withLock { $0.append("\(clock.now()) \(update)") }
                            }
                        }
                    } catch {
                        diary.withLock { $0.append("\(error)") }
                    }
                    return diary.withLock { $0.joined(separator: "\n") }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes.count == 1)
        #expect(outcomes.values.first == 200)
    }

    /// The connection breaks within the run: the session opens it again and fetches what it missed.
    @Test(.tape("cometchat-cut", in: folder)) func reconnects() async throws {
        let session = Self.session()
        let seen = Locked<[String]>([])
        let reader = Tape.current.transport.context.startTask {
            for await update in session.updates {
                switch update {
                case .connected(let again): seen.withLock { $0.append("connected \(again)") }
                case .disconnected: seen.withLock { $0.append("disconnected") }
                case .recovered: seen.withLock { $0.append("recovered") }
                default: break
                }
            }
        }
        // It reads from here on.
        try await Tape.current.transport.context.clock.sleep(for: 1)
        try await session.login(authToken: "secret")
        let error = await #expect(throws: CometChatException.self) {
            try await session.send("Tell me more", to: "agent-7")
        }
        #expect(error?.errorCode == "cometchat.runCut")
        #expect(error?.run?.messages.count == 3)
        try await session.logout()
        session.finish()
        await reader.value
        #expect(
            seen.withLock { $0 } == [
                "connected false", "disconnected", "connected true", "recovered",
            ])
    }

    /// Who keeps what it is told.
    @MainActor private final class Watcher: AIAssistantEventsDelegate, CometChatMessageDelegate {
        private(set) var types: [String] = []
        private(set) var replies: [String] = []

        nonisolated init() {}

        func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
            if types.last != event.type { types.append(event.type) }
        }

        func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage) {
            replies.append(aiAssistantMessage.text)
        }
    }

    /// Delegates live on the main actor, and are told in the replay's time all the same.
    @Test(.tape("cometchat-weather", in: folder), arguments: 1...20)
    func tellsDelegates(_ number: Int) async throws {
        let session = Self.session()
        let watcher = Watcher()
        session.addAIAssistantListener("watcher", watcher)
        session.addMessageListener("watcher", watcher)
        try await session.login(authToken: "secret")
        let run = try await session.send("What is the weather in Zürich?", to: "agent-7")
        try await session.logout()
        let (types, replies) = await Tape.current.onMainActor { (watcher.types, watcher.replies) }
        #expect(types.first == "run_started" && types.last == "run_finished")
        #expect(replies == [run.text])
        #expect(Tape.current.time?.escape == nil)
    }

    @Test func whoForgetsToLogOutIsTold() async throws {
        let body: @Sendable (Tape) async throws -> Void = { tape in
            let session = Self.session(tape)
            try await session.login(authToken: "secret")
            try await session.send("What is the weather in Zürich?", to: "agent-7")
        }
        let issues = try await Weather.use("cometchat-weather", in: Self.folder).issues(body)
        #expect(issues.count == 1)
        #expect(issues.first?.contains("1 message of the client not sent") == true)
        let advice = "allowing: [.unsent(path: \"/\"), .unread(path: \"/\")]"
        #expect(issues.first?.contains(advice) == true)
        let allowing: [TapeAllowance] = [.unsent(), .unread()]
        let none = try await Weather.use(
            "cometchat-weather", in: Self.folder, allowing: allowing
        ).issues(body)
        #expect(none == [])
    }
}
