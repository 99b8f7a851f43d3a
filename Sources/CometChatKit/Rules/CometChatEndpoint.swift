import RepriseSession
import RepriseTape
import RepriseWire

/// What a request asks of the service, by the end of its path: the base may be anything.
enum CometChatEndpoint: Sendable {
    /// A message is sent, in a thread or not.
    case message(Outgoing)
    /// Somebody logs in.
    case user
    /// The messages with a user.
    case history
    case other

    /// A message that is sent.
    struct Outgoing: Sendable {
        var receiver: String
        /// The sender's own id for it.
        var muid: String
        /// What it is, e.g. `text`.
        var type: String
        var category: String

        /// Whether an agent may answer it.
        var isText: Bool { type == "text" && category == "message" }
    }

    init(_ exchange: ExchangeHead) {
        let parts = exchange.path.split(separator: "/").map(String.init)
        let tail = parts.suffix(3).map { $0 }
        switch (exchange.request.method, parts.last) {
        case ("POST", "messages"): self = .message(Outgoing(exchange))
        case ("POST", "thread") where tail.first == "messages":
            self = .message(Outgoing(exchange))
        case ("PUT", "me"): self = .user
        case ("GET", "messages") where tail.first == "users": self = .history
        default: self = .other
        }
    }
}

extension CometChatEndpoint.Outgoing {
    fileprivate init(_ exchange: ExchangeHead) {
        let body = exchange.isBodyCut ? nil : try? JSON.parse(exchange.body).value
        receiver = body?["receiver"]?.string ?? ""
        muid = body?["muid"]?.string ?? ""
        type = body?["type"]?.string ?? "text"
        category = body?["category"]?.string ?? "message"
    }
}
