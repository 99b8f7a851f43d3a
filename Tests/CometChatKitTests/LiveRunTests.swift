import CometChatKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Runs against the stand-in.
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
        #expect(
            recording.calls.map(\.op) == ["login", "sendTextMessage", "run", "logout"])
        #expect(recording.isSealed)
    }
}
