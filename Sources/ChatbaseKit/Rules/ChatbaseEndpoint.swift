import RepriseSession
import RepriseTape
import RepriseWire

/// What a request asks of the service, by the end of its path: the base may be anything.
enum ChatbaseEndpoint: Sendable {
    /// A message, its repetition, or the next stream of a turn.
    case chat(Chat)
    case toolResult(ToolSubmission)
    case conversations
    case messages
    case verify
    case other

    /// What a stream is asked for with.
    struct Chat: Sendable {
        /// The conversation; nil for a new one.
        var conversation: String?
        /// Whether the agent goes on with what it has, instead of being asked something.
        var isContinuation: Bool
        var isStream: Bool
    }

    /// A tool's result.
    struct ToolSubmission: Sendable {
        var conversation: String
        var call: String?
        var output: JSON?
    }

    init(_ exchange: ExchangeHead) {
        let parts = exchange.path.split(separator: "/").map(String.init)
        guard let agents = parts.lastIndex(of: "agents"), parts.count > agents + 2 else {
            self = .other
            return
        }
        let body = exchange.isBodyCut ? nil : try? JSON.parse(exchange.body).value
        let rest = parts[(agents + 2)...]
        switch (exchange.request.method, rest.first, rest.dropFirst(2).first, rest.count) {
        case ("POST", "chat", nil, 1): self = .chat(Chat(body))
        case ("POST", "conversations", "retry", 3):
            self = .chat(Chat(body, retrying: parts[agents + 3]))
        case ("POST", "conversations", "tool-result", 3):
            self = .toolResult(
                ToolSubmission(
                    conversation: parts[agents + 3], call: body?["toolCallId"]?.string,
                    output: body?["output"]))
        case ("GET", "conversations", nil, 1): self = .conversations
        case ("GET", "conversations", "messages", 3): self = .messages
        case ("POST", "verify", nil, 1): self = .verify
        default: self = .other
        }
    }
}

extension ChatbaseEndpoint.Chat {
    fileprivate init(_ body: JSON?, retrying conversation: String? = nil) {
        self.conversation = conversation ?? body?["conversationId"]?.string
        isContinuation =
            conversation == nil && body?["conversationId"]?.string != nil
            && body?["message"]?.string == nil
        isStream = body?["stream"]?.bool ?? true
    }
}
