import CometChatKit
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Runs against the stand-in, each recorded and run again from its tape.
@Suite struct LiveRunTests {
    @Test func runsWithToolsAndCards() async throws {
        let diary = Diary()
        let recording = try await LiveComet.record { live in
            let run = try await live.session.send(
                "Look peer:tools=get_weather+find_store,cards=2,chunks=6", to: LiveComet.agent,
                onUpdate: diary.note)
            #expect(run.isComplete)
            #expect(!run.isCut)
            #expect(run.hasStarted)
            #expect(run.tools.map(\.name) == ["get_weather", "find_store"])
            #expect(run.tools.map(\.displayName) == ["Weather", "Store finder"])
            #expect(run.tools.allSatisfy { $0.hasEnded && $0.result != nil })
            #expect(run.cards.count == 2)
            #expect(run.cards.allSatisfy { $0.hasEnded && $0.card != nil })
            #expect(!run.text.isEmpty)
            #expect(run.reply?.plainText == run.text)
            #expect(
                run.messages.map(\.message.type) == [
                    "tool-arguments", "tool-result", "tool-result", "assistant",
                ])
            #expect(run.missing == [])
        }
        #expect(
            diary.types == [
                "run_started", "tool_call_start", "tool_call_args", "tool_call_end",
                "tool_call_result", "tool_call_start", "tool_call_args", "tool_call_end",
                "tool_call_result", "card_start", "card", "card_end", "card_start", "card",
                "card_end", "text_message_start", "text_message_content", "text_message_end",
                "run_finished",
            ])
        // The run may begin on the socket before the message's own answer is here.
        let sent = diary.updates.compactMap { if case .sent(let sent) = $0 { sent } else { nil } }
        #expect(sent.map { $0.text.prefix(4) } == ["Look"])
        guard case .message? = diary.updates.last else {
            Issue.record("\(diary.updates.count) updates")
            return
        }
        #expect(recording.calls.map(\.op) == ["login", "sendTextMessage", "run", "logout"])
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// What the stand-in does, and what comes of the message: `ok`, or the code of a failure.
    @Test(arguments: [
        ("chunks=2", "ok"), ("hasty", "ok"), ("noise", "ok"), ("moderation=approved", "ok"),
        ("moderation=disapproved", "cometchat.disapproved"), ("text=none,cards=1", "ok"),
        ("text=around,cards=2", "ok"), ("deflate=off", "ok"), ("deflate=forget", "ok"),
        ("deflate=9", "ok"), ("fragments=3,between", "ok"), ("split", "ok"),
        ("start=none", "ok"), ("text-end=none", "ok"), ("unknown,unknown-frame", "ok"),
        ("no-type,no-data,no-body,wrong-type,empty-delta", "ok"), ("not-json,binary", "ok"),
        ("tools=a+b,tool-result=none", "ok"), ("tools=a,tool-result=early", "ok"),
        ("early-messages", "ok"), ("order=assistant", "ok"), ("elements=none", "ok"),
        ("messages=none", "cometchat.messagesMissing"),
        ("tools=a,messages=assistant", "cometchat.messagesMissing"),
        ("finish=none,messages=none", "cometchat.runTimeout"),
        ("at=middle,drop=rst", "cometchat.runCut"), ("at=2,drop=fin", "cometchat.runCut"),
        ("at=middle,close=1011", "cometchat.runCut"), ("at=middle,drop=half", "cometchat.runCut"),
        ("at=middle,frame=rsv2", "cometchat.runCut"),
        ("at=middle,frame=bad-deflate", "cometchat.runCut"),
        ("at=middle,drop=rst,resume", "cometchat.runCut"), ("at=middle,ping", "ok"),
    ])
    func copes(wish: String, expected: String) async throws {
        var options = LiveComet.options
        // What is not to come is not waited for; what is may take its time.
        if wish.contains("messages=") { options.messagesLimit = 600_000_000 }
        if wish.contains("finish=none") { options.runSilence = 900_000_000 }
        let outcome = Locked("")
        let wishes = wish.contains("chunks") ? wish : "chunks=4,\(wish)"
        let recording = try await LiveComet.record(options: options) { live in
            do {
                let run = try await live.session.send("Hi peer:\(wishes)", to: LiveComet.agent)
                #expect(run.isComplete)
                outcome.withLock { $0 = "ok" }
            } catch let error as CometChatException {
                outcome.withLock { $0 = error.errorCode }
                if error.errorCode == "cometchat.runCut" {
                    let run = try #require(error.run)
                    #expect(run.isCut)
                    #expect(run.reply != nil)
                    #expect(run.messages.contains { $0.isRecovered } || wish.contains("resume"))
                }
            }
        }
        #expect(outcome.withLock { $0 } == expected)
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// Two messages at once: each run is its own, and so is what a replay makes of them.
    @Test func tellsRunsApart() async throws {
        let recording = try await LiveComet.record { live in
            async let one = live.session.send(
                "One peer:together=2,tools=get_weather,chunks=5", to: "agent-1")
            async let two = live.session.send(
                "Two peer:together=2,cards=1,chunks=7", to: "agent-2")
            let runs = try await [one, two]
            #expect(runs.map(\.agent) == ["agent-1", "agent-2"])
            #expect(runs[0].key != runs[1].key)
            #expect(runs.map(\.tools.count) == [1, 0])
            #expect(runs.map(\.cards.count) == [0, 1])
            for run in runs {
                #expect(run.isComplete)
                #expect(run.reply?.plainText == run.text)
                #expect(run.messages.allSatisfy { $0.message.runId == run.key })
            }
        }
        #expect(recording.calls.filter { $0.op == "run" }.count == 2)
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// Runs that answer none of the session's messages are told at the logout.
    @Test func tellsRunsThatNobodyAskedFor() async throws {
        let recording = try await LiveComet.record { live in
            try await live.session.send("Hi peer:runs=3,chunks=3", to: LiveComet.agent)
        }
        guard case .result(let facts)? = recording.calls.last?.outcome else {
            Issue.record("no result")
            return
        }
        #expect(facts["runs"]?.array?.count == 2)
        #expect(facts["runs"]?[0]?["text"]?.string?.isEmpty == false)
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    @Test func hearsUpdatesAsASequence() async throws {
        let live = try await LiveComet()
        let updates = live.session.updates
        let events = live.session.events
        let messages = live.session.messages
        let counting = Task { () -> [Int] in
            var counts = [0, 0, 0]
            for await event in events {
                counts[0] += 1
                #expect(event.agent == LiveComet.agent)
                #expect(event.run == event.event.runKey)
                #expect(event.time > 0)
            }
            for await message in messages {
                counts[1] += 1
                #expect(!message.isRecovered)
            }
            for await update in updates {
                if case .connected(again: false) = update { counts[2] += 1 }
            }
            return counts
        }
        let diary = Diary()
        try await live.logIn()
        try await live.session.send(
            "Hi peer:chunks=3,cards=1", to: LiveComet.agent, onUpdate: diary.note)
        try await live.session.logout()
        _ = try live.close()
        live.session.finish()
        let told = diary.updates.filter { if case .event = $0 { true } else { false } }.count
        #expect(await counting.value == [told, 1, 1])
        #expect(told == 3 + 3 + 4)
    }
}
