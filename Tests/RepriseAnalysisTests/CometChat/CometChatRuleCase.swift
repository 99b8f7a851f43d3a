import RepriseTape
import RepriseWire

/// Recordings of CometChat that break one rule each.
enum CometChatRuleCase {
    static let all = runs + texts + tools + cards + persisted + frames + conduct

    /// A run: what the service says on a socket that the app closes.
    static func one(_ frames: [JSON]) -> Recording {
        var scene = SocketScene.cometchat()
        let end = scene.say(frames)
        scene.close(at: end, code: .protocolError, reason: "USER_LOGGED_OUT")
        return scene.recording
    }

    /// A whole run with something before its text.
    static func before(_ frames: [JSON]) -> Recording {
        one([Say.started] + frames + Say.text + [Say.finished])
    }

    /// A whole run with something within its text.
    static func within(_ frames: [JSON]) -> Recording {
        one(
            [Say.started, Say.textStart, Say.delta("Two ")] + frames + [Say.textEnd, Say.finished])
    }

    /// A run of which only a part came before its socket ended so.
    static func cut(_ how: String, _ frames: [JSON] = [Say.started, Say.textStart]) -> Recording {
        var scene = SocketScene.cometchat()
        let end = scene.say(frames)
        scene.recording.end(1, at: end, how)
        return scene.recording
    }

    private static let runs = [
        RuleCase("cometchat.C1", one(Say.text + [Say.finished])),
        RuleCase("cometchat.C1", one([Say.finished])),
        RuleCase(
            "cometchat.C1", one([Say.textStart, Say.started] + Say.text[1...] + [Say.finished])),
        RuleCase("cometchat.C2", one([Say.started] + Say.whole)),
        RuleCase("cometchat.C3", one(Say.whole + [Say.finished])),
        RuleCase("cometchat.C3", one(Say.whole + Say.text)),
        RuleCase("cometchat.C3", one(Say.whole + [Say.started])),
        RuleCase("cometchat.C9", cut("reset")),
        RuleCase("cometchat.C9", closedByServer),
        // The run was over, and nobody said so.
        RuleCase("cometchat.C9", one(Say.whole.dropLast() + [Say.assistant()])),
        RuleCase("cometchat.C10", one([Say.started, Say.finished])),
        RuleCase("cometchat.C10", one([Say.started] + Say.card() + [Say.finished])),
        RuleCase(
            "cometchat.C14", one(Say.whole.dropLast() + [Say.assistant(), Say.finished])),
        RuleCase("cometchat.C15a", within([Say.event("agent_mood")])),
        RuleCase("cometchat.C15b", within([Say.event("text_message_content", nil)])),
        RuleCase("cometchat.C15b", one(Say.whole.dropLast() + [Say.event("run_finished", nil)])),
        RuleCase(
            "cometchat.C16a",
            one(
                [Say.started, Say.textStart] + Say.text[1...].map(renamed) + [renamed(Say.finished)]
            )
        ),
        // To another thread and back.
        RuleCase(
            "cometchat.C16b", count: 2,
            within([
                Say.event(
                    "text_message_content", ["streamMessageId": "sm-2", "delta": "x"],
                    thread: "th-2")
            ])),
    ]

    /// The same event, whose run calls itself otherwise.
    private static func renamed(_ event: JSON) -> JSON {
        let text = event.serialized.replacing(#""runId":9001"#, with: #""runId":9002"#)
        return (try? JSON.parse(Array(text.utf8)).value) ?? .null
    }

    private static var closedByServer: Recording {
        var scene = SocketScene.cometchat()
        let end = scene.say([Say.started, Say.textStart])
        scene.close(from: .server, at: end, code: .goingAway)
        return scene.recording
    }

    private static let texts = [
        RuleCase("cometchat.C4a", one([Say.started] + Say.text[1...] + [Say.finished])),
        RuleCase("cometchat.C4a", one([Say.started] + Say.text + [Say.delta("!"), Say.finished])),
        RuleCase("cometchat.C4a", one([Say.started] + Say.text[1..<2] + Say.text + [Say.finished])),
        RuleCase("cometchat.C4b", one([Say.started] + Say.text + [Say.textEnd, Say.finished])),
        RuleCase("cometchat.C4b", before([Say.textEnd])),
        RuleCase("cometchat.C4c", within([Say.textStart])),
        RuleCase("cometchat.C8a", one([Say.started] + Say.text.dropLast() + [Say.finished])),
        RuleCase("cometchat.C15c", within([Say.delta("")])),
        RuleCase("cometchat.C15d", within(Say.tool)),
        RuleCase(
            "cometchat.C15d",
            one(
                [Say.started, Say.callStart()] + Say.text + [Say.callEnd(), Say.result()] + [
                    Say.finished
                ])),
    ]

    private static let tools = [
        RuleCase("cometchat.C5a", before([Say.args("{}"), Say.callEnd("{}"), Say.result()])),
        RuleCase("cometchat.C5a", before(Say.tool + [Say.args(" ")])),
        RuleCase("cometchat.C5b", before([Say.callEnd(), Say.result()])),
        RuleCase("cometchat.C5b", before(Say.tool + [Say.callEnd()])),
        RuleCase("cometchat.C5c", before([Say.callStart()] + Say.tool)),
        RuleCase("cometchat.C6a", before([Say.result("tc-9")])),
        RuleCase("cometchat.C6b", before([Say.callStart(), Say.result(), Say.callEnd()])),
        RuleCase("cometchat.C6b", before([Say.callStart(), Say.result()])),
        RuleCase("cometchat.C6c", before(Say.tool + [Say.result()])),
        RuleCase(
            "cometchat.C8b",
            one(Say.whole.dropLast() + [Say.callStart(), Say.args("{"), Say.finished])),
        RuleCase("cometchat.C11a", before(called([#"{"zip":"05"}"#], #"{"zip":"04"}"#))),
        RuleCase("cometchat.C11a", before(called([#"{"zip":"#], #"{"zip":"04"}"#))),
        RuleCase("cometchat.C11a", before(called([#"{"zip":"04"}"#], #"{"zip":"#))),
        RuleCase("cometchat.C11b", before(called([#"{"zip":"#], #"{"zip":"#))),
        RuleCase("cometchat.C11b", before(called([#"{"zip":"#], nil))),
        RuleCase("cometchat.C11b", before(called([], #"{"zip":"#))),
        RuleCase("cometchat.C12", before(Say.tool.dropLast())),
    ]

    private static func called(_ pieces: [JSON], _ arguments: JSON?) -> [JSON] {
        [Say.callStart()] + pieces.map { Say.args($0) } + [Say.callEnd(arguments), Say.result()]
    }

    private static let cards = [
        RuleCase("cometchat.C7a", before(Say.card("cd-1", ["card", "card_end"]))),
        RuleCase("cometchat.C7a", before(Say.card("cd-1", ["card", "card_start", "card_end"]))),
        RuleCase("cometchat.C7a", before(Say.card("cd-1", ["card_start", "card_end", "card"]))),
        RuleCase("cometchat.C7b", before(Say.card("cd-1", ["card_end"]))),
        RuleCase("cometchat.C7b", before(Say.card() + Say.card("cd-1", ["card_end"]))),
        RuleCase(
            "cometchat.C7c", before(Say.card("cd-1", ["card_start", "card", "card", "card_end"]))),
        RuleCase("cometchat.C7d", before(Say.card("cd-1", ["card_start"]) + Say.card())),
        RuleCase("cometchat.C7e", before(Say.card("cd-1", ["card_start", "card_end"]))),
        RuleCase("cometchat.C8c", before(Say.card("cd-1", ["card_start", "card"]))),
    ]

    private static let persisted = [
        RuleCase("cometchat.C13a", one(Say.whole + [Say.assistant("Two stores are shut.")])),
        RuleCase("cometchat.C13a", one(Say.whole + [Say.assistant("Two stores")])),
        RuleCase(
            "cometchat.C13a",
            one(Say.whole + [Say.assistant("", elements: [Say.block(text: "Two stores")])])),
        RuleCase(
            "cometchat.C13b",
            one(
                Say.whole + [
                    Say.assistant(
                        elements: [Say.block(text: Say.said), Say.block(card: "cd-9")])
                ])),
        RuleCase(
            "cometchat.P3",
            one(
                [Say.started] + Say.card() + Say.text + [Say.finished] + [
                    Say.assistant(
                        elements: [Say.block(text: Say.said), Say.block(card: "cd-1")])
                ])),
        // What was one text is in two parts, around the card.
        RuleCase(
            "cometchat.P3",
            one(
                [Say.started] + Say.card() + Say.text + [Say.finished] + [
                    Say.assistant(elements: [
                        Say.block(text: "Two "), Say.block(card: "cd-1"),
                        Say.block(text: "stores are open."),
                    ])
                ])),
    ]

    private static let frames = [
        RuleCase("json.J1", spoken(#"{"type":"streamed_message","body":{"#)),
        RuleCase("json.J2", spoken("[]")),
        RuleCase("json.J2", one(Say.whole + [Say.frame("streamed_message", nil)])),
        RuleCase("json.J2", within([Say.delta(7)])),
        RuleCase("json.J2", within([Say.event(7)])),
        RuleCase("json.J2", before([Say.event("tool_call_start", ["toolCallName": "x"])])),
        RuleCase(
            "json.J2",
            before(
                Say.card("cd-1", ["card_start"])
                    + [Say.event("card", ["cardId": "cd-1"])] + Say.card("cd-1", ["card_end"]))),
        RuleCase(
            "json.J2",
            one(Say.whole + [Say.frame("streamed_message", ["type": "run_started", "data": [:]])])),
        RuleCase("json.J2", posted { $0.post(2, at: 40, id: "x") }),
        RuleCase("json.J2", posted { $0.post(2, at: 40, conversation: nil) }),
        RuleCase("json.J3", one(Say.whole + [Say.frame("agent_mood", [:])])),
        RuleCase(
            "json.J4", spoken(#"{"type":"presence","appId":"a","appId":"b","body":{}}"#)),
        RuleCase("json.J5", spoken(#"{"type":"presence","body":{"status":"\ud83d"}}"#)),
        RuleCase("ws.W4", silent),
        RuleCase("time.T1", paced(filler: nil)),
        RuleCase("time.T2", paced(filler: Say.pong)),
        RuleCase("time.T2", paced(filler: nil, pings: true)),
        RuleCase("ws.W2c", cut("reset", Say.whole)),
        RuleCase("tape.R1", cutWithoutEnd),
    ]

    private static func spoken(_ text: String) -> Recording {
        var scene = SocketScene.cometchat()
        scene.send(text, at: 50)
        scene.say(Say.whole)
        scene.close(at: 200)
        return scene.recording
    }

    /// A run that answers a message.
    static func posted(
        _ frames: [JSON] = Say.whole, _ post: (inout SocketScene) -> Void
    ) -> Recording {
        var scene = SocketScene.cometchat()
        post(&scene)
        let end = scene.say(frames)
        scene.close(at: end)
        return scene.recording
    }

    /// The service does not answer the app's own ping.
    private static var silent: Recording {
        var scene = SocketScene.cometchat()
        scene.send(Say.ping.serialized, from: .client, at: 30)
        scene.send(Say.pong.serialized, at: 40)
        scene.say(Say.whole)
        scene.send(Say.ping.serialized, from: .client, at: 300)
        scene.close(at: 3_300)
        return scene.recording
    }

    /// A run with a pause of a second, in which something keeps the socket alive.
    static func paced(filler: JSON?, pings: Bool = false) -> Recording {
        var scene = SocketScene.cometchat()
        scene.say([Say.started, Say.textStart, Say.delta("Two stores "), Say.delta("are ")])
        for step in 1...9 {
            if let filler { scene.send(filler.serialized, at: 130 + Double(step) * 100) }
            if pings { scene.ping(from: .server, at: 130 + Double(step) * 100) }
        }
        let end = scene.say([Say.delta("open."), Say.textEnd, Say.finished], at: 1_130)
        scene.close(at: end)
        return scene.recording
    }

    private static var cutWithoutEnd: Recording {
        var scene = SocketScene.cometchat()
        scene.say([Say.started, Say.textStart])
        return scene.recording
    }

    private static let conduct = [
        RuleCase("cometchat.P1", posted { $0.post(2, at: 40, type: "image") }),
        RuleCase("cometchat.P2", leaked),
        RuleCase("http.H1", posted { $0.post(2, at: 40, status: 400) }),
    ]

    private static var leaked: Recording {
        var scene = SocketScene.cometchat()
        let end = scene.say(Say.whole)
        scene.recording.add(
            "note", 0, end,
            ["text": #"cometchat.listener.leaked {"id":"l-1","kind":"assistant"}"#])
        scene.close(at: end)
        return scene.recording
    }
}
