import RepriseTransport
import RepriseWire

extension CometChatSession {
    /// Adds a listener to live events of agents, in the place of one with the same id.
    ///
    /// The tape tells it, and whether it was removed.
    public func addAIAssistantListener(
        _ id: String, _ delegate: any AIAssistantEventsDelegate
    ) {
        core.add(id, assistant: delegate)
    }

    /// Removes a listener to live events of agents.
    public func removeAIAssistantListener(_ id: String) { core.remove(id, .assistant) }

    /// Adds a listener to messages, in the place of one with the same id.
    ///
    /// The tape tells it, and whether it was removed.
    public func addMessageListener(_ id: String, _ delegate: any CometChatMessageDelegate) {
        core.add(id, message: delegate)
    }

    /// Removes a listener to messages.
    public func removeMessageListener(_ id: String) { core.remove(id, .message) }
}

extension SessionCore {
    func add(_ id: String, assistant delegate: (any AIAssistantEventsDelegate)?) {
        listeners.add(id, assistant: delegate)
        tellListener("addAIAssistantListener", id)
    }

    func add(_ id: String, message delegate: (any CometChatMessageDelegate)?) {
        listeners.add(id, message: delegate)
        tellListener("addMessageListener", id)
    }

    func remove(_ id: String, _ kind: ListenerHub.Kind) {
        listeners.remove(id, kind)
        tellListener(
            kind == .assistant ? "removeAIAssistantListener" : "removeMessageListener", id)
    }

    private func tellListener(_ op: String, _ id: String) {
        let client = tell(secrets: [])
        let call = context.journal.beginCall(op, args: ["id": .string(id)], client: client)
        context.journal.endCall(call, result: .null)
    }

    /// Takes over the listeners of another session.
    func adopt(_ other: SessionCore) {
        for listener in listeners.adopt(other.listeners) {
            let isAssistant = listener.kind == .assistant
            other.tellListener(
                isAssistant ? "removeAIAssistantListener" : "removeMessageListener", listener.id)
            tellListener(
                isAssistant ? "addAIAssistantListener" : "addMessageListener", listener.id)
        }
    }
}
