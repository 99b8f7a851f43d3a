import RepriseTape
import RepriseTransport
import RepriseWire

/// A message on its way and the answer to it, read as fast as it is asked for and no faster.
///
/// Nothing is sent before the first ``next()``. Dropping it ends the exchange.
actor AgoAnswer {
    private let client: AgoClient
    private let op: String
    private let content: String
    private let threadId: String?
    private var stage = Stage.idle
    private var call: OpenCall?
    private var state = AgoMessageState()
    private var sawData = false

    private enum Stage {
        /// Nothing is sent yet: to `reading` or `ended`.
        case idle
        /// The stream is open: to `ended`, or to `failing` where it is stopped at an error.
        case reading(Response, ResponseEvents.AsyncIterator)
        /// The stream was left at `ERROR`, which the next call throws: to `ended`.
        case failing(AgoError)
        /// Nothing more comes.
        case ended
    }

    init(_ client: AgoClient, op: String, content: String, threadId: String?) {
        self.client = client
        self.op = op
        self.content = content
        self.threadId = threadId
    }

    /// The answer so far.
    var message: Message { Message(state) }

    /// The next update; nil once the answer has come to its end.
    func next() async throws -> AgoUpdate? {
        do {
            return try await step()
        } catch {
            var failure = AgoError(wrapping: error)
            if state != AgoMessageState() { failure.partialMessage = message }
            stage = .ended
            call?.end(.failure(failure))
            throw failure
        }
    }

    private func step() async throws -> AgoUpdate? {
        switch stage {
        case .idle: try await open()
        case .failing(let error): throw error
        case .reading, .ended: break
        }
        guard case .reading(let response, var events) = stage else { return nil }
        while let data = try await read(&events) {
            guard let update = take(data) else { continue }
            stage = .reading(response, events)
            if client.options.stopsAtDone, state.isFinished { await stop(response, &events) }
            return update
        }
        try finish()
        return nil
    }
}

extension AgoAnswer {
    private func open() async throws {
        let identity = try client.identity()
        let number = client.announce(identity)
        var args: JSONObject = ["content": .string(content)]
        args["threadId"] = threadId.map { .string($0) }
        let call = OpenCall(
            op, args: .object(args), client: number, journal: client.context.journal)
        self.call = call
        let operation = AgoOperation(client: client, identity: identity, call: call.number)
        let request = try operation.message(content, threadId: threadId)
        let response = try await operation.send(request) { response in
            try await operation.stream(response)
        }
        stage = .reading(response, response.events.makeAsyncIterator())
    }

    /// What the data of an event changed; nil for a heartbeat and for what is no chunk, which is
    /// passed over as in the service's own kits.
    private func take(_ data: String) -> AgoUpdate? {
        switch AgoStreamItem(data: data) {
        case .heartbeat: return nil
        case .notJSON, .notObject:
            sawData = true
            return nil
        case .chunk(let chunk):
            sawData = true
            let change = state.apply(chunk)
            return AgoUpdate(state: state, textChange: change, tool: chunk.tool)
        }
    }

    /// Leaves the stream at a status that ends the answer, and waits until that has been done.
    private func stop(_ response: Response, _ events: inout ResponseEvents.AsyncIterator) async {
        response.body.cancel()
        while (try? await events.next(isolation: self)) != nil {}
        if let failure = failure() {
            stage = .failing(failure)
        } else {
            stage = .ended
            call?.end(.success(JSONDocument.json(message)))
        }
    }

    /// The stream has closed in order.
    private func finish() throws {
        if let failure = failure() { throw failure }
        stage = .ended
        call?.end(.success(JSONDocument.json(message)))
    }

    private func failure() -> AgoError? {
        if state.status == .error {
            return AgoError(.messageFailed, "the service failed to answer; send the message again")
        }
        if state.isFinished { return nil }
        if !sawData {
            return AgoError(
                .emptyReply,
                "the service answered with nothing, as it does for an agent that it does not know")
        }
        return AgoError(
            .streamCut,
            "the stream closed before the answer was complete; send the message again")
    }
}

extension AgoAnswer {
    /// The data of the next event; nil where the stream closed in order.
    private func read(_ events: inout ResponseEvents.AsyncIterator) async throws -> String? {
        do {
            while let element = try await events.next(isolation: self) {
                if case .event(let event) = element.item { return event.data }
            }
            return nil
        } catch {
            if error.how == .cancelled { throw error }
            var failure = AgoError(
                .streamCut, "the answer's stream was cut: \(error.message)")
            failure.transport = error
            throw failure
        }
    }
}
