import CometChatKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Listeners, and the vendor's global functions. One test, since they are global.
@Suite(.serialized) @MainActor struct DelegateTests {
    /// A listener that writes down what it is told.
    final class Listener: AIAssistantEventsDelegate, CometChatMessageDelegate {
        var events: [AIAssistantBaseEvent] = []
        var messages: [BaseMessage] = []
        var moderated: [String?] = []
        var isDone: (() -> Void)?

        func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) { events.append(event) }
        func onAIAssistantMessageReceived(_ message: AIAssistantMessage) {
            messages.append(message)
            isDone?()
        }
        func onAIToolResultMessageReceived(_ message: AIToolResultMessage) {
            messages.append(message)
        }
        func onAIToolArgumentsMessageReceived(_ message: AIToolArgumentMessage) {
            messages.append(message)
        }
        func onMessageModerated(moderatedMessage: BaseMessage) {
            moderated.append((moderatedMessage as? TextMessage)?.getModerationStatus())
        }

        /// Waits for the agent's reply.
        func reply() async {
            await withCheckedContinuation { continuation in
                isDone = {
                    self.isDone = nil
                    continuation.resume()
                }
            }
        }
    }

    @Test func tellsEverythingInItsClass() async throws {
        let live = try await LiveComet()
        let listener = Listener()
        live.session.addAIAssistantListener("events", listener)
        live.session.addMessageListener("messages", listener)
        try await live.logIn()
        async let reply: Void = listener.reply()
        _ = try await live.session.send(
            OutgoingMessage(
                to: LiveComet.agent,
                .text("Hi peer:tools=get_weather,cards=1,chunks=2,moderation=approved")))
        await reply
        live.session.removeAIAssistantListener("events")
        live.session.removeMessageListener("messages")
        try await live.session.logout()
        let recording = try live.close()
        let kinds = listener.events.filter { !($0 is AIAssistantToolArgumentEvent) }
        #expect(
            kinds.map { "\(type(of: $0))" } == [
                "AIAssistantRunStartedEvent", "AIAssistantToolStartedEvent",
                "AIAssistantToolEndedEvent", "AIAssistantToolResultEvent",
                "AIAssistantCardStartedEvent", "AIAssistantCardReceivedEvent",
                "AIAssistantCardEndedEvent", "AIAssistantRunStartedEvent",
                "AIAssistantContentReceivedEvent", "AIAssistantContentReceivedEvent",
                "AIAssistantMessageEndedEvent", "AIAssistantRunFinishedEvent",
            ])
        // The class of a text that begins is that of a run; its type is its own.
        #expect(kinds[0].type == "run_started")
        #expect(kinds[7].type == "text_message_start")
        #expect(kinds[10].type == "text_message_end")
        #expect(Set(kinds.map(\.id)).count == 1)
        let card = try #require(kinds[5] as? AIAssistantCardReceivedEvent)
        #expect(card.getCard()?["fallbackText"] as? String == "Day 1")
        #expect(card.cardId == (kinds[4] as? AIAssistantCardStartedEvent)?.cardId)
        #expect(
            listener.messages.map { "\(type(of: $0))" } == [
                "AIToolArgumentMessage", "AIToolResultMessage", "AIAssistantMessage",
            ])
        let elements = (listener.messages.last as? AIAssistantMessage)?.getElements()
        #expect(elements?.map { $0.getType() } == ["card", "text"])
        #expect(elements?.last?.getData() as? String != nil)
        #expect((elements?.first?.getData() as? [String: Any])?["cardId"] as? String == card.cardId)
        #expect(listener.moderated == ["approved"])
        guard case .result(let facts)? = recording.calls.last?.outcome else {
            Issue.record("no result")
            return
        }
        #expect(facts["listeners"] == [])
        // The run that nobody waited for is told there.
        #expect(facts["runs"]?.array?.count == 1)
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// Listeners are not kept alive, and one that is not removed is told, also where it is gone.
    @Test func holdsListenersWeakly() async throws {
        let live = try await LiveComet()
        try await live.logIn()
        weak var gone: Listener?
        do {
            let listener = Listener()
            gone = listener
            live.session.addAIAssistantListener("gone", listener)
        }
        #expect(gone == nil)
        let kept = Listener()
        live.session.addMessageListener("kept", kept)
        live.session.addMessageListener("kept", kept)
        live.session.addAIAssistantListener("removed", kept)
        live.session.removeAIAssistantListener("removed")
        live.session.removeAIAssistantListener("never there")
        try await live.session.logout()
        let recording = try live.close()
        guard case .result(let facts)? = recording.calls.last?.outcome else {
            Issue.record("no result")
            return
        }
        #expect(
            facts["listeners"] == [
                ["id": "gone", "kind": "assistant"], ["id": "kept", "kind": "message"],
            ])
        let notes = recording.frames.compactMap { frame -> String? in
            guard case .note(let text)? = try? frame.content() else { return nil }
            return text
        }
        #expect(
            notes == [
                #"cometchat.listener.leaked {"id":"gone","kind":"assistant"}"#,
                #"cometchat.listener.leaked {"id":"kept","kind":"message"}"#,
            ])
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// The vendor's functions over a session.
    @Test func speaksAsTheVendorDoes() async throws {
        let early = Listener()
        CometChat.addAIAssistantListener("early", early)
        let failure = await withCheckedContinuation { continuation in
            CometChat.login(
                authToken: "t", onSuccess: { _ in },
                onError: { continuation.resume(returning: $0) })
        }
        #expect(failure.errorCode == "cometchat.notInitialized")
        let live = try await LiveComet()
        let settings = AppSettings.AppSettingsBuilder().subscribePresenceForAllUsers()
            .setRegion(region: "eu").setBaseURL(live.session.baseURL)
            .setSocketURL(live.session.socketURL).build()
        let isSetUp = await withCheckedContinuation { continuation in
            CometChat.init(
                appId: "app1", appSettings: settings, transport: live.transport,
                options: LiveComet.options, onSuccess: { continuation.resume(returning: $0) })
        }
        #expect(isSetUp)
        let user = try await called {
            CometChat.login(authToken: live.token, onSuccess: $0, onError: $1)
        }
        #expect(user == CometChat.getLoggedInUser())
        CometChat.addMessageListener("late", early)
        let message = TextMessage(
            receiverUid: LiveComet.agent, text: "Hi peer:chunks=2", receiverType: .user)
        #expect(message.id == 0)
        async let reply: Void = early.reply()
        let id: Int = try await called { success, failure in
            CometChat.sendTextMessage(message: message) { sent in
                #expect(sent.text.hasPrefix("Hi"))
                #expect(sent.getModerationStatus() == "approved")
                success(sent.id)
            } onError: {
                failure($0 ?? CometChatException(.badReply, "none"))
            }
        }
        #expect(id > 100)
        await reply
        #expect(early.events.last?.type == "run_finished")
        #expect((early.messages.last as? AIAssistantMessage)?.text.isEmpty == false)
        let summary: String = try await called { success, failure in
            CometChat.getConversationSummary(
                receiverId: LiveComet.agent, receiverType: .user, onSuccess: success
            ) { failure($0 ?? CometChatException(.badReply, "none")) }
        }
        #expect(!summary.isEmpty)
        CometChat.removeAIAssistantListener("early")
        CometChat.removeMessageListener("late")
        _ = try await called { CometChat.logout(onSuccess: $0, onError: $1) }
        #expect(CometChat.getLoggedInUser() == nil)
        let recording = try live.close()
        #expect(
            recording.calls.map(\.op) == [
                "addAIAssistantListener", "login", "addMessageListener", "sendTextMessage",
                "conversationSummary", "removeAIAssistantListener", "removeMessageListener",
                "logout",
            ])
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// What a function calls back with.
    private func called<Value: Sendable>(
        _ body: (
            @escaping @MainActor @Sendable (Value) -> Void,
            @escaping @MainActor @Sendable (CometChatException) -> Void
        ) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            body({ continuation.resume(returning: $0) }, { continuation.resume(throwing: $0) })
        }
    }
}
