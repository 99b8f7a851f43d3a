import RepriseSupport
import RepriseTransport
import RepriseWire

extension CometChatSession {
    /// Sends a message.
    ///
    /// - Returns: The message as the service keeps it, with its id, and with its moderation's
    ///   status where it is moderated: `pending` at first, which a `moderated` update changes.
    @discardableResult
    public func send(_ message: OutgoingMessage) async throws -> ChatMessage {
        try await core.send(message, sink: nil).message
    }

    /// Sends a text to an agent and waits for the whole run that it starts, and for the messages
    /// that the service keeps of it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - agent: The agent's id.
    ///   - onUpdate: Runs for everything that comes of it, in order, in the task that reads the
    ///     socket: what takes time there holds the socket.
    /// - Returns: The run.
    /// - Throws: ``CometChatException``; where the run went wrong, with what came of it as its
    ///   `run`: `cometchat.runCut`, `cometchat.runTimeout`, `cometchat.messagesMissing`,
    ///   `cometchat.disapproved`.
    @discardableResult
    public func send(
        _ text: String, to agent: String,
        onUpdate: @escaping @Sendable (AgentRunUpdate) -> Void = { _ in }
    ) async throws -> AgentRun {
        let sent = try await core.send(OutgoingMessage(to: agent, .text(text)), sink: onUpdate)
        return try await core.run(of: sent.ticket)
    }

    /// Waits for the run that a message started, as ``send(_:to:onUpdate:)`` does.
    ///
    /// - Parameter messageId: The id of a message that this session has sent.
    @discardableResult
    public func run(of messageId: Int64) async throws -> AgentRun {
        let ticket = core.state.withLock { $0.book.ticket(ofMessage: messageId)?.number }
        guard let ticket else {
            throw CometChatException(
                .badArgument, "this session has sent no such message, or its run is told")
        }
        return try await core.run(of: ticket)
    }
}

extension SessionCore {
    /// A message that was sent.
    struct Sent: Sendable {
        let message: ChatMessage
        let ticket: UInt64

        var json: JSON { .object(message.body) }
    }

    func send(
        _ message: OutgoingMessage, sink: (@Sendable (AgentRunUpdate) -> Void)?
    ) async throws -> Sent {
        try await operation(
            message.op, message.args, result: \.json
        ) { operation in
            _ = try loggedIn()
            // A run may begin before the answer to its message is here.
            let now = context.clock.now()
            let ticket = state.withLock { state in
                let ticket = state.book.open(to: message.receiver, at: now)
                state.sinks[ticket] = sink
                return ticket
            }
            do {
                let sent = try await post(message, operation)
                let known = state.withLock { state in
                    _ = state.history.take(sent, with: message.receiver)
                    return state.book.sent(ticket, sent)
                }
                sink?(.sent(sent))
                if let known { sink?(.moderated(known)) }
                return Sent(message: sent, ticket: ticket)
            } catch {
                state.withLock { $0.book.close(ticket) }
                forget(ticket)
                throw error
            }
        }
    }

    private func post(
        _ message: OutgoingMessage, _ operation: CometChatOperation
    ) async throws -> ChatMessage {
        let muid = context.entropy.draw("muid", call: operation.call ?? 0) {
            SessionCore.randomHex()
        }
        var path = ["messages"]
        if let parent = message.parentId { path += [String(parent), "thread"] }
        let data = try await operation.data(
            try operation.request("POST", path, body: message.body(muid: muid)))
        guard let body = data.object else {
            throw CometChatException(.badReply, "the service's answer is no message")
        }
        return ChatMessage(body)
    }

    /// Nobody waits for the message's run any more.
    func forget(_ ticket: UInt64) {
        state.withLock { state in
            state.book.tell(ticket)
            state.sinks[ticket] = nil
            state.watchers[ticket] = nil
        }
    }
}
