import CometChatKit
import RepriseWire
import Testing

/// What text messages of the socket are.
@Suite struct ServiceFrameTests {
    static func frame(_ text: String) throws -> ServiceFrame {
        guard case .frame(let frame) = ServiceItem(Array(text.utf8)) else {
            throw NoFrame()
        }
        return frame
    }

    struct NoFrame: Error {}

    static let streamed = """
        {"type":"streamed_message","appId":"app1","receiver":"u-ann","receiverType":"user",\
        "sender":"agent-7","body":{"type":"text_message_content","id":9001,\
        "conversationId":"agent-7_user_u-ann","parentId":"","data":{"runId":"9001",\
        "threadId":"th-1","streamMessageId":"sm-1","delta":"Hi \\ud83d"}}}
        """

    @Test func readsAnEnvelope() throws {
        let frame = try Self.frame(Self.streamed)
        #expect(frame.type == "streamed_message")
        #expect(frame.appId == "app1")
        #expect(frame.receiver == "u-ann")
        #expect(frame.receiverType == "user")
        #expect(frame.sender == "agent-7")
        #expect(!frame.isBare)
        #expect(frame.allMismatches == [])
        guard case .event(let event) = frame.content else {
            Issue.record("\(frame.content)")
            return
        }
        #expect(event.kind == .textMessageContent)
        #expect(event.id == 9001)
        #expect(event.runId == 9001)
        #expect(event.runKey == 9001)
        #expect(event.conversationId == "agent-7_user_u-ann")
        #expect(event.threadId == "th-1")
        #expect(event.textKey == "sm-1")
        #expect(event.delta == "Hi \u{FFFD}")
        #expect(event.deltaSurrogates.map(\.unit) == [0xD83D])
        #expect(event.missing == [])
    }

    @Test(arguments: [
        (#"{"type":"auth","body":{"code":200,"status":"OK"}}"#, true),
        (#"{"type":"auth","body":{"code":"200","status":"ok"}}"#, true),
        (#"{"type":"auth","body":{"code":401,"status":"OK"}}"#, false),
        (#"{"type":"auth","body":{"code":200,"status":"no"}}"#, false),
        (#"{"type":"auth","body":{}}"#, false), (#"{"type":"auth"}"#, false),
    ])
    func readsAuthReplies(text: String, isAccepted: Bool) throws {
        guard case .auth(let reply) = try Self.frame(text).content else {
            Issue.record("no reply")
            return
        }
        #expect(reply.isAccepted == isAccepted)
    }

    @Test func readsOtherFrames() throws {
        #expect(try Self.frame(#"{"action":"pong","ack":true}"#).content == .pong)
        #expect(try Self.frame(#"{"type":"presence","body":{}}"#).content == .other)
        #expect(try Self.frame("{}").content == .other)
        #expect(ServiceItem(Array("[1]".utf8)) == .notObject)
        guard case .notJSON(let error) = ServiceItem(Array("{\"a\":".utf8)) else {
            Issue.record("it is JSON")
            return
        }
        #expect(error.offset == 5)
    }

    @Test func readsModeration() throws {
        let frame = try Self.frame(
            """
            {"type":"on_moderation_status_changed","sender":"u-ann","receiver":"agent-7",\
            "body":{"id":"77","category":"message","type":"text",\
            "data":{"text":"Hi","moderation":{"status":"DISAPPROVED"}}}}
            """)
        guard case .moderation(let message) = frame.content else {
            Issue.record("\(frame.content)")
            return
        }
        #expect(message.id == 77)
        #expect(message.moderation == .disapproved)
        #expect(message.sender == "u-ann")
        #expect(message.receiver == "agent-7")
    }

    /// What a client did itself is dropped, but for what it cannot know otherwise.
    @Test(arguments: [
        (#"{"type":"message","deviceId":"d-1","body":{}}"#, true),
        (#"{"type":"message","deviceId":"d-2","body":{}}"#, false),
        (#"{"type":"message","body":{}}"#, false),
        (#"{"type":"streamed_message","deviceId":"d-1","body":{"type":"card"}}"#, true),
        (#"{"type":"auth","deviceId":"d-1","body":{}}"#, false),
        (#"{"type":"on_moderation_status_changed","deviceId":"d-1","body":{}}"#, false),
    ])
    func tellsEchoes(text: String, isEcho: Bool) throws {
        #expect(try Self.frame(text).isEcho(of: "d-1") == isEcho)
        #expect(try !Self.frame(text).isEcho(of: ""))
    }

    @Test(arguments: [
        (#"{"type":"run_started","id":1,"data":{}}"#, true),
        (#"{"type":"tool_call_started","id":1}"#, true),
        (#"{"type":"run_failed","id":1,"data":{"runId":1}}"#, true),
        (#"{"type":"typing_indicator","id":1}"#, false),
    ])
    func readsBareEvents(text: String, isEvent: Bool) throws {
        let frame = try Self.frame(text)
        #expect(frame.isBare == isEvent)
        if case .event(let event) = frame.content { #expect(event.id == 1) }
    }

    @Test func readsABareMessage() throws {
        let frame = try Self.frame(#"{"category":"agentic","type":"assistant","id":5}"#)
        guard case .message(let message) = frame.content else {
            Issue.record("\(frame.content)")
            return
        }
        #expect(message.agenticKind == .assistant)
        #expect(frame.isBare)
    }

    /// Each member of another type than declared, and where it is told to be.
    @Test(arguments: [
        (#"{"type":"streamed_message","sender":1,"body":{"type":"card"}}"#, ["sender"]),
        (#"{"type":"streamed_message","body":7}"#, ["body"]),
        (#"{"type":"streamed_message"}"#, ["body"]),
        (#"{"type":"streamed_message","body":{"id":1}}"#, ["body.type"]),
        (#"{"type":"streamed_message","body":{"type":"card","id":"x"}}"#, ["body.id"]),
        (#"{"type":"streamed_message","body":{"type":"card","data":[]}}"#, ["body.data"]),
        (
            #"{"type":"streamed_message","body":{"type":"card","data":{"card":"c","cardId":2}}}"#,
            ["body.data.cardId", "body.data.card"]
        ),
        (#"{"type":"card","data":{"cardId":2}}"#, ["data.cardId"]),
        (#"{"type":"auth","body":{"code":true}}"#, ["body.code", "body.status"]),
        (
            #"{"type":"message","body":{"category":"agentic","type":"tool-arguments","#
                + #""data":{"toolCalls":[{"function":{"arguments":{}}},3]}}}"#,
            ["body.data.toolCalls[1]", "body.data.toolCalls[0].function.arguments"]
        ),
        (#"{"type":"message","body":{"id":null,"parentId":""}}"#, []),
    ])
    func tellsMismatches(text: String, paths: [String]) throws {
        #expect(try Self.frame(text).allMismatches.map(\.path) == paths)
    }

    /// No message of the socket, wherever it is cut, makes the reader trip.
    @Test func readsEveryTruncation() {
        let bytes = Array(Self.streamed.utf8)
        for count in bytes.indices {
            guard case .notJSON = ServiceItem(Array(bytes[..<count])) else {
                Issue.record("\(count) bytes are JSON")
                continue
            }
        }
    }
}
