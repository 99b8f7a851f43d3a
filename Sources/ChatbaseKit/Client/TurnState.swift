import RepriseWire

/// What happens next to a message on its way, for whoever reads it.
enum TurnStep: Sendable, Hashable {
    /// Something came in a stream, or a handler's result was submitted.
    case event(StreamEvent)
    /// A tool is about to be run, or the service is known to have run it.
    case call(ToolCallInfo)
    /// The result of a tool is there.
    case result(ToolResultInfo)
}

/// A message and the reply to it over all its streams, without the network: which parts make which
/// steps, which tools are left to the app, and when it is over.
struct TurnState: Sendable {
    /// How many streams there may be.
    let limit: Int
    let isStrict: Bool
    /// How many streams were begun.
    private(set) var streams = 0
    /// The conversation: the one asked for, or what the service named last.
    private(set) var conversationId: String?
    /// The details of the last stream that had any.
    private(set) var info = StreamFinishInfo()
    private var userMessageId: String?
    private var startId: String?
    private var reply: ReplyState
    private var isDone = false
    private var names: [String: String] = [:]
    private var announced: Set<String> = []
    private var answered: Set<String> = []
    /// What the reply is made of, but for the text at its end.
    private var closedParts: [MessagePart] = []
    private var openText = ""

    init(conversationId: String?, limit: Int, isStrict: Bool) {
        self.conversationId = conversationId
        self.limit = limit
        self.isStrict = isStrict
        reply = ReplyState(isStrict: isStrict)
    }

    /// Begins the next stream.
    mutating func beginStream() throws(ChatError) {
        guard streams < limit else { throw .toolLoopLimitExceeded(limit: limit) }
        streams += 1
        reply = ReplyState(isStrict: isStrict)
        isDone = false
    }

    /// Takes an event of the stream; nothing behind `[DONE]` counts.
    mutating func take(_ item: StreamItem) throws(ChatError) -> [TurnStep] {
        if isDone { return [] }
        switch item {
        case .done:
            isDone = true
            return []
        case .notJSON(let error): throw .decodingFailed("\(error)")
        case .untyped:
            if isStrict { throw .decodingFailed("a part without a type") }
            return []
        case .part(let part):
            if isStrict, let failure = part.strictFailure { throw .decodingFailed(failure) }
            return reply.apply(part).flatMap { steps($0) }
        }
    }

    /// Ends the stream.
    ///
    /// - Returns: What is still to be told.
    mutating func endStream() throws(ChatError) -> [TurnStep] {
        let last = reply.finish().flatMap { steps($0) }
        guard reply.hasParts else { throw .noContent }
        startId = reply.startId ?? startId
        if reply.isFinished || !reply.metadata.members.isEmpty {
            info = reply.info
            if !isStrict, info.finishReason == nil, reply.errorText != nil {
                info = info.failed
            }
            userMessageId = info.userMessageId ?? userMessageId
            conversationId = info.conversationId ?? conversationId
        } else if !isStrict, reply.errorText != nil {
            info = StreamFinishInfo(finishReason: .error)
        }
        return last
    }

    /// The calls that are left to the app, in order.
    func pending() throws(ChatError) -> [ReplyState.Call] {
        let calls = reply.pending.filter { !answered.contains($0.id) }
        if !calls.isEmpty, conversationId == nil { throw .noContent }
        return calls
    }

    /// Says that a tool is about to be run.
    mutating func begin(_ call: ReplyState.Call) -> TurnStep { announce(call.toolCall) }

    /// Says what came of a tool.
    mutating func end(_ id: String, _ output: JSONValue) -> [TurnStep] {
        answered.insert(id)
        let name = names[id] ?? ""
        close(.toolResult(toolCallId: id, toolName: name, output: output))
        return [.result(ToolResultInfo(toolCallId: id, toolName: name, output: output))]
    }

    /// The reply as the service's iOS kit gives it.
    var response: ChatResponse {
        let parts = parts
        return ChatResponse(
            message: Message(
                id: info.messageId ?? startId ?? "", text: parts.text, sender: .agent,
                parts: parts),
            conversationId: conversationId ?? "", userMessageId: userMessageId,
            finishReason: info.finishReason ?? .stop, usage: info.usage ?? Usage(credits: 0))
    }
}

extension TurnState {
    private mutating func steps(_ event: StreamEvent) -> [TurnStep] {
        switch event {
        case .textChunk(let text): openText += text
        case .toolCall(let call):
            names[call.toolCallId] = call.toolName
            close(
                .toolCall(
                    toolCallId: call.toolCallId, toolName: call.toolName, input: call.input))
        case .toolOutput(let id, let output):
            // What the app has submitted itself may be told again.
            if answered.contains(id) { return [.event(event)] }
            return [.event(event)] + runByService(id) + end(id, output)
        case .messageStarted, .finished: break
        }
        return [.event(event)]
    }

    private mutating func runByService(_ id: String) -> [TurnStep] {
        guard let call = reply.call(id), !announced.contains(id) else { return [] }
        return [announce(call.toolCall)]
    }

    private mutating func announce(_ call: ToolCall) -> TurnStep {
        announced.insert(call.toolCallId)
        return .call(
            ToolCallInfo(
                toolCallId: call.toolCallId, toolName: call.toolName, input: call.input))
    }

    private var parts: [MessagePart] {
        closedParts + (openText.isEmpty ? [] : [.text(openText)])
    }

    private mutating func close(_ part: MessagePart) {
        closedParts = parts + [part]
        openText = ""
    }
}

extension StreamFinishInfo {
    /// These details of a reply that failed.
    fileprivate var failed: StreamFinishInfo {
        StreamFinishInfo(
            conversationId: conversationId, messageId: messageId, userMessageId: userMessageId,
            userId: userId, finishReason: .error, usage: usage)
    }
}
