import AgoKit
import RepriseAnalysis
import RepriseSession
import Testing

@Suite struct RuleTests {
    private static let dialects: [any Dialect] = [AgoDialect(), PlainDialect()]

    @Test(arguments: RuleCase.all)
    func aRecordingBreaksThatRuleAlone(_ item: RuleCase) throws {
        let violations = try analyze(item.recording).violations
        #expect(Set(violations.map(\.rule)) == Set([item.rule] + item.companions))
        #expect(violations.count { $0.rule == item.rule } == item.count)
    }

    @Test func everyRuleHasACase() {
        let rules = (Rule.general + AgoRules.all).map(\.id)
        #expect(Set(rules).count == rules.count)
        #expect(Set(rules).subtracting(RuleCase.all.map(\.rule)).isEmpty)
    }

    @Test(arguments: [
        // The stream of AGO's own example, with everything that may come.
        Recording.answer([
            ": heartbeat\n\n", Recording.chunk(Recording.begin),
            Recording.chunk(#"{"message_id":"m1","thread":{"id":"th1"},"content":"Reset it "}"#),
            Recording.chunk("heartbeat"),
            Recording.chunk(#"{"agent":{"id":"a1","name":"helper"},"content":"in Settings."}"#),
            Recording.chunk(#"{"full_content":"Reset it in Settings."}"#),
            Recording.chunk(
                #"{"knowledge_sources":[{"position":1,"knowledge_document":{"id":"d","title":"T"}}]}"#
            ),
            Recording.chunk(Recording.done),
            Recording.chunk(#"{"follow_up_replies":["And on Android?"]}"#),
            Recording.chunk(#"{"thread":{"id":"th1"},"title":"Password reset"}"#),
        ]),
        // The service says that it failed: a turn failed, and no rule is broken.
        .chunks(Recording.begin, #"{"status":"ERROR"}"#),
        // Snapshots of a growing text.
        .chunks(
            Recording.begin, #"{"full_content":"He"}"#, #"{"full_content":"Hello"}"#,
            Recording.done),
        RuleCase.answered(304, to: ["If-None-Match": "\"a\""]),
        // The app stopped before the end.
        .chunks(Recording.begin, Recording.text, how: "cancelled"),
        .chunks(Recording.begin, Recording.text, how: "timedOut"),
        RuleCase.continued(submits: true),
        RuleCase.heartbeats([100, 100, 100, 100, 290]),
        RuleCase.list([RuleCase.jwt, RuleCase.jwt]),
        RuleCase.masked([1, 1]),
        RuleCase.masked([1, 2], before: "resetWidgetId"),
        RuleCase.ticket(["subject": "S", "typology": "t", "priority": "high", "body": "B"]),
        RuleCase.paced([20, 20, 20, 20, 490, 20], with: ""),
        Recording.reply(#"{"data":[{"id":"c1"}],"has_more":false,"total":1}"#),
    ])
    func aProperRecordingBreaksNone(_ recording: Recording) throws {
        #expect(try analyze(recording).violations == [])
    }

    @Test func aNewTokenIsNoRepetition() throws {
        let recording = RuleCase.refused(twice: true, token: "Bearer other")
        #expect(try analyze(recording).violations.map(\.rule) == ["http.H1", "http.H1"])
    }

    @Test func theViolationSaysWhereItIs() throws {
        let recording = Recording.chunks(
            Recording.begin, Recording.text, #"{"content" "#, Recording.done)
        let violation = try #require(try analyze(recording).violations.first)
        #expect(violation.place.exchange == 1)
        #expect(violation.place.frame == 8)
        #expect(violation.place.time == 120_000_000)
        // Behind the two events, `data: ` and what is still JSON.
        let before = Recording.chunk(Recording.begin) + Recording.chunk(Recording.text)
        #expect(violation.place.offset == UInt64(before.utf8.count + 6 + 11))
        #expect(violation.seen == #"“{"content" ”"#)
    }

    @Test func aCutStreamIsAFailedTurn() throws {
        let session = try analyze(.chunks(Recording.begin, Recording.text, how: "reset"))
        #expect(session.turns.map(\.outcome) == [.failed("the stream was cut")])
    }

    @Test(arguments: RuleCase.begun)
    func aCutWithinAFrameIsToldAsThat(begun: [UInt8]) throws {
        func cut(_ how: String) throws -> SessionResult {
            try analyze(RuleCase.ended(how) { $0.noFrame(at: 20, begun) })
        }
        let reset = try cut("reset")
        #expect(
            reset.violations.map(\.seen) == [
                "the server: the connection ended without a close frame (within a frame)"
            ])
        let whole = try analyze(RuleCase.ended("reset") { _ in }).exchanges.first?.socket?.server
        let server = try #require(reset.exchanges.first?.socket?.server)
        #expect(server.frames == whole?.frames)
        #expect(server.wireBytes == whole.map { $0.wireBytes + begun.count })
        // The app may leave when it likes.
        #expect(try cut("cancelled").violations == [])
    }

    private func analyze(_ recording: Recording) throws -> SessionResult {
        try recording.analyzed(dialects: Self.dialects)
    }
}
