import ChatbaseKit
import RepriseWire
import Testing

/// Each kind of part, each alias, and what is wrong with a part.
@Suite struct StreamPartTests {
    static func part(_ text: String, event: String? = nil) -> StreamPart? {
        guard case .part(let part) = StreamItem(data: text, event: event) else { return nil }
        return part
    }

    struct Row: Sendable {
        let text: String
        let events: [StreamEvent]
        var strict: String?

        init(_ text: String, _ events: [StreamEvent], strict: String? = nil) {
            self.text = text
            self.events = events
            self.strict = strict
        }
    }

    static let rows = [
        Row(#"{"type":"start","messageId":"m"}"#, [.messageStarted(id: "m")]),
        Row(#"{"type":"message-start","messageId":"m"}"#, [.messageStarted(id: "m")]),
        Row(#"{"type":"start"}"#, [.messageStarted(id: "")], strict: "start without messageId"),
        Row(#"{"type":"text-start","id":"t"}"#, []),
        Row(#"{"type":"text-delta","id":"t","delta":"Hi"}"#, [.textChunk("Hi")]),
        Row(#"{"type":"text-delta","delta":"Hi"}"#, [.textChunk("Hi")]),
        Row(#"{"type":"text-delta","id":"t"}"#, [], strict: "text-delta without delta"),
        Row(#"{"type":"text-end","id":"t"}"#, []),
        Row(#"{"type":"tool-input-start","toolCallId":"k","toolName":"n"}"#, []),
        Row(#"{"type":"tool-input-delta","toolCallId":"k","inputTextDelta":"{"}"#, []),
        Row(
            #"{"type":"tool-input-available","toolCallId":"k","toolName":"n","input":{"a":1}}"#,
            [.toolCall(ToolCall(toolCallId: "k", toolName: "n", input: ["a": 1]))]),
        Row(
            #"{"type":"tool-input-available","toolCallId":"k","toolName":"n"}"#,
            [.toolCall(ToolCall(toolCallId: "k", toolName: "n", input: [:]))]),
        Row(
            #"{"type":"tool-input-available","toolCallId":"k","toolName":"n","input":null}"#,
            [.toolCall(ToolCall(toolCallId: "k", toolName: "n", input: [:]))]),
        Row(
            #"{"type":"tool-input-available","toolCallId":"k"}"#,
            [.toolCall(ToolCall(toolCallId: "k", toolName: "", input: [:]))],
            strict: "tool-input-available without toolName"),
        Row(
            #"{"type":"tool-input-available","toolName":"n"}"#, [],
            strict: "tool-input-available without toolCallId"),
        Row(
            #"{"type":"tool-output-available","toolCallId":"k","output":{"ok":true}}"#,
            [.toolOutput(toolCallId: "k", output: ["ok": true])]),
        Row(
            #"{"type":"tool-output-available","toolCallId":"k","output":1,"preliminary":true}"#, []),
        Row(
            #"{"type":"tool-output-error","toolCallId":"k","errorText":"no"}"#,
            [.toolOutput(toolCallId: "k", output: ["error": "no"])]),
        Row(#"{"type":"start-step"}"#, []),
        Row(#"{"type":"finish-step"}"#, []),
        Row(#"{"type":"message-metadata","messageMetadata":{"userId":"u"}}"#, []),
        Row(#"{"type":"error","errorText":"no"}"#, []),
        Row(#"{"type":"finish","messageMetadata":{}}"#, [.finished(StreamFinishInfo())]),
        Row(
            #"{"type":"finish"}"#, [.finished(StreamFinishInfo())],
            strict: "finish without messageMetadata"),
        Row(
            #"{"type":"finish","finishReason":"stop","metadata":{"messageId":"m"}}"#,
            [.finished(StreamFinishInfo(messageId: "m", finishReason: .stop))],
            strict: "finish without messageMetadata"),
        Row(#"{"type":"sparkles","messageId":1}"#, []),
    ]

    @Test(arguments: rows)
    func makesEvents(row: Row) throws {
        let part = try #require(Self.part(row.text))
        var state = ReplyState()
        #expect(state.apply(part) == row.events)
        #expect(part.strictFailure == row.strict)
        #expect(state.hasParts == part.kind.isKnown)
    }

    @Test(arguments: [
        (#"{"type":"finish","messageMetadata":{"finishReason":"error"}}"#, FinishReason.error),
        (#"{"type":"finish","messageMetadata":{"finishReason":"tool-calls"}}"#, .toolCalls),
        (
            #"{"type":"finish","finishReason":"error","messageMetadata":{"finishReason":"stop"}}"#,
            .stop
        ),
        (#"{"type":"finish","finishReason":"tool-calls","messageMetadata":{}}"#, .toolCalls),
        (#"{"type":"finish","messageMetadata":{"finishReason":"tired"}}"#, nil),
    ])
    func findsTheReason(text: String, reason: FinishReason?) throws {
        let part = try #require(Self.part(text))
        var lenient = ReplyState()
        lenient.apply(part)
        #expect(lenient.info.finishReason == reason)
    }

    @Test func readsEveryDetail() throws {
        var state = ReplyState()
        let text = """
            {"type":"finish","messageMetadata":{"conversationId":"c","messageId":"m",\
            "userMessageId":"um","userId":null,"finishReason":"stop","usage":{"credits":0.5}}}
            """
        state.apply(try #require(Self.part(text)))
        #expect(
            state.info
                == StreamFinishInfo(
                    conversationId: "c", messageId: "m", userMessageId: "um",
                    finishReason: .stop, usage: Usage(credits: 0.5)))
    }

    @Test(arguments: [
        (#"{"type":"start","messageId":7}"#, "messageId", "string", "number"),
        (#"{"type":"text-delta"}"#, "delta", "string", "missing"),
        (#"{"type":"text-start"}"#, "id", "string", "missing"),
        (#"{"type":"tool-output-available","toolCallId":"k"}"#, "output", "object", "missing"),
        (#"{"type":"finish","messageMetadata":[]}"#, "messageMetadata", "object", "array"),
        (
            #"{"type":"finish","messageMetadata":{"usage":{"credits":"1"}}}"#,
            "messageMetadata.usage.credits", "number", "string"
        ),
        (#"{"type":"message-metadata","userId":1}"#, "userId", "string", "number"),
        (#"{"type":"error"}"#, "errorText", "string", "missing"),
    ])
    func notesWhatIsOfAnotherType(text: String, path: String, expected: String, found: String)
        throws
    {
        let mismatches = try #require(Self.part(text)).mismatches
        #expect(mismatches.count == 1)
        #expect(mismatches.first?.path == path)
        #expect(mismatches.first?.expected.rawValue == expected)
        #expect(mismatches.first?.found.rawValue == found)
    }

    @Test(arguments: [
        (#"{"type":"error","errorText":"a","message":"b"}"#, "a"),
        (#"{"type":"error","error":{"message":"b"}}"#, "b"),
        (#"{"type":"error","message":"c"}"#, "c"),
    ])
    func findsTheWordsOfAnError(text: String, words: String) throws {
        var state = ReplyState()
        state.apply(try #require(Self.part(text)))
        #expect(state.errorText == words)
    }

    @Test func tellsWhatIsNoPart() {
        #expect(StreamItem(data: "[DONE]") == .done)
        #expect(StreamItem(data: #"{"messageId":"m"}"#) == .untyped)
        #expect(StreamItem(data: #"{"type":1}"#) == .untyped)
        #expect(StreamItem(data: "[1]") == .untyped)
        guard case .notJSON = StreamItem(data: "{") else {
            Issue.record("that is not JSON")
            return
        }
        let named = Self.part(#"{"messageId":"m"}"#, event: "start")
        #expect(named?.kind == .start)
        #expect(named?.messageId == "m")
        #expect(named?.strictFailure == "a part without a type")
    }
}
