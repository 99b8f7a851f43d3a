import AgoKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

@Suite struct TurnTests {
    /// Adds the beginning of a call, or its end.
    private func call(
        _ recording: inout Recording, _ number: Int, at time: Double, _ rest: JSONObject
    ) {
        var fields: JSONObject = ["call": .integer(number)]
        fields.members += rest.members
        recording.add("call", 0, time, fields)
    }

    private func stream(_ recording: inout Recording, _ exchange: Int, at time: Double, call: Int?)
    {
        recording.request(exchange, at: time, call: call)
        recording.response(exchange, at: time + 10)
        recording.body(exchange, at: time + 20, Recording.chunk(Recording.begin))
        recording.body(exchange, at: time + 30, Recording.chunk(Recording.text))
        recording.body(exchange, at: time + 40, Recording.chunk(Recording.done))
        recording.end(exchange, at: time + 50)
    }

    @Test func aQuestionThatWasTriedAgainIsOneTurn() throws {
        var recording = Recording()
        call(&recording, 1, at: 0, ["op": "sendMessage", "args": [:]])
        recording.request(1, at: 10, call: 1)
        recording.response(1, at: 20, 503, headers: [:])
        recording.end(1, at: 30)
        stream(&recording, 2, at: 1_010, call: 1)
        call(&recording, 1, at: 1_100, ["result": [:]])
        let session = try recording.analyzed()
        #expect(session.turns.count == 1)
        #expect(session.turns.first?.outcome == .finished)
        #expect(session.turns.first?.exchanges == [1, 2])
        #expect(session.turns.first?.operation == "sendMessage")
        #expect(session.turns.first?.start == 10_000_000)
        #expect(session.turns.first?.latency == 1_040_000_000)
        #expect(session.streams.map(\.outcome) == [.retried, .finished])
        // From the first try.
        #expect(session.streams.last?.ttft == 1_030_000_000)
        #expect(session.violations.map(\.rule) == ["http.H1"])
    }

    @Test func withoutCallsEachQuestionIsATurn() throws {
        var recording = Recording(client: nil)
        stream(&recording, 1, at: 0, call: nil)
        stream(&recording, 2, at: 100, call: nil)
        let session = try recording.analyzed()
        #expect(session.turns.map(\.exchanges) == [[1], [2]])
        #expect(session.dialects == [.init(name: "ago", reason: .request, exchanges: 2)])
    }

    @Test func exchangesThatInterleaveDoNotMix() throws {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.request(2, at: 1)
        for exchange in [2, 1] { recording.response(exchange, at: 10) }
        for exchange in [1, 2] {
            let ids = #"{"message_id":"m\#(exchange)","thread":{"id":"t\#(exchange)"}}"#
            recording.body(exchange, at: 20, Recording.chunk(ids) + "data: {\"content\":\"n")
        }
        for exchange in [1, 2] {
            let text = String(repeating: "o", count: exchange)
            recording.body(exchange, at: 30, "\(text)\"}\n\n" + Recording.chunk(Recording.done))
        }
        for exchange in [2, 1] { recording.end(exchange, at: 40) }
        let session = try recording.analyzed()
        #expect(session.violations == [])
        #expect(session.turns.map(\.textBytes) == [2, 3])
    }

    @Test func aPausedTurnGoesOnInItsContinuation() throws {
        let session = try RuleCase.continued(submits: true).analyzed()
        #expect(session.turns.count == 1)
        #expect(session.turns.first?.exchanges == [1, 2, 3])
        #expect(session.turns.first?.outcome == .finished)
        #expect(session.turns.first?.latency == 530_000_000)
        // The first text behind the result.
        #expect(session.turns.first?.ttft == 520_000_000)
        #expect(session.streams.map(\.outcome) == [.paused, .finished])
        let tool = try #require(session.tools.first)
        #expect(tool.outcome == .succeeded)
        #expect(tool.side == .client)
        #expect(tool.name == "f")
        #expect(tool.turn == 1)
        #expect(tool.submissions == 1)
        // Announced at 120, submitted at 400 ms.
        #expect(tool.executionTime == 280_000_000)
    }

    @Test(arguments: [
        (200, #"{"error":"no"}"#, ToolOutcome.failed, 2),
        (200, #"{"result":1}"#, .succeeded, 2),
        (500, #"{"result":1}"#, .unanswered, 2),
    ])
    func aRefusedSubmissionIsNoResult(
        status: Int, form: String, outcome: ToolOutcome, submissions: Int
    ) throws {
        var recording = Recording.chunks(
            Recording.begin, Recording.text,
            #"{"tool_call_data":true,"type":"client_function","id":"c1","function_name":"f"}"#,
            #"{"status":"WAITING_CLIENT","waiting_tool_call_ids":["c1"]}"#)
        recording.submit(2, at: 400, call: "c1", status: 503, form: form)
        recording.submit(3, at: 500, call: "c1", status: status, form: form)
        let tool = try #require(try recording.analyzed().tools.first)
        #expect(tool.outcome == outcome)
        #expect(tool.submissions == submissions)
    }

    @Test(arguments: [
        ("value", ToolOutcome.succeeded), ("threw", .threw), ("missing", .missing),
        ("cancelled", .cancelled),
    ])
    func theHandlerTellsTheOutcome(outcome: String, expected: ToolOutcome) throws {
        var recording = Recording()
        recording.add(
            "tool", 0, 10, ["id": "c1", "name": "f", "state": "started", "input": [:]])
        recording.add(
            "tool", 0, 35,
            ["id": "c1", "name": "f", "state": "finished", "outcome": .string(outcome)])
        let tool = try #require(try recording.analyzed().tools.first)
        #expect(tool.outcome == expected)
        #expect(tool.handlerTime == 25_000_000)
    }

    @Test(arguments: [
        ("complete", ["ERROR"], Outcome.failed("the service reported a failure")),
        ("complete", ["CANCELED"], .cancelled),
        ("complete", ["DONE", "ERROR"], .failed("the service reported a failure")),
        ("complete", ["ERROR", "DONE"], .failed("the service reported a failure")),
        ("complete", [], .failed("no terminal event")),
        ("reset", ["DONE"], .failed("the stream was cut")),
        ("cancelled", [], .cancelled),
        ("cancelled", ["DONE"], .finished),
        ("failed", [], .failed("the exchange failed")),
    ])
    func aTurnComesOutAsItsStreamDid(
        how: String, statuses: [String], expected: Outcome
    ) throws {
        let ends = statuses.map { #"{"status":"\#($0)"}"# }
        let recording = Recording.answer(
            ([Recording.begin, Recording.text] + ends).map(Recording.chunk), how: how)
        let session = try recording.analyzed()
        #expect(session.turns.map(\.outcome) == [expected])
    }

    @Test func aCallWithoutAnyRequestFailed() throws {
        var recording = Recording()
        call(&recording, 1, at: 0, ["op": "sendMessage", "args": [:]])
        call(&recording, 1, at: 5, ["error": ["code": "ago.network", "message": "no"]])
        call(&recording, 2, at: 10, ["op": "sendMessage", "args": [:]])
        call(&recording, 2, at: 15, ["error": ["code": "cancelled", "message": "no"]])
        call(&recording, 3, at: 20, ["op": "sendMessage", "args": [:]])
        call(&recording, 5, at: 20, ["op": "streamMessage", "args": [:]])
        call(&recording, 4, at: 20, ["op": "getConversations", "args": [:]])
        let session = try recording.analyzed()
        #expect(
            session.turns.map(\.outcome)
                == [
                    .failed("ago.network"), .cancelled, .failed("its recorder died"),
                    .failed("its recorder died"),
                ])
    }

    @Test func aConnectionThatNeverAnsweredBreaksNoRuleOfAStream() throws {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.end(1, at: 10, "reset")
        let session = try recording.analyzed()
        #expect(session.violations == [])
        #expect(
            session.turns.map(\.outcome) == [.failed("the connection was cut before an answer")])
    }

    @Test func theDialectIsChosenAndTheReasonTold() throws {
        let plain = Recording.plain()
        let dialects: [any Dialect] = [AgoDialect(), PlainDialect()]
        let byEvent = try plain.analyzed(dialects: dialects)
        #expect(byEvent.dialects == [.init(name: "plain", reason: .event, exchanges: 1)])
        #expect(byEvent.turns.count == 1)
        let byNone = try plain.analyzed(dialects: [AgoDialect()])
        #expect(byNone.dialects == [.init(name: "generic", reason: .none, exchanges: 1)])
        #expect(byNone.streams.map(\.outcome) == [.finished])
        let forced = try plain.analyzed(AnalysisOptions(dialect: "ago"), dialects: dialects)
        #expect(forced.dialects == [.init(name: "ago", reason: .forced, exchanges: 1)])
        let byClient = try Recording.answer([]).analyzed(dialects: dialects)
        #expect(byClient.dialects == [.init(name: "ago", reason: .client, exchanges: 1)])
    }
}
