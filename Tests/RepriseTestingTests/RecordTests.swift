import ChatbaseKit
import RepriseCurl
import RepriseSupport
import RepriseTape
import RepriseTesting
import RepriseTransport
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests that record, against a stand-in over real sockets.
@Suite struct RecordTests {
    /// A stand-in for all tests of a process, which ends with it.
    private static let peer = Task { try await Peer.start("chatbase", "--pace", "0") }

    private static let live: Tape.Live = { CurlTransport(options: CurlOptions(proxy: .none)) }

    /// The live transport of tests that must not use it.
    private static let forbidden: Tape.Live = { throw TestSupportError("the network was used") }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func use(
        _ name: String = "hello", _ mode: Tape.Mode = .once, playback: Tape.Playback = .strict,
        live: @escaping Tape.Live = RecordTests.live, environment: [String: String] = [:]
    ) -> TapeUse {
        Weather.use(
            name, in: "\(folder.path)/tapes", mode: mode, playback: playback, live: live,
            environment: environment)
    }

    /// What the agent answers; the same for the same message.
    private static func ask(_ tape: Tape, _ message: String = "Hello") async throws -> String {
        let client = ChatbaseClient(
            agentId: "a1", baseURL: try await peer.value.chatbaseURL, transport: tape.transport,
            options: ChatbaseOptions(deviceId: .fixed("d-1"), retry: .never))
        return try await client.send(message).message.text
    }

    private func files() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/tapes")) ?? [])
            .sorted()
    }

    @Test(arguments: ["hello", "hello.jsonl"]) func recordsOnceAndReplays(
        name: String
    ) async throws {
        let first = Locked("")
        try await use(name).run(sourceLocation: #_sourceLocation) { tape in
            #expect(tape.activity == .recording)
            let text = try await Self.ask(tape)
            first.withLock { $0 = text }
            // What has been recorded so far can be looked at.
            #expect(tape.turns.count == 1)
            #expect(tape.turns.first?.operation == "send")
            tape.expectNoViolations()
        }
        #expect(files() == [name == "hello" ? "hello.tape" : "hello.jsonl"])
        try await use(name, live: Self.forbidden).run(sourceLocation: #_sourceLocation) { tape in
            #expect(tape.activity == .replaying)
            let text = try await Self.ask(tape)
            #expect(text == first.withLock { $0 })
            tape.expectNoViolations()
        }
        #expect(!first.withLock { $0 }.isEmpty)
    }

    @Test(arguments: ["hello", "hello.jsonl"]) func aPassingTestReplacesTheTape(
        name: String
    ) async throws {
        try await use(name).run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape)
        }
        try await use(name, .all).run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape, "Good evening")
        }
        #expect(files().count == 1)
        try await use(name, live: Self.forbidden).run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape, "Good evening")
        }
    }

    @Test(arguments: [false, true]) func aFailedTestDoesNot(throwing: Bool) async throws {
        try await use().run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape)
        }
        let before = try folder.bytes("tapes/hello.tape")
        let issues = try await use("hello", .all).issues { tape in
            _ = try await Self.ask(tape, "Good evening")
            if throwing { throw TestSupportError("it broke") }
            Issue.record("it is wrong")
        }
        #expect(issues == [throwing ? "threw it broke" : "it is wrong"])
        #expect(try folder.bytes("tapes/hello.tape") == before)
        #expect(files() == ["hello.tape"])
    }

    @Test func aFailedFirstRunLeavesNothing() async throws {
        _ = try await use().issues { _ in Issue.record("it is wrong") }
        #expect(files() == [])
    }

    /// A first recording would be invisible otherwise.
    @Test func whatBecameOfARecordingIsTold() async throws {
        let told = Locked<[String]>([])
        var use = use()
        use.tell = { text in told.withLock { $0.append(text) } }
        let path = "\(folder.path)/tapes/hello.tape"
        _ = try await use.issues { _ in Issue.record("it is wrong") }
        #expect(told.withLock { $0 } == ["not kept, since the test failed: \(path)\n"])
        try await use.run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape)
        }
        #expect(told.withLock { $0.dropFirst() } == ["recorded \(path)\n"])
        // What is replayed, or live, is not told.
        try await use.run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape)
        }
        use = self.use(playback: .live)
        use.tell = { text in told.withLock { $0.append(text) } }
        try await use.run(sourceLocation: #_sourceLocation) { _ in }
        #expect(told.withLock { $0.count } == 2)
    }

    @Test func nothingIsRecordedWhereCIIsSet() async throws {
        let issues = try await use("hello", .all, environment: ["CI": "true"]).issues { tape in
            _ = try await Self.ask(tape)
        }
        #expect(issues.count == 1)
        #expect(issues.first?.contains("there is no tape") == true)
        #expect(files() == [])
    }

    /// Cases of one test, which run at the same time, record one tape between them.
    @Test func onlyOneOfSeveralRecords() async throws {
        let count = Locked((recorded: 0, replayed: 0))
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    try await use("hello", .all).run(sourceLocation: #_sourceLocation) { tape in
                        // All of them are there before the first one is over.
                        if tape.activity == .recording {
                            try await Task.sleep(for: .milliseconds(300))
                        }
                        let text = try await Self.ask(tape)
                        #expect(!text.isEmpty)
                        count.withLock { count in
                            count.recorded += tape.activity == .recording ? 1 : 0
                            count.replayed += tape.activity == .replaying ? 1 : 0
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(count.withLock { $0.recorded } >= 1)
        #expect(count.withLock { $0.recorded + $0.replayed } == 5)
        #expect(files() == ["hello.tape"])
    }

    /// The next one in turn records where the first one failed.
    @Test func whereOneFailsTheNextRecords() async throws {
        let turns = Locked(0)
        let issues = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await use("hello", .all).issues { tape in
                        #expect(tape.activity == .recording)
                        let isFirst = turns.withLock { turns in
                            turns += 1
                            return turns == 1
                        }
                        if isFirst { try await Task.sleep(for: .milliseconds(300)) }
                        _ = try await Self.ask(tape)
                        if isFirst { throw TestSupportError("it broke") }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(issues == ["threw it broke"])
        #expect(files() == ["hello.tape"])
    }

    @Test func liveKeepsNothing() async throws {
        try await use("hello", playback: .live).run(sourceLocation: #_sourceLocation) { tape in
            #expect(tape.activity == .live)
            let text = try await Self.ask(tape)
            #expect(!text.isEmpty)
            #expect(tape.turns.count == 1)
        }
        #expect(files() == [])
    }

    @Test func passthroughAsksForWhatIsNotOnTheTape() async throws {
        try await use().run(sourceLocation: #_sourceLocation) { tape in
            _ = try await Self.ask(tape)
        }
        let before = try folder.bytes("tapes/hello.tape")
        let counter = Locked(0)
        let live: Tape.Live = {
            counter.withLock { $0 += 1 }
            return try Self.live()
        }
        let use = use("hello", playback: .passthrough, live: live)
        try await use.run(sourceLocation: #_sourceLocation) { tape in
            let other = try await Self.ask(tape, "Good evening")
            let recorded = try await Self.ask(tape)
            #expect(!other.isEmpty && !recorded.isEmpty)
        }
        #expect(try folder.bytes("tapes/hello.tape") == before)
        #expect(counter.withLock { $0 } == 1)
    }
}
