public import RepriseTransport
public import RepriseWire

/// Builds a Chatbase client from a tape and runs its recorded operations again.
///
/// It has no handlers of its own: tools are answered by the transport, from the tape unless it was
/// told otherwise.
public struct ChatbaseReplayer: ClientReplayer {
    /// `chatbase`
    public static let client = "chatbase"

    private let chat: ChatbaseClient

    /// Builds the client from its recorded configuration; its credentials are stand-ins.
    ///
    /// - Throws: ``ChatError/invalidURL(_:)`` where the configuration lacks something.
    public init(config: JSONObject, transport: any Transport) throws {
        guard let baseURL = config["baseURL"]?.string, let agentId = config["agentId"]?.string
        else {
            throw ChatError.invalidURL(
                "the recorded configuration lacks the base URL or the agent")
        }
        let steps = config["maxToolLoopSteps"]?.integer.flatMap { Int(exactly: $0) }
        chat = ChatbaseClient(
            agentId: agentId, baseURL: baseURL, transport: transport,
            options: ChatbaseOptions(config), maxToolLoopSteps: steps ?? 10)
    }

    /// Runs a recorded operation.
    ///
    /// - Throws: What the operation throws, and ``ChatError/invalidURL(_:)`` for an operation that
    ///   the client does not have or that lacks an argument.
    public func perform(op: String, args: JSON) async throws {
        let conversationId = args["conversationId"]?.string
        switch op {
        case "send":
            _ = try await chat.send(try args.text("message"), conversationId: conversationId)
        case "stream":
            let events = chat.stream(try args.text("message"), conversationId: conversationId)
            for try await _ in events {}
        case "sendNonStreaming":
            _ = try await chat.sendNonStreaming(
                try args.text("message"), conversationId: conversationId)
        case "retry":
            _ = try await chat.retry(
                conversationId: try args.text("conversationId"),
                messageId: try args.text("messageId"))
        case "identify": try await chat.identify(token: try args.text("token"))
        case "logout": chat.logout()
        default: try await list(op, args)
        }
    }

    private func list(_ op: String, _ args: JSON) async throws {
        let cursor = args["cursor"]?.string
        let limit = args["limit"]?.integer.flatMap { Int(exactly: $0) }
        switch op {
        case "listConversations":
            _ = try await chat.listConversations(cursor: cursor, limit: limit)
        case "listMessages":
            _ = try await chat.listMessages(
                conversationId: try args.text("conversationId"), cursor: cursor, limit: limit)
        default: throw ChatError.invalidURL("the Chatbase client has no such operation")
        }
    }
}

extension JSON {
    fileprivate func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else {
            throw ChatError.invalidURL("the recorded operation lacks its argument \(key)")
        }
        return text
    }
}
