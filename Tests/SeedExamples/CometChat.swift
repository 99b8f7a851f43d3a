// swift-format-ignore-file

import CometChatKit

// The samples of the vendor's page on AI agents for its iOS kit, as they stand there but for the
// import, each in the place that it is written for.

/// The page's quick reference.
final class CometChatQuickReference: AIAssistantEventsDelegate, CometChatMessageDelegate {
    func listen() {
        // Listen for real-time AI Agent events (streaming)
        CometChat.addAIAssistantListener("LISTENER_ID", self)
    }

    // Listen for persisted agentic messages
    // Conform to CometChatMessageDelegate
    func onAIAssistantMessageReceived(_ msg: AIAssistantMessage) { }
    func onAIToolResultMessageReceived(_ msg: AIToolResultMessage) { }
    func onAIToolArgumentsMessageReceived(_ msg: AIToolArgumentMessage) { }

    func cleanUp() {
        // Cleanup
        CometChat.removeAIAssistantListener("LISTENER_ID")
        CometChat.removeMessageListener("LISTENER_ID")
    }
}

/// Sending a message to an agent.
@MainActor
func sendToCometChatAgent() {
    let agentUID = "ai-agent-uid"
    let textMessage = TextMessage(
        receiverUid: agentUID,
        text: "What's the weather today?",
        receiverType: .user
    )

    CometChat.sendTextMessage(message: textMessage) { sentMessage in
        print("Message sent to agent")
    } onError: { error in
        print("Error: \(error?.errorDescription)")
    }
}

class AIAssistantEventHandler: AIAssistantEventsDelegate {
    
    private let sdkStreamListenerId = "unique_listener_id"
    
    func addListener() {
        CometChat.addAIAssistantListener(sdkStreamListenerId, self)
    }
    
    func removeListener() {
        CometChat.removeAIAssistantListener(sdkStreamListenerId)
    }
    
    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
        print("Received AI Event: \(event.type) for Run ID: \(event.id)")
    }
}

func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
    switch event {
    case let started as AIAssistantCardStartedEvent:
        let cardId = started.cardId
        let label = started.executionText   // e.g. "Building card…"
    case let received as AIAssistantCardReceivedEvent:
        let cardId = received.cardId
        let card = received.getCard()        // full card payload
    case let ended as AIAssistantCardEndedEvent:
        // card stream for ended.cardId is complete
        break
    default:
        break
    }
}

let listenerId = "unique_listener_id"

class MessageHandler: CometChatMessageDelegate {
    
    // CometChat.addMessageListener(listenerId, self)
    
    func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage) {
        print("AI Assistant Message Received: \(aiAssistantMessage)")
    }
    
    func onAIToolResultMessageReceived(_ aiToolResultMessage: AIToolResultMessage) {
        print("AI Tool Result Message Received: \(aiToolResultMessage)")
    }
    
    func onAIToolArgumentsMessageReceived(_ aiToolArgumentMessage: AIToolArgumentMessage) {
        print("AI Tool Arguments Message Received: \(aiToolArgumentMessage)")
    }
}

func render(_ message: AIAssistantMessage, renderText: (String) -> Void, renderCard: (Any?) -> Void) {
    if let elements = message.getElements(), !elements.isEmpty {
        for element in elements {
            switch element.getType() {
            case "text":
                renderText(String(describing: element.getData() ?? ""))
            case "card":
                renderCard(element.getData())
            default:
                break
            }
        }
    } else {
        renderText(message.text)
    }
}

/// Setting up, as the vendor's page on that has it.
@MainActor
func setUpCometChat() {
    let mySettings = AppSettings.AppSettingsBuilder().subscribePresenceForAllUsers().setRegion(region: "eu").build()
    CometChat.init(appId: "APP_ID", appSettings: mySettings, onSuccess: { (isSuccess) in
        print("set up")
    }) { (error) in
        print("failed with error: \(error.errorDescription ?? "")")
    }
    CometChat.login(authToken: "TOKEN", onSuccess: { (user) in
        print("Login successful : " + user.stringValue())
    }) { (error) in
        print(error.errorCode)
    }
    CometChat.logout(onSuccess: { (response) in print(response) }) { (error) in print(error.errorCode) }
}
