internal import RepriseSession
internal import RepriseTape

/// What a request asks of the service, by the end of its path: the base may be anything.
enum AgoEndpoint: Hashable {
    case messages
    case stop(message: String)
    case `continue`(message: String)
    case feedback(message: String)
    case submit(call: String)
    case decide(call: String)
    case conversations
    case conversation
    case tickets
    case other

    init(_ exchange: ExchangeHead) {
        var parts = exchange.path.split(separator: "/").map(String.init)[...]
        let last = parts.popLast() ?? ""
        let id = parts.popLast() ?? ""
        let owner = parts.last ?? ""
        switch (exchange.request.method, owner, last) {
        case ("POST", _, "messages"): self = .messages
        case ("POST", "messages", "stop"): self = .stop(message: id)
        case ("POST", "messages", "continue"): self = .continue(message: id)
        case ("POST", "messages", "feedback"): self = .feedback(message: id)
        case ("POST", "tool-calls", "submit"): self = .submit(call: id)
        case ("POST", "tool-calls", "confirm"), ("POST", "tool-calls", "reject"):
            self = .decide(call: id)
        case ("POST", _, "tickets"): self = .tickets
        case ("GET", _, "conversations"): self = .conversations
        case ("GET", _, _) where id == "conversations": self = .conversation
        default: self = .other
        }
    }

    /// Whether the answer is a stream of chunks.
    var isStream: Bool {
        switch self {
        case .messages, .continue: true
        default: false
        }
    }
}
