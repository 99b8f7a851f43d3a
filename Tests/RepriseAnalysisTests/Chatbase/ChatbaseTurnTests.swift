import ChatbaseKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

@Suite struct ChatbaseTurnTests {
    /// A turn of three streams: the server runs a tool, the app runs two, and one of them throws.
    /// The second result comes too early at first.
    static func threeStreams(withCall: Bool) -> Recording {
        var recording = Recording.chatbase()
        let call = withCall ? 1 : nil
        func note(_ rest: JSONObject, at time: Double, _ kind: String = "call") {
            guard withCall else { return }
            var fields: JSONObject = ["call": 1]
            fields.members += rest.members
            recording.add(kind, 0, time, fields)
        }
        func tool(_ id: JSON, _ name: JSON, at time: Double, _ rest: JSONObject) {
            var fields: JSONObject = ["id": id, "name": name]
            fields.members += rest.members
            note(fields, at: time, "tool")
        }
        note(["op": "send", "args": ["text": "hi"]], at: 0)
        recording.stream(
            1, at: 0, call: call,
            [Part.start] + [Part.callStart("k-0", name: "search")]
                + [Part.piece(#"{"no""#, of: "k-0"), Part.piece(#":"A-17"}"#, of: "k-0")]
                + [Part.call("k-0", name: "search"), Part.output("k-0")]
                + [Part.call("k-1", name: "get_weather")]
                + [Part.finish("tool-calls", credits: 1), Part.done])
        tool("k-1", "get_weather", at: 160, ["state": "started", "input": ["no": "A-17"]])
        tool(
            "k-1", "get_weather", at: 190,
            ["state": "finished", "outcome": "value", "output": ["celsius": 20]])
        recording.submitResult(2, at: 200, of: "k-1", ["celsius": 20], in: call)
        recording.stream(
            3, at: 230, message: nil, conversation: "cv-1", call: call,
            Part.opening + [Part.textEnd, Part.call("k-2", name: "find_order")]
                + [Part.finish("tool-calls", credits: .number("0.5")), Part.done])
        let failure: JSON = ["error": "no such order"]
        tool("k-2", "find_order", at: 370, ["state": "started", "input": ["no": "A-17"]])
        tool(
            "k-2", "find_order", at: 380,
            ["state": "finished", "outcome": "threw", "output": failure])
        recording.submitResult(4, at: 390, of: "k-2", failure, status: 404, in: call)
        recording.submitResult(5, at: 700, of: "k-2", failure, in: call)
        recording.stream(
            6, at: 730, message: nil, conversation: "cv-1", call: call,
            Part.opening + [Part.textEnd, Part.finish(credits: .number("0.25")), Part.done])
        note(["result": [:]], at: 870)
        return recording
    }

    @Test(arguments: [true, false])
    func threeStreamsAreOneTurn(withCall: Bool) throws {
        let session = try Self.threeStreams(withCall: withCall).analyzedAsChatbase()
        let turn = try #require(session.turns.first)
        #expect(session.turns.count == 1)
        #expect(turn.operation == (withCall ? "send" : nil))
        #expect(turn.outcome == .finished)
        #expect(turn.exchanges == [1, 2, 3, 4, 5, 6])
        #expect(turn.toolCalls == 3)
        #expect(turn.textBytes == 4)
        #expect(session.streams.map(\.outcome) == [.paused, .paused, .finished])
        #expect(session.violations.map(\.rule) == ["chatbase.B10a", "chatbase.B11c"])
        // The finish of the third stream.
        #expect(turn.latency == 830_000_000)
        // The text behind the last result, not the one before it.
        #expect(turn.ttft == 810_000_000)
    }

    @Test func theToolTableTellsThemApart() throws {
        let tools = try Self.threeStreams(withCall: true).analyzedAsChatbase().tools
        #expect(tools.map(\.name) == ["search", "get_weather", "find_order"])
        #expect(tools.map(\.side) == [.server, .client, .client])
        #expect(tools.map(\.outcome) == [.succeeded, .succeeded, .threw])
        #expect(tools.map(\.submissions) == [0, 1, 2])
        #expect(tools.map(\.argumentTime) == [30_000_000, 0, 0])
        #expect(tools.map(\.executionTime) == [10_000_000, 80_000_000, 370_000_000])
        #expect(tools.map(\.handlerTime) == [nil, 30_000_000, 10_000_000])
        #expect(tools.map(\.hasValidArguments) == [true, true, true])
        #expect(tools.map(\.argumentBytes) == [13, 13, 13])
        #expect(tools.allSatisfy { $0.turn == 1 })
    }

    @Test func theCreditsAreToldBothWays() throws {
        let session = try Self.threeStreams(withCall: true).analyzedAsChatbase()
        #expect(session.turns.first?.usage?.credits == 1_750_000)
        #expect(session.turns.first?.usage?.clientCredits == 250_000)
        let violation = try #require(session.violations.last)
        #expect(violation.expected == "the turn's 1.75 credits")
        #expect(violation.seen == "0.25 in the last of 3 streams")
    }

    @Test(arguments: [
        (JSON.number("0.1"), 100_000, "0.1"), (.number("1e-6"), 1, "0.000001"), (3, 3_000_000, "3"),
        (.number("-2.50"), -2_500_000, "-2.5"), (.number("1e300"), nil, ""), ("1", nil, ""),
    ])
    func creditsAreExact(_ number: JSON, _ expected: Int64?, _ text: String) {
        let credits = Credits.read(number)
        #expect(credits == expected)
        if let credits { #expect(Credits.text(credits) == text) }
    }

    @Test func theReportHasRetriesAndCredits() throws {
        let recording = Self.threeStreams(withCall: true)
        let dialects = [ChatbaseDialect()]
        let tape = try AnalyzedTape(name: "a.jsonl", bytes: recording.bytes, dialects: dialects)
        let report = Report([tape], rules: Rule.general + ChatbaseRules.all)
        #expect(report.tools.map(\.retries) == [1, 0, 0])
        #expect(report.json["usage"]?["credits"] == .number("1.75"))
        #expect(report.json["usage"]?["clientCredits"] == .number("0.25"))
    }

    @Test func tokensAreTakenWhereTheyAreReported() throws {
        let finish = Part.chunk([
            "type": "finish",
            "messageMetadata": [
                "conversationId": "cv-1", "finishReason": "stop",
                "usage": ["credits": 2, "inputTokens": 7, "outputTokens": 3, "totalTokens": 10],
            ],
        ])
        let session = try ChatbaseRuleCase.one(Part.opening + [Part.textEnd, finish, Part.done])
            .analyzedAsChatbase()
        #expect(
            session.turns.first?.usage
                == .init(
                    input: 7, output: 3, total: 10, credits: 2_000_000, clientCredits: 2_000_000))
    }

    @Test(arguments: [
        ("missing", ToolOutcome.missing), ("threw", .threw), ("value", .failed),
        ("cancelled", .cancelled),
    ])
    func aHandlersEndIsTheOutcome(_ outcome: String, _ expected: ToolOutcome) throws {
        var recording = ChatbaseRuleCase.turn(results: [("k-1", ["error": "gone"])])
        recording.add(
            "tool", 0, 150,
            ["id": "k-1", "name": "look_up", "state": "finished", "outcome": .string(outcome)])
        #expect(try recording.analyzedAsChatbase().tools.map(\.outcome) == [expected])
    }

    @Test(arguments: [
        ("complete", ToolOutcome.unanswered), ("timedOut", .timedOut), ("cancelled", .cancelled),
    ])
    func aCallWithoutResultIsWhatBecameOfItsTurn(
        _ how: String, _ expected: ToolOutcome
    ) throws {
        var reads = Part.opening + [Part.textEnd, Part.call("k-1")]
        if how == "complete" { reads += [Part.finish("tool-calls"), Part.done] }
        let session = try ChatbaseRuleCase.one(reads, how: how).analyzedAsChatbase()
        #expect(session.tools.map(\.outcome) == [expected])
    }

    @Test func aWholeReplyIsReadLikeAStream() throws {
        let session = try ChatbaseRuleCase.reply(ChatbaseRuleCase.message).analyzedAsChatbase()
        #expect(session.turns.map(\.outcome) == [.finished])
        #expect(session.turns.first?.textBytes == 10)
        #expect(session.turns.first?.usage?.credits == 1_500_000)
        #expect(session.tools.map(\.outcome) == [.succeeded])
        #expect(session.tools.map(\.side) == [.server])
    }

    @Test func aQuestionAndItsRepetitionAreTwoTurns() throws {
        var recording = ChatbaseRuleCase.one(Part.whole)
        recording.ask(
            2, at: 300, "/conversations/cv-1/retry", body: ["messageId": "m-1", "stream": true])
        recording.response(2, at: 310)
        recording.body(2, at: 320, Part.whole.joined())
        recording.end(2, at: 330)
        let session = try recording.analyzedAsChatbase()
        #expect(session.turns.map(\.exchanges) == [[1], [2]])
        #expect(session.violations == [])
    }

    @Test func theDialectIsFoundByTheRequest() throws {
        var recording = Recording(client: nil)
        recording.stream(1, at: 0, Part.whole)
        let session = try recording.analyzedAsChatbase()
        #expect(session.dialects == [.init(name: "chatbase", reason: .request, exchanges: 1)])
    }
}
