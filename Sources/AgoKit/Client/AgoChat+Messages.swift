import RepriseTransport

extension AgoChat {
    /// Sends a message and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - content: The text.
    ///   - threadId: The conversation to go on with; nil begins one, whose id the answer has.
    /// - Returns: The answer: complete, or with status `canceled` or `waitingClient` as it stands.
    /// - Throws: ``AgoError``, with what came of the answer as its `partialMessage`.
    @discardableResult
    public func sendMessage(content: String, threadId: String? = nil) async throws -> Message {
        let answer = AgoAnswer(client, op: "sendMessage", content: content, threadId: threadId)
        while try await answer.next() != nil {}
        return await answer.message
    }

    /// Sends a message and gives the answer as it comes.
    ///
    /// The message is sent when the first update is asked for, and the stream is read no faster
    /// than updates are taken. Cancelling the task that reads, or dropping the stream, ends the
    /// exchange; as with all of Swift's streams, a cancelled one ends without an error where no
    /// update is being waited for, so that `Task.isCancelled` is to be asked behind the loop. After `DONE`, the title and the follow-up replies may still come, unless
    /// ``AgoOptions/stopsAtDone`` is set.
    ///
    /// - Parameters:
    ///   - content: The text.
    ///   - threadId: The conversation to go on with; nil begins one.
    /// - Returns: One update for each chunk that is no heartbeat; it throws ``AgoError``.
    public func streamMessage(
        content: String, threadId: String? = nil
    ) -> AsyncThrowingStream<AgoUpdate, any Error> {
        let answer = AgoAnswer(client, op: "streamMessage", content: content, threadId: threadId)
        return AsyncThrowingStream { try await answer.next() }
    }

    /// Sends a message and calls back as the answer comes.
    ///
    /// In the end exactly one of `onComplete` and `onError` is called, once. Where the service's
    /// Kotlin sample calls `onComplete` at `DONE` and leaves the stream, this reads on to the
    /// close for the title and the follow-up replies, and calls it then; with
    /// ``AgoOptions/stopsAtDone`` it does as the sample does.
    ///
    /// - Parameters:
    ///   - content: The text.
    ///   - threadId: The conversation to go on with; nil begins one.
    ///   - onContentUpdate: Given the whole text so far, each time it has grown or was replaced.
    ///   - onComplete: The answer has come to its end.
    ///   - onError: The answer failed; given the message of the ``AgoError``.
    /// - Returns: The task that the callbacks are called in; cancelling it ends the exchange.
    @discardableResult
    public func sendMessage(
        content: String, threadId: String? = nil,
        onContentUpdate: @escaping @Sendable (String) -> Void,
        onComplete: @escaping @Sendable () -> Void,
        onError: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
        let answer = AgoAnswer(client, op: "sendMessage", content: content, threadId: threadId)
        return client.context.startTask {
            do {
                while let update = try await answer.next() {
                    if update.textChange != .none { onContentUpdate(update.text) }
                }
                onComplete()
            } catch {
                onError(AgoError(wrapping: error).message)
            }
        }
    }
}
