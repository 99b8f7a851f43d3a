import CometChatKit
import RepriseWire
import Testing

/// Live events of an agent's run.
@Suite struct AgentEventTests {
    static func event(_ body: String) throws -> AgentEvent {
        let frame = try ServiceFrameTests.frame(#"{"type":"streamed_message","body":\#(body)}"#)
        guard case .event(let event) = frame.content else { throw ServiceFrameTests.NoFrame() }
        return event
    }

    /// A run as the vendor's page orders it, with a tool and a card.
    static let run = [
        #"{"type":"run_started","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-0","role":"assistant"}}"#,
        #"{"type":"tool_call_start","id":9001,"data":{"runId":9001,"threadId":"th-1","toolCallId":"tc-1","toolCallName":"find_store","displayName":"Store finder","executionText":"Looking nearby","streamParentMessageId":"sm-0"}}"#,
        #"{"type":"tool_call_args","id":9001,"data":{"runId":9001,"threadId":"th-1","toolCallId":"tc-1","delta":"{\"zip\":\"04"}}"#,
        #"{"type":"tool_call_args","id":9001,"data":{"runId":9001,"threadId":"th-1","toolCallId":"tc-1","delta":"109\"}"}}"#,
        #"{"type":"tool_call_end","id":9001,"data":{"runId":9001,"threadId":"th-1","toolCallId":"tc-1","toolCallName":"find_store","arguments":"{\"zip\":\"04109\"}"}}"#,
        #"{"type":"tool_call_result","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-t","toolCallId":"tc-1","content":"2 stores","role":"tool"}}"#,
        #"{"type":"card_start","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-1","cardId":"cd-1","executionText":"Drawing map"}}"#,
        #"{"type":"card","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-1","cardId":"cd-1","card":{"version":"1.0","body":[],"fallbackText":"Map"}}}"#,
        #"{"type":"card_end","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-1","cardId":"cd-1"}}"#,
        #"{"type":"text_message_start","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-2","role":"assistant"}}"#,
        #"{"type":"text_message_content","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-2","delta":"Two stores "}}"#,
        #"{"type":"text_message_content","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-2","delta":"are open.\n🙂"}}"#,
        #"{"type":"text_message_end","id":9001,"data":{"runId":9001,"threadId":"th-1","streamMessageId":"sm-2","messageId":"sm-2","type":"text"}}"#,
        #"{"type":"run_finished","id":9001,"data":{"runId":9001,"threadId":"th-1"}}"#,
    ]

    @Test func readsEveryKind() throws {
        let events = try Self.run.map { try Self.event($0) }
        #expect(Set(events.compactMap(\.kind)) == Set(AgentEventKind.known))
        #expect(events.allSatisfy { $0.runKey == 9001 && $0.threadId == "th-1" })
        #expect(events.allSatisfy { $0.mismatches == [] && $0.missing == [] && $0.hasData })
        #expect(events[0].role == "assistant")
        #expect(events[1].toolCallName == "find_store")
        #expect(events[1].displayName == "Store finder")
        #expect(events[1].executionText == "Looking nearby")
        #expect(events[1].streamParentMessageId == "sm-0")
        #expect((events[2].delta ?? "") + (events[3].delta ?? "") == events[4].arguments)
        #expect(events[5].content == "2 stores")
        #expect(events[5].role == "tool")
        #expect(events[5].streamMessageId == "sm-t")
        #expect(events[6].executionText == "Drawing map")
        #expect(events[7].card?["fallbackText"]?.string == "Map")
        #expect(events[8].cardId == "cd-1")
        #expect(events[11].delta == "are open.\n🙂")
        #expect(events[12].messageId == "sm-2")
        #expect(events[12].innerType == "text")
        #expect(events[12].type == "text_message_end")
    }

    /// Which run an event belongs to.
    @Test(arguments: [
        (#"{"type":"card","id":3,"data":{"runId":4}}"#, 4 as Int64?),
        (#"{"type":"card","id":3,"data":{"runId":0}}"#, 3),
        (#"{"type":"card","id":"3","data":{}}"#, 3), (#"{"type":"card","id":3}"#, 3),
        (#"{"type":"card","data":{"runId":"-4"}}"#, -4), (#"{"type":"card"}"#, nil),
        (#"{"type":"card","id":9223372036854775807}"#, .max),
        (#"{"type":"card","id":9223372036854775808}"#, nil),
    ])
    func tellsItsRun(body: String, key: Int64?) throws {
        #expect(try Self.event(body).runKey == key)
    }

    @Test(arguments: [
        ("tool_call_start", ["toolCallId"]), ("tool_call_args", ["toolCallId", "delta"]),
        ("tool_call_end", ["toolCallId"]), ("tool_call_result", ["toolCallId"]),
        ("card_start", ["cardId"]), ("card", ["cardId", "card"]), ("card_end", ["cardId"]),
        ("text_message_content", ["delta"]), ("run_started", []), ("run_finished", []),
        ("text_message_start", []), ("text_message_end", []), ("run_error", []),
    ])
    func tellsWhatIsMissing(type: String, missing: [String]) throws {
        let event = try Self.event(#"{"type":"\#(type)","id":1}"#)
        #expect(event.missing == missing)
        #expect(!event.hasData)
        #expect(event.mismatches == [])
    }

    @Test func keepsWhatItDoesNotKnow() throws {
        let event = try Self.event(#"{"type":"run_error","id":1,"data":{"message":"no"}}"#)
        #expect(event.kind?.isKnown == false)
        #expect(event.type == "run_error")
        #expect(event.body["data"]?["message"]?.string == "no")
        #expect(try Self.event(#"{"id":1}"#).kind == nil)
        #expect(try Self.event(#"{"type":"tool_call_ended"}"#).kind == .toolCallEnd)
        #expect(try Self.event(#"{"type":"tool_call_ended"}"#).type == "tool_call_ended")
    }
}
