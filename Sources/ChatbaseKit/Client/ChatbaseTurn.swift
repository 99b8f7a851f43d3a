import RepriseTape
import RepriseTransport
import RepriseWire

/// A message on its way and the reply to it over all its streams, tools run between them, read as
/// fast as it is asked for and no faster.
///
/// Nothing is sent before the first ``next()``. Dropping it ends the exchange.
actor ChatbaseTurn {
    private let client: ChatbaseClient
    private let opening: Opening
    private var state: TurnState
    private var stage = Stage.idle
    private var ready: [TurnStep] = []
    private var operation: ChatbaseOperation?
    private var call: OpenCall?

    /// What opens the turn.
    struct Opening: Sendable {
        /// The operation's name in the journal.
        var op: String
        /// Its arguments there.
        var args: JSONObject
        /// The conversation, where one is gone on with.
        var conversationId: String?
        /// The message to answer again; nil for a new one, whose text is among the arguments.
        var retried: String?
    }

    private enum Stage {
        /// Nothing is sent yet: to `reading`.
        case idle
        /// A stream is open: to `answering`, or to `ended` where it left nothing to the app.
        case reading(StreamReader)
        /// Tools are to be run: to `running`, or to `reading` where none is left.
        case answering(ArraySlice<ReplyState.Call>)
        /// A tool has been told and is to be run now: to `answering`.
        case running(ReplyState.Call, ArraySlice<ReplyState.Call>)
        /// Nothing more comes.
        case ended
    }

    init(_ client: ChatbaseClient, _ opening: Opening) {
        self.client = client
        self.opening = opening
        state = TurnState(
            conversationId: opening.conversationId, limit: client.maxToolLoopSteps,
            isStrict: client.options.mode == .strict)
    }

    /// The reply so far.
    var response: ChatResponse { state.response }

    /// What happens next; nil once the reply has come to its end.
    func next() async throws -> TurnStep? {
        do {
            while ready.isEmpty {
                if case .ended = stage { return nil }
                try await advance()
            }
            return ready.removeFirst()
        } catch {
            stage = .ended
            ready = []
            let failure = chatbaseFailure(error)
            call?.end(.failure(failure))
            throw failure
        }
    }

    private func advance() async throws {
        switch stage {
        case .idle: try await open(try firstRequest(try begin()))
        case .reading(let reader): try await read(reader)
        case .answering(var calls):
            guard let next = calls.popFirst() else { return try await goOn() }
            ready.append(state.begin(next))
            stage = .running(next, calls)
        case .running(let call, let rest):
            let output = try await run(call)
            ready += state.end(call.id, output)
            ready.append(.event(.toolOutput(toolCallId: call.id, output: output)))
            stage = .answering(rest)
        case .ended: break
        }
    }
}

extension ChatbaseTurn {
    private func begin() throws -> ChatbaseOperation {
        let identity = try client.identity()
        let call = OpenCall(
            opening.op, args: .object(opening.args), client: identity.client,
            journal: client.context.journal)
        self.call = call
        let operation = ChatbaseOperation(client: client, identity: identity, call: call.number)
        self.operation = operation
        return operation
    }

    private func firstRequest(_ operation: ChatbaseOperation) throws(ChatError) -> Request {
        guard let messageId = opening.retried else {
            return try operation.chat(
                opening.args["message"], conversationId: opening.conversationId)
        }
        return try operation.request(
            "POST", "conversations", opening.conversationId ?? "", "retry",
            body: ["messageId": .string(messageId), "stream": true], accept: "text/event-stream")
    }

    private func goOn() async throws {
        guard let operation else { return }
        try await open(try operation.chat(nil, conversationId: state.conversationId))
    }

    private func open(_ request: Request) async throws {
        try state.beginStream()
        guard let operation else { return }
        let mode = client.options.mode
        stage = .reading(
            try await operation.send(request) { try StreamReader($0, mode: mode) })
    }

    private func read(_ reader: StreamReader) async throws {
        if let item = try await reader.next() {
            ready += try state.take(item)
            return
        }
        ready += try state.endStream()
        if let operation { client.take(state.info, epoch: operation.identity.epoch) }
        let calls = try state.pending()
        stage = calls.isEmpty ? .ended : .answering(calls[...])
        if calls.isEmpty { call?.end(.success(JSONDocument.json(state.response))) }
    }

    /// Runs a tool and submits what came of it.
    private func run(_ call: ReplyState.Call) async throws -> JSONValue {
        guard let operation, let conversationId = state.conversationId else {
            throw ChatError.noContent
        }
        let run = ToolRun(call: operation.call, id: call.id, name: call.name, input: call.input)
        let answer = try await client.context.runTool(run, client.body(of: call.name))
        if answer.outcome == .cancelled { throw CancellationError() }
        let output = answer.output ?? .null
        try await operation.submit(output, of: call.id, conversationId: conversationId)
        return JSONValue(output)
    }
}
