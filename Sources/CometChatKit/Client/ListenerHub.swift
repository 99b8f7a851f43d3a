import RepriseSupport
import RepriseTransport
import RepriseWire

/// Who listens to a session. Listeners are held weakly, and told on the main actor, one after the
/// other in the order in which things came.
final class ListenerHub: Sendable {
    /// What a listener listens to.
    enum Kind: String, Sendable {
        case assistant
        case message
    }

    /// A listener that was added and not removed.
    struct Registration: Sendable, Hashable {
        let kind: Kind
        let id: String

        var json: JSON { ["id": .string(id), "kind": .string(kind.rawValue)] }
    }

    private struct State: Sendable {
        var order: [Registration] = []
        var assistants: [String: Weak<any AIAssistantEventsDelegate>] = [:]
        var messages: [String: Weak<any CometChatMessageDelegate>] = [:]
        var deliveries: AsyncStream<Delivery>.Continuation?
        var isOver = false
    }

    private enum Delivery: Sendable {
        case event(AgentEvent, [Weak<any AIAssistantEventsDelegate>])
        case message(ChatMessage, [Weak<any CometChatMessageDelegate>])
        case moderated(ChatMessage, [Weak<any CometChatMessageDelegate>])
    }

    private let context: SessionContext
    private let state = Locked(State())

    init(_ context: SessionContext) { self.context = context }

    /// What was added and not removed, in the order of adding.
    var remaining: [Registration] { state.withLock { $0.order } }

    /// Adds a listener in the place of one with the same id.
    func add(_ id: String, assistant listener: (any AIAssistantEventsDelegate)?) {
        add(Registration(kind: .assistant, id: id)) { $0.assistants[id] = Weak(listener) }
    }

    /// Adds a listener in the place of one with the same id.
    func add(_ id: String, message listener: (any CometChatMessageDelegate)?) {
        add(Registration(kind: .message, id: id)) { $0.messages[id] = Weak(listener) }
    }

    private func add(_ registration: Registration, _ change: (inout State) -> Void) {
        state.withLock { state in
            if !state.order.contains(registration) { state.order.append(registration) }
            change(&state)
        }
    }

    /// Removes a listener, if there is one with that id.
    func remove(_ id: String, _ kind: Kind) {
        state.withLock { state in
            state.order.removeAll { $0 == Registration(kind: kind, id: id) }
            switch kind {
            case .assistant: state.assistants[id] = nil
            case .message: state.messages[id] = nil
            }
        }
    }

    /// Takes over the listeners of another one, which has none then.
    func adopt(_ other: ListenerHub) -> [Registration] {
        let taken = other.state.withLock { state in
            defer { (state.order, state.assistants, state.messages) = ([], [:], [:]) }
            return (state.order, state.assistants, state.messages)
        }
        state.withLock { state in
            state.order = taken.0
            state.assistants = taken.1
            state.messages = taken.2
        }
        return taken.0
    }

    /// Nobody is told anything more.
    func finish() {
        state.withLock { state in
            state.isOver = true
            state.deliveries?.finish()
            state.deliveries = nil
        }
    }
}

/// Somebody who may be gone.
struct Weak<Object: Sendable>: Sendable {
    private final class Box: Sendable {
        let get: @Sendable () -> Object?
        init(_ get: @escaping @Sendable () -> Object?) { self.get = get }
    }

    private let box: Box

    var object: Object? { box.get() }
}

extension Weak where Object == any AIAssistantEventsDelegate {
    init(_ object: Object?) {
        box = Box { [weak object] in object }
    }
}

extension Weak where Object == any CometChatMessageDelegate {
    init(_ object: Object?) {
        box = Box { [weak object] in object }
    }
}

extension ListenerHub {
    func tell(_ event: AgentEvent) {
        deliver { state in
            let listeners = state.order.compactMap { entry in
                entry.kind == .assistant ? state.assistants[entry.id] : nil
            }
            return listeners.contains { $0.object != nil } ? .event(event, listeners) : nil
        }
    }

    func tell(_ message: ChatMessage) {
        guard message.agenticKind != nil || message.category == "message" else { return }
        deliver { state in
            let listeners = Self.messageListeners(state)
            return listeners.isEmpty ? nil : .message(message, listeners)
        }
    }

    func tell(moderated message: ChatMessage) {
        deliver { state in
            let listeners = Self.messageListeners(state)
            return listeners.isEmpty ? nil : .moderated(message, listeners)
        }
    }

    private static func messageListeners(
        _ state: State
    ) -> [Weak<any CometChatMessageDelegate>] {
        let listeners = state.order.compactMap { entry in
            entry.kind == .message ? state.messages[entry.id] : nil
        }
        return listeners.contains { $0.object != nil } ? listeners : []
    }

    /// Hands on what `make` makes, if there is somebody to hand it to.
    private func deliver(_ make: (State) -> Delivery?) {
        state.withLock { state in
            guard !state.isOver, let delivery = make(state) else { return }
            let deliveries = state.deliveries ?? start()
            state.deliveries = deliveries
            deliveries.yield(delivery)
        }
    }

    /// Begins to tell listeners; not before there is one, since the main actor's time is not a
    /// replay's.
    private func start() -> AsyncStream<Delivery>.Continuation {
        let (stream, continuation) = AsyncStream<Delivery>.makeStream()
        let _: Task<Void, any Error> = context.startTask { [context] in
            for await delivery in stream {
                await context.onMainActor { Self.perform(delivery) }
            }
        }
        return continuation
    }

    @MainActor private static func perform(_ delivery: Delivery) {
        switch delivery {
        case .event(let event, let listeners):
            let event = AIAssistantBaseEvent.make(event)
            for listener in listeners { listener.object?.onAIAssistantEventReceived(event) }
        case .message(let message, let listeners):
            for listener in listeners { listener.object.map { message.tell($0) } }
        case .moderated(let message, let listeners):
            let message = BaseMessage.make(message)
            for listener in listeners {
                listener.object?.onMessageModerated(moderatedMessage: message)
            }
        }
    }
}

extension ChatMessage {
    @MainActor fileprivate func tell(_ listener: any CometChatMessageDelegate) {
        switch BaseMessage.make(self) {
        case let message as AIAssistantMessage: listener.onAIAssistantMessageReceived(message)
        case let message as AIToolResultMessage: listener.onAIToolResultMessageReceived(message)
        case let message as AIToolArgumentMessage:
            listener.onAIToolArgumentsMessageReceived(message)
        case let message as TextMessage: listener.onTextMessageReceived(textMessage: message)
        case let message as MediaMessage: listener.onMediaMessageReceived(mediaMessage: message)
        default: break
        }
    }
}
