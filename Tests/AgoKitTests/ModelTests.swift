import AgoKit
import Foundation
import Testing

@Suite struct ModelTests {
    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test(arguments: [
        #"{"id":"t","title":"T","last_message_date":"d","created_at":"c"}"#,
        #"{"id":"t","title":"T","last_message_at":"d","created_at":"c","unknown":1}"#,
    ])
    func readsThreads(text: String) throws {
        let thread = AgoKit.Thread(id: "t", title: "T", lastMessageDate: "d", createdAt: "c")
        #expect(try Self.decode(AgoKit.Thread.self, text) == thread)
    }

    @Test(arguments: [
        #"{"messages":[{"id":"m","content":"c","role":"user"}],"thread":{"id":"t","title":"T"}}"#,
        #"{"id":"t","title":"T","messages":[{"id":"m","content":"c","role":"user","agent":null}]}"#,
    ])
    func readsConversationsOfBothForms(text: String) throws {
        let response = try Self.decode(MessagesResponse.self, text)
        #expect(response.thread == AgoKit.Thread(id: "t", title: "T"))
        let message = Message(
            id: "m", content: "c", role: "user", agent: nil, knowledgeSources: nil)
        #expect(response.messages == [message])
        let again = try JSONDecoder().decode(
            MessagesResponse.self, from: try JSONEncoder().encode(response))
        #expect(again == response)
    }

    @Test func readsMessagesOfTheWebForm() throws {
        let message = try Self.decode(
            Message.self,
            """
            {"id":"m","content":"c","role":"assistant","status":"DONE","created_at":"d",\
            "follow_up_replies":["f"],"tool_call_data":[{"id":"x"}],"attachments":[],\
            "knowledge_sources":[{"knowledge_document":{"id":"k","title":"K"}}]}
            """)
        #expect(message.status == .done)
        #expect(message.createdAt == "d")
        #expect(message.followUpReplies == ["f"])
        #expect(message.knowledgeSources?.first?.id == "k")
    }

    @Test func encodesWithTheKeysOfTheWire() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let message = Message(
            id: "m", content: "c", role: "assistant", agent: Agent(id: "a", name: "n"),
            knowledgeSources: [
                KnowledgeSource(
                    id: "s",
                    knowledgeDocument: KnowledgeDocument(
                        id: "d", title: "t", externalLinkUrl: "https://e/", internalLinkUrl: "i"))
            ], status: .done)
        let text = String(decoding: try encoder.encode(message), as: UTF8.self)
        #expect(
            text == """
                {"agent":{"id":"a","name":"n"},"content":"c","id":"m","knowledge_sources":\
                [{"id":"s","knowledge_document":{"external_link_url":"https://e/","id":"d",\
                "internal_link_url":"i","title":"t"}}],"role":"assistant","status":"DONE"}
                """)
        let ticket = try encoder.encode(TicketResponse(id: "i", ticketUrl: "u"))
        #expect(String(decoding: ticket, as: UTF8.self) == #"{"id":"i","ticket_url":"u"}"#)
    }
}
