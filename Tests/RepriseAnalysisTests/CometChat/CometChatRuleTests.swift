import CometChatKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

@Suite struct CometChatRuleTests {
    @Test(arguments: CometChatRuleCase.all)
    func aRecordingBreaksThatRuleAlone(_ item: RuleCase) throws {
        let violations = try item.recording.analyzedAsCometChat().violations
        #expect(Set(violations.map(\.rule)) == Set([item.rule] + item.companions))
        #expect(violations.count { $0.rule == item.rule } == item.count)
    }

    @Test func everyRuleHasACase() {
        let ids = CometChatRules.all.map { $0.id }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids).subtracting(CometChatRuleCase.all.map { $0.rule }).isEmpty)
    }

    /// The order of the vendor's page, with two tools and two cards, and what is persisted.
    static let everything =
        [Say.started] + Say.tool + [Say.callStart("tc-2"), Say.callEnd("{}", of: "tc-2")]
        + [Say.result("tc-2", #"{"found":2}"#)] + Say.card("cd-1") + Say.card("cd-2") + Say.text
        + [Say.finished] + persisted

    private static let persisted = [
        Say.message(
            "tool-arguments",
            [
                "toolCalls": [
                    [
                        "id": "tc-1", "type": "function",
                        "function": ["name": "find_store", "arguments": #"{"zip":"04"}"#],
                    ]
                ]
            ]),
        Say.message("tool-result", ["toolCallId": "tc-1", "text": "2 stores"]),
        Say.assistant(
            elements: [
                Say.block(card: "cd-1"), Say.block(card: "cd-2"), Say.block(text: Say.said),
            ]),
    ]

    @Test(arguments: [
        CometChatRuleCase.one(everything),
        CometChatRuleCase.posted(everything) { $0.post(2, at: 40) },
        // Other names of two types, and text around a card.
        CometChatRuleCase.one(
            [Say.started, Say.event("tool_call_started", ["toolCallId": "tc-1"])]
                + [Say.event("tool_call_ended", ["toolCallId": "tc-1"]), Say.result()]
                + [Say.textStart, Say.delta("Two "), Say.textEnd] + Say.card()
                + [Say.textStart, Say.delta("stores"), Say.textEnd, Say.finished]
                + [
                    Say.assistant(
                        "Two stores",
                        elements: [
                            Say.block(text: "Two "), Say.block(card: "cd-1"),
                            Say.block(text: "stores"),
                        ])
                ]),
        // Two texts, each persisted alone; no streamMessageId anywhere.
        CometChatRuleCase.one(
            [Say.started, Say.event("text_message_start")]
                + [Say.event("text_message_content", ["delta": "One."])]
                + [Say.event("text_message_end"), Say.event("text_message_start")]
                + [Say.event("text_message_content", ["delta": "Two."])]
                + [Say.event("text_message_end"), Say.finished, Say.assistant("One.Two.")]),
        // Messages of a type in another spelling, and of a run that nobody streamed.
        CometChatRuleCase.one(
            Say.whole + [Say.message("toolResults", ["toolCallId": "tc-9", "text": "x"])]),
        // What is of no matter, and what the client itself caused.
        CometChatRuleCase.one(
            [
                Say.frame("presence", ["status": "online"]),
                Say.frame("typing_indicator", ["action": "started"]),
                Say.frame("message", ["id": 1, "category": "message", "type": "text"]),
                Say.frame("streamed_message", ["type": "run_finished", "id": 5], deviceId: "d-1"),
            ] + Say.whole),
        // Bodies without an envelope, and numbers as text.
        CometChatRuleCase.one(Say.whole.map { $0["body"] ?? .null }),
        CometChatRuleCase.one(
            [Say.event("run_started", run: "9001", id: "9001")] + Say.text + [Say.finished]),
        // The app logged out within the run, or stopped waiting.
        CometChatRuleCase.one([Say.started, Say.textStart]),
        CometChatRuleCase.cut("cancelled"),
        CometChatRuleCase.cut("timedOut"),
        // A message to somebody else that is no text.
        CometChatRuleCase.posted { $0.post(2, at: 40, type: "image", to: "u-bob") },
    ])
    func aProperRecordingBreaksNone(_ recording: Recording) throws {
        #expect(try recording.analyzedAsCometChat().violations == [])
    }

    @Test(arguments: [true, false], [nil, 1, 7])
    func fragmentsAndDeflateMakeNoDifference(deflated: Bool, frameBytes: Int?) throws {
        var scene = SocketScene.cometchat(
            deflate: PerMessageDeflate(serverNoContextTakeover: true, serverMaxWindowBits: 9))
        for (index, frame) in Self.everything.enumerated() {
            scene.send(
                frame.serialized, at: 100 + Double(index) * 10, deflated: deflated,
                frameBytes: frameBytes)
        }
        scene.close(at: 900)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.violations == [])
        #expect(session.turns.map(\.textBytes) == [20])
        #expect(session.tools.map(\.outcome) == [.succeeded, .succeeded])
        #expect(session.exchanges.first?.socket?.isDeflated == true)
        #expect(session.exchanges.first?.socket?.server.messages == Self.everything.count + 1)
    }

    @Test func aDifferenceSaysWhereItIs() throws {
        let recording = CometChatRuleCase.one(Say.whole + [Say.assistant("Two stores äre open.")])
        let violation = try #require(try recording.analyzedAsCometChat().violations.first)
        #expect(violation.rule == "cometchat.C13a")
        #expect(violation.expected == "from byte 11 on “are open.”")
        #expect(violation.seen == "from byte 11 on “äre open.”")
    }

    @Test func aViolationSaysWhichFrameAndByte() throws {
        var scene = SocketScene.cometchat()
        let text = #"{"type":"presence","body":{]"#
        scene.send(text, at: 50, frameBytes: 5)
        let frame = UInt64(scene.recording.next - 1)
        scene.close(at: 60)
        let violation = try #require(
            try scene.recording.analyzedAsCometChat().violations.first)
        #expect(violation.rule == "json.J1")
        #expect(violation.place.frame == frame)
        #expect(violation.place.offset == 27)
        #expect(violation.place.time == 50_000_000)
        #expect(violation.event?.before == String(text.dropLast()))
        #expect(violation.event?.after == "]")
    }

    @Test(arguments: [true, false])
    func aSocketIsKnownByItsFirstMessages(hasAuth: Bool) throws {
        var scene = SocketScene()
        if hasAuth { scene.enter() } else { scene.open() }
        scene.say(Say.whole)
        scene.close(at: 200)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.dialects.map(\.name) == ["cometchat"])
        #expect(session.dialects.map(\.reason) == [.event])
        #expect(session.streams.map(\.outcome) == [.finished])
    }
}
