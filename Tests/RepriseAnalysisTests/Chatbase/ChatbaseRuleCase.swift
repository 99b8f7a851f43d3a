import RepriseWire

/// Recordings of Chatbase that break one rule each.
enum ChatbaseRuleCase {
    static let all = frame + text + tools + turns + results + conduct + json

    static let frame = [
        RuleCase(
            "chatbase.B1a",
            one([Part.textStart, Part.text, Part.textEnd, Part.start, Part.stop, Part.done])),
        RuleCase("chatbase.B1a", one([Part.text, Part.stop, Part.done])),
        RuleCase("chatbase.B1a", one([Part.stop, Part.done])),
        RuleCase("chatbase.B1b", one([Part.start] + Part.whole)),
        RuleCase(
            "chatbase.B2a", one(Part.opening + [Part.textEnd, Part.stop, Part.stop, Part.done])),
        RuleCase("chatbase.B2b", one(Part.opening + [Part.textEnd, Part.stop, error, Part.done])),
        RuleCase(
            "chatbase.B2b",
            one(Part.opening + [Part.textEnd, Part.stop, Part.delta("late"), Part.done])),
        RuleCase("chatbase.B2b", one(Part.whole + [error])),
        RuleCase("chatbase.B2b", one(Part.whole + [Part.done])),
        RuleCase("chatbase.B2c", one(Part.opening + [Part.textEnd, Part.done])),
        RuleCase("chatbase.B3a", one(Part.opening + [Part.textEnd, Part.stop])),
        RuleCase("chatbase.B3a", one(Part.opening + [Part.textEnd, Part.stop, "data: [DONE]\n"])),
        RuleCase("chatbase.B3b", one(Part.opening)),
        RuleCase("chatbase.B3b", one([])),
        RuleCase("chatbase.B3b", one(Part.opening, how: "reset")),
        RuleCase("chatbase.B3b", one(Part.opening + ["data: {\"type\":\"te"], how: "reset")),
        RuleCase("http.H2", one(Part.opening + [Part.textEnd, Part.stop], how: "reset")),
        RuleCase("chatbase.B11a", one(Part.opening + [unknown] + Part.closing)),
        RuleCase(
            "chatbase.B11b",
            one(Part.opening + [Part.textEnd, Part.finish(credits: nil), Part.done])),
    ]

    static let error = Part.chunk(["type": "error", "errorText": "It broke"])
    static let unknown = Part.chunk(["type": "data-mood", "data": ["mood": "good"]])

    static let text = [
        RuleCase("chatbase.B4a", one(Part.opening + [Part.delta("x", id: "t-9")] + Part.closing)),
        RuleCase(
            "chatbase.B4a",
            one(Part.opening + [Part.textEnd, Part.delta("late"), Part.stop, Part.done])),
        RuleCase(
            "chatbase.B4a",
            one(
                [Part.start, Part.delta("bare", id: "t-0"), Part.textStart, Part.text]
                    + Part.closing)),
        RuleCase("chatbase.B4b", one(Part.opening + [Part.textEnd] + Part.closing)),
        RuleCase("chatbase.B4c", one(Part.opening + [Part.stop, Part.done])),
        RuleCase(
            "chatbase.B4c",
            one([
                Part.start, Part.chunk(["type": "start-step"]), Part.textStart, Part.text,
                Part.chunk(["type": "finish-step"]), Part.stop, Part.done,
            ])),
    ]

    static let tools = [
        RuleCase("chatbase.B5a", served([Part.piece("{}", of: "k-9")])),
        RuleCase(
            "chatbase.B5a",
            served([
                Part.callStart("k-1"), Part.call("k-1"), Part.piece(" ", of: "k-1"),
                Part.output("k-1"),
            ])),
        RuleCase("chatbase.B5b", served([Part.output("k-9")])),
        RuleCase("chatbase.B5c", served([Part.call("k-1"), Part.call("k-1"), Part.output("k-1")])),
        RuleCase("chatbase.B5c", served([Part.call("k-1"), Part.output("k-1"), Part.call("k-1")])),
        RuleCase("chatbase.B6", served(pieces(#"{"no":"A-18"}"#))),
        RuleCase("chatbase.B6", served(pieces(#"{"no":"#))),
        RuleCase(
            "chatbase.B7a",
            one(Part.opening + [Part.textEnd, Part.finish("tool-calls"), Part.done])),
        RuleCase("chatbase.B7b", turn(reason: "stop")),
        RuleCase("chatbase.B7b", turn(reason: nil)),
        RuleCase(
            "chatbase.B8c",
            served([Part.call("k-1"), Part.output("k-1"), Part.output("k-1", ["found": 3])])),
        RuleCase(
            "chatbase.B10a", served([Part.call("k-1"), Part.output("k-1", ["error": "gone"])])),
        RuleCase(
            "chatbase.B10a",
            served([
                Part.call("k-1"),
                Part.chunk(["type": "tool-output-error", "toolCallId": "k-1", "errorText": "gone"]),
            ])),
        RuleCase("chatbase.B10b", served([Part.call("k-1"), Part.output("k-1", large)])),
        RuleCase("tool.L1", served(pieces(#"{"no":"#, input: nil))),
        RuleCase("tool.L2", turn(results: [])),
    ]

    static let large: JSON = .string(String(repeating: "x", count: 20_479))

    static func pieces(_ text: JSON, input: JSON? = ["no": "A-17"]) -> [String] {
        [
            Part.callStart("k-1"), Part.piece(text, of: "k-1"), Part.call("k-1", input: input),
            Part.output("k-1"),
        ]
    }

    static let turns = [
        RuleCase("chatbase.B8a", turn(results: [], goesOn: true)),
        RuleCase("chatbase.B9a", turn(second: "cv-2")),
        RuleCase("chatbase.B9b", turn(config: ["maxToolLoopSteps": 1])),
        RuleCase("chatbase.B11c", turn(credits: [2, 1])),
        RuleCase("chatbase.B11c", turn(credits: [.number("0.5"), 0])),
    ]

    static let results = [
        RuleCase("chatbase.B8b", turn(results: [("k-1", 1), ("k-9", 1)])),
        RuleCase("chatbase.B8c", turn(results: [("k-1", 1), ("k-1", 2)])),
        RuleCase("chatbase.B10a", turn(results: [("k-1", ["error": "gone"])])),
        RuleCase("chatbase.B10b", turn(results: [("k-1", large)])),
        RuleCase("chatbase.P2", turn(results: [("k-1", 1), ("k-1", 1)])),
        RuleCase(
            "chatbase.P2",
            turn(
                calls: [Part.call("k-0"), Part.output("k-0"), Part.call("k-1")],
                results: [("k-0", 1), ("k-1", 1)])),
    ]

    static let conduct = [RuleCase("chatbase.P1", held(510))]

    /// Something that the app did with the stream took so many milliseconds.
    static func held(_ duration: Double) -> Recording {
        var recording = Recording.chatbase()
        recording.ask(1, at: 0, body: ["message": "hi", "stream": true])
        recording.response(1, at: 10)
        for (index, read) in Part.opening.enumerated() {
            recording.body(1, at: 20 + Double(index) * 10, read)
        }
        recording.add(
            "held", 1, 45 + duration, ["duration": .integer(Int(duration * 1_000_000))])
        for (index, read) in Part.closing.enumerated() {
            recording.body(1, at: 50 + duration + Double(index) * 10, read)
        }
        recording.end(1, at: 100 + duration)
        return recording
    }
}

extension ChatbaseRuleCase {
    static let json = [
        RuleCase("json.J1", one(Part.opening + ["data: {\"type\"\n\n"] + Part.closing)),
        RuleCase("json.J2", one(Part.opening + [Part.chunk(["delta": "x"])] + Part.closing)),
        RuleCase("json.J2", one(Part.opening + [Part.delta(7)] + Part.closing)),
        RuleCase(
            "json.J2",
            one(Part.opening + [Part.chunk(["type": "text-delta", "id": "t-1"])] + Part.closing)),
        RuleCase(
            "json.J2",
            one([Part.chunk(["type": "start"]), Part.textStart, Part.text] + Part.closing)),
        RuleCase(
            "json.J2", with: ["chatbase.B11b"],
            one(Part.opening + [Part.textEnd, Part.chunk(["type": "finish"]), Part.done])),
        RuleCase(
            "json.J2", count: 3,
            reply(["data": ["id": "m-1", "role": "assistant", "parts": []]])),
        RuleCase(
            "json.J2", list("/conversations", ["data": [["title": "no id"]], "pagination": page])),
        RuleCase(
            "json.J2",
            list(
                "/conversations/cv-1/messages",
                ["data": [["id": "m-1", "parts": []]], "pagination": page])),
        RuleCase("json.J2", count: 2, list("/conversations", ["data": []])),
    ]

    static let page: JSON = ["cursor": nil, "hasMore": false, "total": 1]

    static func list(_ path: String, _ value: JSON) -> Recording {
        var recording = Recording.chatbase()
        recording.request(
            1, at: 0, "GET", path, headers: ["X-Device-Id": "d-1"],
            base: "https://www.chatbase.co/api/sdk/agents/a-1")
        recording.answer(1, at: 10, value)
        return recording
    }

    static func reply(_ value: JSON) -> Recording {
        var recording = Recording.chatbase()
        recording.ask(1, at: 0, body: ["message": "hi", "stream": false])
        recording.answer(1, at: 10, value)
        return recording
    }

    /// One stream.
    static func one(_ reads: [String], how: String = "complete") -> Recording {
        var recording = Recording.chatbase()
        recording.stream(1, at: 0, how: how, reads)
        return recording
    }

    /// One stream in which the server runs tools.
    static func served(_ reads: [String]) -> Recording {
        one([Part.start] + reads + [Part.textStart, Part.text] + Part.closing)
    }

    /// A turn of two streams with tool results between them.
    static func turn(
        config: JSON = [:], calls: [String] = [Part.call("k-1")], reason: JSON? = "tool-calls",
        results: [(JSON, JSON)] = [("k-1", ["value": 1])], goesOn: Bool? = nil,
        second: JSON = "cv-1", credits: [JSON] = [0, 0]
    ) -> Recording {
        var recording = Recording.chatbase(config: config)
        recording.stream(
            1, at: 0,
            Part.opening + [Part.textEnd] + calls
                + [Part.finish(reason, credits: credits[0]), Part.done])
        for (index, result) in results.enumerated() {
            recording.submitResult(index + 2, at: 200 + Double(index) * 50, of: result.0, result.1)
        }
        guard goesOn ?? !results.isEmpty else { return recording }
        recording.stream(
            9, at: 500, message: nil, conversation: "cv-1",
            Part.opening + [Part.textEnd, Part.finish(conversation: second, credits: credits[1])]
                + [Part.done])
        return recording
    }
}
