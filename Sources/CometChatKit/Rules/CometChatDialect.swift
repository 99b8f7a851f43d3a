public import RepriseSession
import RepriseTape
import RepriseWire

/// What CometChat's protocol means: a socket that carries the runs of agents, and requests beside it.
public struct CometChatDialect: Dialect {
    /// The dialect.
    public init() {}

    /// `cometchat`
    public var name: String { "cometchat" }
    /// ``CometChatRules/all``
    public var rules: [Rule] { CometChatRules.all }
    /// `sendTextMessage`: agents answer to nothing else.
    public var turnOperations: Set<String> { ["sendTextMessage"] }

    /// A request to the vendor's hosts, or one with its header of the app's id.
    public func claims(_ exchange: ExchangeHead) -> Bool {
        if exchange.request.url.description.contains(".cometchat.io") { return true }
        guard exchange.request.transport == .http else { return false }
        return exchange.request.headers.first("appId") != nil
    }

    /// A message of a socket that says who the client is, or a live event of an agent.
    public func claims(firstEvent data: String, of exchange: ExchangeHead) -> Bool {
        guard exchange.request.transport == .websocket,
            let document = try? JSON.parse(Array(data.utf8)),
            let frame = ServiceFrame(document)
        else { return false }
        switch frame.content {
        case .auth: return !frame.appId.isEmpty || document.value["body"]?["auth"] != nil
        case .event(let event): return event.kind?.isKnown ?? false
        case .message(let message): return message.agenticKind != nil
        case .pong, .moderation, .other: return false
        }
    }

    /// JSON for every request.
    public func expectation(for exchange: ExchangeHead) -> Expectation {
        switch CometChatEndpoint(exchange) {
        case .message, .user, .history: Expectation(body: .json)
        case .other: Expectation()
        }
    }

    /// A reader for one session.
    public func makeReader() -> any DialectReader { CometChatReader() }
}
