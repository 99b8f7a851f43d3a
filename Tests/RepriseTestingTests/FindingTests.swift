import ChatbaseKit
import RepriseSession
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

/// What fails a test beside its own expectations, and what does not.
@Suite struct FindingTests {
    static let chat = "/api/sdk/agents/a1/chat"

    @Test func aRequestThatWasNotRecordedSo() async throws {
        let issues = try await Weather.use().issues { tape in
            _ = try await Weather.ask(tape, "Hi")
        }
        try #require(issues.count == 2)
        #expect(issues[0].hasPrefix("threw networkError"))
        #expect(
            issues[1].hasPrefix(
                """
                weather: POST \(Self.chat): no such request was recorded
                  nearest: exchange 1, POST \(Self.chat), not consumed yet
                    in the body, $.message differs: recorded "Hello", now "Hi"
                  if that may change: matching: .exact.ignoring(.json("$.message"))
                """))
        #expect(issues[1].hasSuffix("Recordings/weather.jsonl."))
    }

    /// A client that makes light of it does not hide it.
    @Test func aMissThatTheAppSwallows() async throws {
        let issues = try await Weather.use().issues { tape in
            _ = try await Weather.ask(tape)
            _ = try? await Weather.ask(tape)
        }
        #expect(issues.count == 1)
        #expect(issues.first?.contains("already consumed") == true)
    }

    /// What a fault keeps from the app is left over, and allowed as what it is.
    @Test(arguments: [
        ("cut@event:2", TapeAllowance.unread(), true), ("cut@event:2", .unconsumed(), false),
        ("status=503", .unconsumed(), true), ("status=503", .unread(), false),
    ]) func whatAFaultLeavesOver(
        fault: String, allowance: TapeAllowance, isEnough: Bool
    ) async throws {
        let fault = try Fault(fault)
        let issues = try await Weather.use(allowing: [allowance]).issues { tape in
            let transport = FaultTransport(base: tape.transport, faults: [fault])
            let client = ChatbaseClient(agentId: "a1", transport: transport)
            await #expect(throws: APIError.self) { try await client.send("Hello") }
            #expect(transport.unstruck.isEmpty)
        }
        #expect(issues.isEmpty == isEnough, "\(issues)")
    }

    @Test(arguments: [
        (RequestMatching.exact.ignoring(.json("$.message")), true),
        (.flexible.ignoring(.json("$..message")), true), (.flexible, false),
    ]) func aRequestThatMayChange(matching: RequestMatching, isSame: Bool) async throws {
        let issues = try await Weather.use(matching: matching).issues { tape in
            let text = try await Weather.ask(tape, "Hi")
            #expect(text == Weather.text)
        }
        #expect(issues.isEmpty == isSame, "\(issues)")
    }

    @Test func aPlaceThatIsNone() async throws {
        let matching = RequestMatching.exact.ignoring(.json("message"))
        let issues = try await Weather.use(matching: matching).issues { _ in
            Issue.record("it ran")
        }
        #expect(
            issues == [
                #"the tape weather: "message" is no path into JSON: it begins with $, as in "#
                    + "$.messages[*].id"
            ])
    }

    @Test func noTape() async throws {
        let issues = try await Weather.use("nothing").issues { _ in Issue.record("it ran") }
        let folder = try #require(#filePath.firstRange(of: "FindingTests.swift"))
        let text = issues.joined(separator: "\n")
            .replacing(#filePath[..<folder.lowerBound], with: "…/")
        try Snapshot.expect(text + "\n", "noTape.txt", in: #filePath)
    }

    @Test func anExchangeThatNobodyAskedFor() async throws {
        let issues = try await Weather.use().issues { _ in }
        #expect(issues.count == 1)
        #expect(
            issues.first?.hasPrefix(
                "weather: POST \(Self.chat), exchange 1 of the tape, was not asked for; if that "
                    + "is meant, allow it: allowing: [.unconsumed(path: \"\(Self.chat)\")]") == true
        )
    }

    @Test(arguments: [nil, chat, "/api/*"]) func anExchangeThatNeedNotBeAskedFor(
        path: String?
    ) async throws {
        #expect(try await Weather.use(allowing: [.unconsumed(path: path)]).issues { _ in } == [])
    }

    @Test(arguments: ["/api", "/api/sdk/agents/a1/chat/", "/b*"])
    func anAllowanceIsForItsPathAlone(path: String) async throws {
        let allowances: [TapeAllowance] = [.unconsumed(path: path), .unread()]
        #expect(try await Weather.use(allowing: allowances).issues { _ in }.count == 1)
    }

    @Test func aBodyThatIsNotReadToItsEnd() async throws {
        let read: @Sendable (Tape) async throws -> Void = { tape in
            let client = ChatbaseClient(agentId: "a1", transport: tape.transport)
            for try await event in client.stream("Hello") where event == .textChunk("It") { break }
        }
        let issues = try await Weather.use().issues(read)
        #expect(issues.count == 1)
        let words = "left over of the recorded exchange 1: "
        #expect(issues.first?.contains(words) == true)
        #expect(issues.first?.contains("bytes of the body not read; if that is meant") == true)
        #expect(try await Weather.use(allowing: [.unread(path: Self.chat)]).issues(read) == [])
    }

    @Test func somethingBesideItsTime() async throws {
        let hop: @Sendable (Tape) async throws -> Void = { tape in
            // One alone may be over before it is waited for.
            for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
            _ = try await Weather.ask(tape)
        }
        let issues = try await Weather.use().issues(hop)
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("weather: this replay is not deterministic: ") == true)
        #expect(issues.first?.contains("allowing: [.foreignWakes]") == true)
        #expect(try await Weather.use(allowing: [.foreignWakes]).issues(hop) == [])
    }

    /// At another pace time is real, and anything may take part.
    @Test func noTimeNoEscape() async throws {
        let use = Weather.use(options: Tape.Options(pace: .instant))
        let issues = try await use.issues { tape in
            #expect(tape.time == nil)
            try await Task.sleep(for: .milliseconds(1))
            _ = try await Weather.ask(tape)
        }
        #expect(issues == [])
    }

    @Test func somethingThatWillNotCome() async throws {
        let issues = try await Weather.use().issues { tape in
            _ = try await Weather.ask(tape)
            for await _ in AsyncStream<Int>(unfolding: { try? await Self.never() }) {}
        }
        #expect(issues.count == 1)
        #expect(
            issues.first?.hasPrefix(
                "weather: the replay cannot go on: the app waits for something that is neither "
                    + "on the tape nor in the replay's time") == true)
    }

    private static func never() async throws -> Int {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        defer { continuation.finish() }
        for await number in stream { return number }
        throw CancellationError()
    }

    @Test func theTestsOwnErrorIsLeftAlone() async throws {
        let issues = try await Weather.use().issues { _ in throw TestSupportError("it broke") }
        #expect(issues == ["threw it broke"])
    }

    @Test func thereIsNoTape() async throws {
        let issues = try await Weather.use("nothing").issues { _ in Issue.record("it ran") }
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("the tape nothing: there is no tape: neither ") == true)
        #expect(issues.first?.contains("REPRISE_RECORD_MODE=once swift test") == true)
    }

    @Test func aTapeThatIsNone() async throws {
        let folder = try TemporaryFolder()
        try folder.write("weather.tape", Array("no tape".utf8))
        let issues = try await Weather.use(in: folder.path).issues { _ in Issue.record("it ran") }
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("the tape weather: ") == true)
    }

    /// A tape without its end, and one with a byte that is another.
    @Test(arguments: [
        ("unsealed", ["no end"]), ("damaged", ["checksum"]), ("lines", ["no end"]),
    ]) func aTapeThatIsDamaged(how: String, words: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write("weather." + (how == "lines" ? "jsonl" : "tape"), try Self.damaged(how))
        let ask: @Sendable (Tape) async throws -> Void = { _ in Issue.record("it ran") }
        let issues = try await Weather.use(in: folder.path).issues(ask)
        #expect(issues.count == 1)
        let text = issues.first ?? ""
        #expect(text.hasPrefix("the tape weather: it is damaged, and the test was not run\n  "))
        for word in words { #expect(text.contains(word), "\(text)") }
        #expect(text.contains("`reprise verify \(folder.path)/weather."))
        #expect(text.contains("REPRISE_RECORD_MODE=all"))
        #expect(text.contains("`reprise repair`"))
        #expect(text.hasSuffix("allowing: [.damaged]"))
        let allowed = try await Weather.use(in: folder.path, allowing: [.damaged, .unconsumed()])
            .issues(ask)
        #expect(allowed == ["it ran"])
    }

    private static func damaged(_ how: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        if how == "lines" {
            let line = #"{"kind":"damage","what":"unsealed","message":"it has no end"}"# + "\n"
            let file = folder.appending(path: "Recordings/weather.jsonl")
            return try Array(Data(contentsOf: file)) + Array(line.utf8)
        }
        let file = folder.appending(path: "../../Recordings/chatbase-user-send.tape")
        var bytes = try Array(Data(contentsOf: file))
        if how == "unsealed" { return Array(bytes.dropLast(bytes.count / 3)) }
        bytes[bytes.count / 2] ^= 0x10
        return bytes
    }

    @Test func aSessionThatBreaksARule() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Recordings/weather.jsonl")
        var text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        text.replace(#"data: [DONE]\n\n"#, with: #"data: [DONE]\n\ndata: {\"type\":\"x\"}\n\n"#)
        try folder.write("weather.jsonl", Array(text.utf8))
        let rules = Locked<[String]>([])
        let check: @Sendable (Tape) async throws -> Void = { tape in
            _ = try await Weather.ask(tape)
            rules.withLock { $0 = tape.violations.map(\.rule) }
            tape.expectNoViolations(from: .info)
        }
        let allowing: [TapeAllowance] = [.unread()]
        let issues = try await Weather.use(in: folder.path, allowing: allowing).issues(check)
        let broken = rules.withLock { $0 }
        #expect(!broken.isEmpty)
        #expect(issues.count == broken.count)
        #expect(issues.first?.hasPrefix("\(broken[0]) (") == true)
        let none = try await Weather.use(in: folder.path, allowing: allowing).issues { tape in
            _ = try await Weather.ask(tape)
            tape.expectNoViolations(except: Set(broken), from: .info)
        }
        #expect(none == [])
    }
}
