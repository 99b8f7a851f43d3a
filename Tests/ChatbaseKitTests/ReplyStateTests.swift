import ChatbaseKit
import RepriseWire
import Testing

/// What the parts of one stream make together.
@Suite struct ReplyStateTests {
    static func state(_ texts: String..., isStrict: Bool = false) -> (ReplyState, [StreamEvent]) {
        var state = ReplyState(isStrict: isStrict)
        var events: [StreamEvent] = []
        for text in texts {
            guard case .part(let part) = StreamItem(data: text) else { continue }
            events += state.apply(part)
        }
        events += state.finish()
        return (state, events)
    }

    static let call = #"{"type":"tool-input-available","toolCallId":"k","toolName":"n"}"#
    static let output = #"{"type":"tool-output-available","toolCallId":"k","output":{"a":1}}"#

    @Test func joinsCharactersOverDeltas() {
        let (state, events) = Self.state(
            #"{"type":"text-delta","delta":"a\ud83d"}"#,
            #"{"type":"text-delta","delta":"\ude00b"}"#,
            #"{"type":"text-delta","delta":"\ud83d"}"#, #"{"type":"text-end","id":"t"}"#)
        #expect(state.text == "a😀b\u{FFFD}")
        #expect(events == [.textChunk("a"), .textChunk("😀b"), .textChunk("\u{FFFD}")])
    }

    @Test func leavesToTheAppWhatTheServiceDoesNotRun() {
        #expect(Self.state(Self.call).0.pending.map(\.id) == ["k"])
        #expect(Self.state(Self.call, Self.output).0.pending.isEmpty)
        let own =
            #"{"type":"tool-input-available","toolCallId":"k","toolName":"n","#
            + #""providerExecuted":true}"#
        #expect(Self.state(own).0.pending.isEmpty)
        #expect(Self.state(own, isStrict: true).0.pending.count == 1)
        let failed = #"{"type":"tool-output-error","toolCallId":"k","errorText":"no"}"#
        #expect(Self.state(Self.call, failed).0.pending.isEmpty)
        #expect(Self.state(Self.call, failed, isStrict: true).0.pending.count == 1)
        let preliminary =
            #"{"type":"tool-output-available","toolCallId":"k","output":1,"#
            + #""preliminary":true}"#
        #expect(Self.state(Self.call, preliminary).0.pending.count == 1)
    }

    @Test func tellsACallOnce() {
        let (state, events) = Self.state(Self.call, Self.call)
        #expect(state.calls.count == 1)
        #expect(events.count == 1)
    }

    @Test func joinsAnInput() {
        let (state, _) = Self.state(
            #"{"type":"tool-input-start","toolCallId":"k","toolName":"n"}"#,
            #"{"type":"tool-input-delta","toolCallId":"k","inputTextDelta":"{\"a\":"}"#,
            #"{"type":"tool-input-delta","toolCallId":"k","inputTextDelta":"1}"}"#)
        #expect(state.call("k")?.inputText == #"{"a":1}"#)
        #expect(state.call("k")?.isComplete == false)
        #expect(state.pending.isEmpty)
    }

    @Test func mergesDetails() {
        let parts = (
            #"{"type":"message-metadata","messageMetadata":{"userId":"u","usage":{"credits":1}}}"#,
            #"{"type":"finish","messageMetadata":{"conversationId":"c","usage":{"x":2}}}"#,
            #"{"type":"message-metadata","userMessageId":"um"}"#
        )
        let (state, events) = Self.state(parts.0, parts.1, parts.2)
        let atFinish = StreamFinishInfo(
            conversationId: "c", userId: "u", usage: Usage(credits: 1))
        #expect(events == [.finished(atFinish)])
        #expect(state.info.userMessageId == "um")
        let (strict, _) = Self.state(parts.0, parts.1, parts.2, isStrict: true)
        #expect(strict.info == StreamFinishInfo(conversationId: "c"))
    }

    @Test func readsTheReasonAsTheKitDoes() {
        let text = #"{"type":"finish","finishReason":"tool-calls","messageMetadata":{}}"#
        #expect(Self.state(text).0.info.finishReason == .toolCalls)
        #expect(Self.state(text, isStrict: true).0.info.finishReason == nil)
    }
}
