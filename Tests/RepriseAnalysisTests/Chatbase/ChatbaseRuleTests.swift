import ChatbaseKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

@Suite struct ChatbaseRuleTests {
    @Test(arguments: ChatbaseRuleCase.all)
    func aRecordingBreaksThatRuleAlone(_ item: RuleCase) throws {
        let violations = try item.recording.analyzedAsChatbase().violations
        #expect(Set(violations.map(\.rule)) == Set([item.rule] + item.companions))
        #expect(violations.count { $0.rule == item.rule } == item.count)
    }

    @Test func everyRuleHasACase() {
        let ids = ChatbaseRules.all.map { $0.id }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids).subtracting(ChatbaseRuleCase.all.map(\.rule)).isEmpty)
    }

    @Test(arguments: [
        ChatbaseRuleCase.one(Part.whole),
        // Bare text, as the vendor's own fixtures have it.
        ChatbaseRuleCase.one([
            Part.start, Part.delta("Hi"), Part.delta(" you", id: nil), Part.stop, Part.done,
        ]),
        // Every part that is documented.
        ChatbaseRuleCase.one(
            [Part.start, Part.chunk(["type": "start-step"])]
                + ChatbaseRuleCase.pieces(#"{ "no" : "A-17" }"#)
                + [Part.chunk(["type": "finish-step"]), Part.chunk(["type": "start-step"])]
                + [Part.textStart, Part.text, Part.textEnd]
                + [Part.chunk(["type": "reasoning-start", "id": "r-1"])]
                + [Part.chunk(["type": "reasoning-delta", "id": "r-1", "delta": "Hm"])]
                + [Part.chunk(["type": "reasoning-end", "id": "r-1"])]
                + [Part.chunk(["type": "finish-step"]), Part.stop]
                + [Part.chunk(["type": "message-metadata", "messageMetadata": ["userId": "u"]])]
                + [Part.done]),
        // Older names and places.
        ChatbaseRuleCase.one([
            Part.chunk(["type": "message-start", "messageId": "m-1"]), Part.text,
            Part.chunk([
                "type": "message-metadata", "conversationId": "cv-1", "usage": ["credits": 1],
            ]), Part.chunk(["type": "finish", "finishReason": "stop"]), Part.done,
        ]),
        ChatbaseRuleCase.one([
            Part.start, Part.text,
            Part.chunk([
                "type": "finish", "finishReason": "stop",
                "metadata": ["conversationId": "cv-1", "usage": ["credits": 1]],
            ]), Part.done,
        ]),
        // The service says that it failed: a turn failed, and no rule is broken.
        ChatbaseRuleCase.one([
            Part.start, ChatbaseRuleCase.error, Part.finish("error"), Part.done,
        ]),
        // The app stopped before the end.
        ChatbaseRuleCase.one(Part.opening, how: "cancelled"),
        ChatbaseRuleCase.one(Part.opening, how: "timedOut"),
        ChatbaseRuleCase.turn(),
        // The server tells again what the app's tool returned.
        ChatbaseRuleCase.echoed,
        ChatbaseRuleCase.notReady,
        ChatbaseRuleCase.givenUp,
        ChatbaseRuleCase.held(490),
        ChatbaseRuleCase.reply(ChatbaseRuleCase.message),
        ChatbaseRuleCase.list(
            "/conversations", ["data": [["id": "cv-1"]], "pagination": ChatbaseRuleCase.page]),
        // The tape begins inside a turn.
        ChatbaseRuleCase.middle,
    ])
    func aProperRecordingBreaksNone(_ recording: Recording) throws {
        #expect(try recording.analyzedAsChatbase().violations == [])
    }

    @Test func aStatusOfARefusedResultIsNone() throws {
        var recording = ChatbaseRuleCase.turn(results: [])
        recording.submitResult(2, at: 300, of: "k-1", status: 500)
        #expect(
            try recording.analyzedAsChatbase().violations.map(\.rule) == ["tool.L2", "http.H1"])
    }

    @Test func theViolationSaysWhereItIs() throws {
        let reads = Part.opening + ["data: {\"type\" \n\n"] + Part.closing
        let violation = try #require(
            try ChatbaseRuleCase.one(reads).analyzedAsChatbase().violations.first)
        #expect(violation.place.exchange == 1)
        #expect(violation.place.time == 90_000_000)
        // Behind the parts, `data: ` and what is still JSON.
        let before = Part.opening.joined().utf8.count
        #expect(violation.place.offset == UInt64(before + 6 + 8))
    }
}

extension ChatbaseRuleCase {
    static let message: JSON = [
        "data": [
            "id": "m-1", "role": "assistant",
            "parts": [
                ["type": "text", "text": "Two "],
                ["type": "tool-call", "toolCallId": "k-1", "toolName": "look_up", "input": [:]],
                [
                    "type": "tool-result", "toolCallId": "k-1", "toolName": "look_up",
                    "output": ["found": 2],
                ], ["type": "text", "text": "stores"],
            ],
            "metadata": [
                "conversationId": "cv-1", "finishReason": "stop",
                "usage": ["credits": .number("1.5")],
            ],
        ]
    ]

    static var echoed: Recording {
        var recording = turn(goesOn: false)
        recording.stream(
            9, at: 500, message: nil, conversation: "cv-1",
            [Part.start, Part.output("k-1", ["value": 1]), Part.textStart, Part.text, Part.textEnd]
                + [Part.finish(credits: 0), Part.done])
        return recording
    }

    /// The first two submissions come too early.
    static var notReady: Recording {
        var recording = turn(results: [])
        recording.submitResult(2, at: 200, of: "k-1", status: 404)
        recording.submitResult(3, at: 500, of: "k-1", status: 404)
        recording.submitResult(4, at: 1_100, of: "k-1")
        recording.stream(
            5, at: 1_200, message: nil, conversation: "cv-1",
            Part.opening + [Part.textEnd, Part.finish(credits: 0), Part.done])
        return recording
    }

    /// The agent calls tools in every stream, until the app has enough.
    static var givenUp: Recording {
        var recording = turn(goesOn: false, credits: [1])
        recording.stream(
            9, at: 500, message: nil, conversation: "cv-1",
            Part.opening + [Part.textEnd, Part.call("k-2"), Part.finish("tool-calls"), Part.done])
        recording.submitResult(10, at: 700, of: "k-2")
        return recording
    }

    static var middle: Recording {
        var recording = Recording.chatbase()
        recording.submitResult(1, at: 0, of: "k-1")
        recording.stream(2, at: 100, message: nil, conversation: "cv-1", Part.whole)
        return recording
    }
}
