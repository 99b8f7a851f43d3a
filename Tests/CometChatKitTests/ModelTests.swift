import CometChatKit
import RepriseWire
import Testing

/// Events and messages in the vendor's classes.
@Suite struct ModelTests {
    @Test func everyKindHasItsClass() throws {
        let classes = try AgentEventTests.run.map {
            "\(type(of: AIAssistantBaseEvent.make(try AgentEventTests.event($0))))"
        }
        #expect(
            classes == [
                "AIAssistantRunStartedEvent", "AIAssistantToolStartedEvent",
                "AIAssistantToolArgumentEvent", "AIAssistantToolArgumentEvent",
                "AIAssistantToolEndedEvent", "AIAssistantToolResultEvent",
                "AIAssistantCardStartedEvent", "AIAssistantCardReceivedEvent",
                "AIAssistantCardEndedEvent", "AIAssistantRunStartedEvent",
                "AIAssistantContentReceivedEvent", "AIAssistantContentReceivedEvent",
                "AIAssistantMessageEndedEvent", "AIAssistantRunFinishedEvent",
            ])
        let unknown = AIAssistantBaseEvent.make(
            try AgentEventTests.event(#"{"type":"agent_mood","id":4,"data":{"mood":"sunny"}}"#))
        #expect("\(type(of: unknown))" == "AIAssistantBaseEvent")
        #expect(unknown.type == "agent_mood")
        #expect((unknown.getRawData()["data"] as? [String: Any])?["mood"] as? String == "sunny")
        #expect("\(unknown)" == "AIAssistantBaseEvent(agent_mood, run 4)")
    }

    @Test func eventsHaveTheirFields() throws {
        let events = try AgentEventTests.run.map {
            AIAssistantBaseEvent.make(try AgentEventTests.event($0))
        }
        let started = try #require(events[1] as? AIAssistantToolStartedEvent)
        #expect(started.id == 9001)
        #expect(started.runId == 9001)
        #expect(started.threadId == "th-1")
        #expect(started.toolCallId == "tc-1")
        #expect(started.toolCallName == "find_store")
        #expect(started.displayName == "Store finder")
        #expect(started.executionText == "Looking nearby")
        #expect(started.streamParentMessageId == "sm-0")
        #expect((events[2] as? AIAssistantToolArgumentEvent)?.delta == #"{"zip":"04"#)
        #expect((events[4] as? AIAssistantToolEndedEvent)?.arguments == #"{"zip":"04109"}"#)
        let result = try #require(events[5] as? AIAssistantToolResultEvent)
        #expect(
            [result.content, result.role, result.streamMessageId] == ["2 stores", "tool", "sm-t"])
        let card = try #require(events[7] as? AIAssistantCardReceivedEvent)
        #expect(card.getCard()?["version"] as? String == "1.0")
        #expect((card.getCard()?["body"] as? [Any])?.isEmpty == true)
        let end = try #require(events[12] as? AIAssistantMessageEndedEvent)
        #expect(end.type == "text_message_end")
        #expect(end.messageId == "sm-2")
    }

    @Test func messagesHaveTheirClass() throws {
        let make = { (body: String) in BaseMessage.make(try ChatMessageTests.message(body)) }
        let reply = try #require(
            try make(
                """
                {"id":5,"category":"agentic","type":"assistant","data":{"text":"t","elements":\
                [{"type":"text","value":"a"},{"type":"card","value":{"cardId":"c","n":[1,2.5,null]}},\
                {"type":"chart"}]}}
                """) as? AIAssistantMessage)
        #expect(reply.id == 5)
        #expect(reply.runId == -1)
        #expect(reply.text == "t")
        let elements = try #require(reply.getElements())
        #expect(elements.map { $0.getType() } == ["text", "card", "chart"])
        #expect(elements[0].getData() as? String == "a")
        let data = try #require(elements[1].getData() as? [String: Any])
        #expect(data["cardId"] as? String == "c")
        let numbers = try #require(data["n"] as? [Any])
        #expect(numbers[0] as? Int == 1)
        #expect(numbers[1] as? Double == 2.5)
        #expect(elements[2].getData() == nil)
        #expect("\(reply)" == "AIAssistantMessage(agentic/assistant, id 5)")
        let calls = try #require(
            try make(
                #"{"category":"agentic","type":"tool-arguments","data":{"runId":3,"toolCalls":"#
                    + #"[{"id":"t","function":{"name":"n","arguments":"{}"}}]}}"#)
                as? AIToolArgumentMessage)
        #expect(calls.runId == 3)
        #expect(calls.toolCalls.map { "\($0.id) \($0.name) \($0.arguments)" } == ["t n {}"])
        let plain = try make(#"{"category":"agentic","type":"assistant","data":{"text":"t"}}"#)
        #expect((plain as? AIAssistantMessage)?.getElements() == nil)
        #expect(try make(#"{"category":"message","type":"text"}"#) is TextMessage)
        #expect(try make(#"{"category":"message","type":"video"}"#) is MediaMessage)
        #expect(try make(#"{"category":"custom","type":"poll"}"#) is CustomMessage)
        #expect("\(type(of: try make(#"{"category":"call","type":"audio"}"#)))" == "BaseMessage")
    }

    @Test func messagesToBeSent() throws {
        let text = TextMessage(receiverUid: "a", text: "Hi", receiverType: .group)
        text.metaData = ["k": 1, "a": ["b": nil as Int? as Any, "c": true]]
        text.tags = ["x"]
        text.parentMessageId = 7
        let outgoing = try #require(text.outgoing)
        #expect(outgoing.receiver == "a")
        #expect(outgoing.receiverType == .group)
        #expect(outgoing.parentId == 7)
        #expect(outgoing.metadata == ["a": ["b": nil, "c": true], "k": 1])
        #expect(outgoing.tags == ["x"])
        #expect(text.text == "Hi")
        // What a tape says of a message is enough to send it again.
        for message in [
            outgoing, OutgoingMessage(to: "a", .media(url: "u", type: "file")),
            OutgoingMessage(to: "a", .custom(["d": 1], type: "t")),
        ] {
            #expect(OutgoingMessage(op: message.op, args: message.args) == message)
        }
        #expect(OutgoingMessage(op: "sendTextMessage", args: ["receiver": "a"]) == nil)
        #expect(OutgoingMessage(op: "sendPoll", args: outgoing.args) == nil)
    }

    @Test func settingsNameTheVendorsHosts() {
        let settings = AppSettings.AppSettingsBuilder().setRegion(region: "eu").build()
        #expect(settings.baseURL(of: "app") == "https://app.apiclient-eu.cometchat.io/v3.0")
        #expect(settings.socketURL(of: "app") == "wss://app.websocket-eu.cometchat.io")
        #expect(AppSettings(baseURL: "http://h/v3/").baseURL(of: "app") == "http://h/v3")
    }
}
