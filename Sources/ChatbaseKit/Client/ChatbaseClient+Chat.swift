import RepriseTransport
import RepriseWire

extension ChatbaseClient {
    /// Sends a message, runs the tools that the agent asks for, and waits for the whole reply.
    ///
    /// - Parameters:
    ///   - message: The text.
    ///   - conversationId: The conversation to go on with; nil begins one.
    ///   - configure: Sets the callbacks.
    /// - Returns: The reply.
    /// - Throws: ``APIError`` and ``ChatError``; `CancellationError` where the task or a tool's
    ///   handler was cancelled.
    @discardableResult
    public func send(
        _ message: String, conversationId: String? = nil,
        configure: @Sendable (inout StreamCallbacks) -> Void = { _ in }
    ) async throws -> ChatResponse {
        try await run(.send("send", message, conversationId), configure)
    }

    /// Has the agent answer again, in the place of one of its messages and all that follow it.
    ///
    /// - Parameters:
    ///   - conversationId: The conversation.
    ///   - messageId: The agent's message.
    ///   - configure: Sets the callbacks.
    /// - Returns: The reply.
    /// - Throws: As ``send(_:conversationId:configure:)``.
    @discardableResult
    public func retry(
        conversationId: String, messageId: String,
        configure: @Sendable (inout StreamCallbacks) -> Void = { _ in }
    ) async throws -> ChatResponse {
        let args: JSONObject = [
            "conversationId": .string(conversationId), "messageId": .string(messageId),
        ]
        let opening = ChatbaseTurn.Opening(
            op: "retry", args: args, conversationId: conversationId, retried: messageId)
        return try await run(opening, configure)
    }

    /// Sends a message and gives the events of the reply as they come, over all its streams.
    ///
    /// The message is sent when the first event is asked for, and the streams are read, and tools
    /// run, no faster than events are taken. Cancelling the task that reads, or dropping the
    /// sequence, ends the exchange; as with all of Swift's streams, a cancelled one ends without an
    /// error where no event is being waited for, so that `Task.isCancelled` is to be asked behind
    /// the loop.
    ///
    /// - Parameters:
    ///   - message: The text.
    ///   - conversationId: The conversation to go on with; nil begins one.
    /// - Returns: The events. There is a `toolOutput` for the app's tools too, once their result
    ///   was submitted, and a `finished` for each stream. It throws as
    ///   ``send(_:conversationId:configure:)``.
    public func stream(
        _ message: String, conversationId: String? = nil
    ) -> AsyncThrowingStream<StreamEvent, any Error> {
        let turn = ChatbaseTurn(self, .send("stream", message, conversationId))
        return AsyncThrowingStream {
            while let step = try await turn.next() {
                if case .event(let event) = step { return event }
            }
            return nil
        }
    }

    private func run(
        _ opening: ChatbaseTurn.Opening, _ configure: @Sendable (inout StreamCallbacks) -> Void
    ) async throws -> ChatResponse {
        var callbacks = StreamCallbacks()
        configure(&callbacks)
        let turn = ChatbaseTurn(self, opening)
        while let step = try await turn.next() { await callbacks.tell(step) }
        return await turn.response
    }
}

extension StreamCallbacks {
    /// Calls what is set for the step, and waits for it.
    fileprivate func tell(_ step: TurnStep) async {
        switch step {
        case .event(.textChunk(let text)): await onTextDelta?(text)
        case .call(let info): await onToolCall?(info)
        case .result(let info): await onToolResult?(info)
        case .event: break
        }
    }
}

extension ChatbaseTurn.Opening {
    static func send(_ op: String, _ message: String, _ conversationId: String?) -> Self {
        var args: JSONObject = ["message": .string(message)]
        args["conversationId"] = conversationId.map { .string($0) }
        return Self(op: op, args: args, conversationId: conversationId)
    }
}
