import RepriseSupport
import RepriseTransport
import RepriseWire

extension SessionCore {
    /// Takes a text message of the socket in.
    ///
    /// - Returns: The service's answer to who the client is, if that is what it is.
    func take(_ bytes: [UInt8], at time: Int64) -> ServiceFrame.AuthReply? {
        // What is no frame is passed over, as in the vendor's clients.
        guard case .frame(let frame) = ServiceItem(bytes),
            !frame.isEcho(of: state.withLock { $0.deviceId } ?? "")
        else { return nil }
        switch frame.content {
        case .auth(let reply): return reply
        case .pong: state.withLock { $0.link.pongTime = time }
        case .event(let event): take(event, of: frame, at: time)
        case .message(let message): take(message, isRecovered: false, at: time)
        case .moderation(let message): take(moderated: message, at: time)
        case .other: break
        }
        return nil
    }

    private func take(_ event: AgentEvent, of frame: ServiceFrame, at time: Int64) {
        let received = ReceivedEvent(
            event: event, agent: frame.sender, run: event.runKey, time: time)
        // The vendor's clients drop what they do not know.
        if event.kind?.isKnown == true {
            tell(.event(received)) { $0.book.take(event, from: frame.sender, at: time) }
        }
        updates.send(.event(received))
        listeners.tell(event)
    }

    /// Takes a message in, live or fetched; one that is known is passed over.
    ///
    /// - Returns: Whether it was new.
    @discardableResult
    func take(_ message: ChatMessage, isRecovered: Bool, at time: Int64) -> Bool {
        let isNew = state.withLock { state in
            state.history.take(message, with: other(than: state.user?.uid, in: message))
        }
        guard isNew else { return false }
        let isAgentic = message.agenticKind != nil
        let received = ReceivedMessage(
            message: message, run: isAgentic ? message.runId : nil, isRecovered: isRecovered,
            time: time)
        if isAgentic {
            tell(.message(received)) {
                $0.book.take(message, isRecovered: isRecovered, at: time)
            }
        }
        updates.send(.message(received))
        listeners.tell(message)
        return true
    }

    private func take(moderated message: ChatMessage, at time: Int64) {
        tell(.moderated(message.moderation)) { $0.book.take(moderated: message) }
        updates.send(
            .moderated(
                ReceivedMessage(message: message, run: nil, isRecovered: false, time: time)))
        listeners.tell(moderated: message)
    }

    /// The other side of a message; its group where it is in one.
    private func other(than uid: String?, in message: ChatMessage) -> String {
        if message.receiverType == "group" { return "" }
        return message.sender == uid ? message.receiver : message.sender
    }

    /// Changes the state, and tells those who want to know what comes of the message that `change`
    /// names.
    func tell(
        _ update: AgentRunUpdate, _ change: (inout State) -> UInt64?
    ) {
        let (sink, watcher) = state.withLock { state in
            let number = change(&state)
            return (number.flatMap { state.sinks[$0] }, number.flatMap { state.watchers[$0] })
        }
        sink?(update)
        watcher?.yield()
    }
}
