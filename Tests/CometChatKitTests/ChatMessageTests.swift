import CometChatKit
import RepriseWire
import Testing

/// What the service keeps.
@Suite struct ChatMessageTests {
    static func message(_ body: String) throws -> ChatMessage {
        let frame = try ServiceFrameTests.frame(#"{"type":"message","body":\#(body)}"#)
        guard case .message(let message) = frame.content else {
            throw ServiceFrameTests.NoFrame()
        }
        return message
    }

    @Test func readsAReply() throws {
        let message = try Self.message(
            """
            {"id":9050,"muid":"m","conversationId":"c","category":"agentic","type":"assistant",\
            "receiver":"u-ann","receiverType":"user","sender":"agent-7","sentAt":1760000000,\
            "parentId":12,"data":{"runId":"9001","threadId":"th-1","text":"Two stores.",\
            "elements":[{"type":"card","value":{"cardId":"cd-1","card":{"version":"1.0"}}},\
            {"value":"no type"},{"type":"","value":1},{"type":"text","value":"Two stores."},\
            {"type":"chart"}]}}
            """)
        #expect(message.agenticKind == .assistant)
        #expect(message.id == 9050)
        #expect(message.muid == "m")
        #expect(message.parentId == 12)
        #expect(message.sentAt == 1_760_000_000)
        #expect(message.runId == 9001)
        #expect(message.threadId == "th-1")
        #expect(message.elements?.map(\.type) == ["card", "text", "chart"])
        #expect(message.elements?.map(\.cardId) == ["cd-1", nil, nil])
        #expect(message.elements?.map(\.text) == [nil, "Two stores.", nil])
        #expect(message.plainText == "Two stores.")
        #expect(message.mismatches == [])
    }

    @Test func readsTools() throws {
        let calls = try Self.message(
            """
            {"category":"agentic","type":"tool-arguments","data":{"runId":1,"toolCalls":[\
            {"id":"tc-1","type":"function","displayName":"Finder","executionText":"Looking",\
            "function":{"name":"find","arguments":"{}"}},{"id":"tc-2"}]}}
            """)
        #expect(calls.agenticKind == .toolArguments)
        #expect(calls.toolCalls.map(\.id) == ["tc-1", "tc-2"])
        #expect(calls.toolCalls[0].name == "find")
        #expect(calls.toolCalls[0].arguments == "{}")
        #expect(calls.toolCalls[0].displayName == "Finder")
        #expect(calls.toolCalls[0].executionText == "Looking")
        #expect(calls.toolCalls[0].type == "function")
        let result = try Self.message(
            """
            {"category":"agentic","type":"tool-result","data":{"toolCallId":"tc-1","text":"2"}}
            """)
        #expect(result.agenticKind == .toolResult)
        #expect(result.toolCallId == "tc-1")
        #expect(result.text == "2")
        #expect(result.runId == nil)
    }

    @Test(arguments: [
        (
            "agentic", "toolArguments",
            ChatMessage.AgenticKind.toolArguments as ChatMessage.AgenticKind?
        ),
        ("agentic", "toolResults", .toolResult), ("agentic", "assistant", .assistant),
        ("agentic", "text", nil), ("message", "assistant", nil),
    ])
    func tellsWhatItIs(category: String, type: String, kind: ChatMessage.AgenticKind?) throws {
        let message = try Self.message(#"{"category":"\#(category)","type":"\#(type)"}"#)
        #expect(message.agenticKind == kind)
    }

    /// Who sent it and to whom, in the forms that the service has.
    @Test(arguments: [
        #"{"sender":"a","receiver":"b"}"#,
        #"{"sender":{"uid":"a"},"receiver":{"uid":"b"}}"#,
        #"{"data":{"entities":{"sender":{"entity":{"uid":"a"}},"#
            + #""receiver":{"entityType":"user","entity":{"uid":"b"}}}}}"#,
    ])
    func findsBothSides(body: String) throws {
        let message = try Self.message(body)
        #expect(message.sender == "a")
        #expect(message.receiver == "b")
        #expect(message.mismatches == [])
    }

    /// A reply of cards alone has no text; one of elements has theirs.
    @Test(arguments: [
        (#"{"elements":[{"type":"text","value":"a"},{"type":"text","value":"b"}]}"#, "ab"),
        (#"{"text":"t","elements":[{"type":"text","value":"a"}]}"#, "t"),
        (#"{"text":"t","elements":[]}"#, "t"), (#"{"text":"t"}"#, "t"),
        (#"{"elements":[{"type":"card","value":{}}]}"#, ""),
    ])
    func joinsItsText(data: String, text: String) throws {
        let message = try Self.message(
            #"{"category":"agentic","type":"assistant","data":\#(data)}"#)
        #expect(message.plainText == text)
    }
}
