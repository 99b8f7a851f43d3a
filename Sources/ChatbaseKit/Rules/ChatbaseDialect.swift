public import RepriseSession
internal import RepriseTape

/// What Chatbase's protocol means.
public struct ChatbaseDialect: Dialect {
    /// The dialect.
    public init() {}

    /// `chatbase`
    public var name: String { "chatbase" }
    /// ``ChatbaseRules/all``
    public var rules: [Rule] { ChatbaseRules.all }
    /// `send`, `stream`, `sendNonStreaming` and `retry`
    public var turnOperations: Set<String> { ["send", "stream", "sendNonStreaming", "retry"] }
    /// Callbacks are awaited.
    public var holdRule: Rule? { ChatbaseRules.p1 }

    /// A request for something of an agent, on either of the service's surfaces.
    public func claims(_ exchange: ExchangeHead) -> Bool {
        if case .other = ChatbaseEndpoint(exchange) { return false }
        return true
    }

    /// A stream for what is to be streamed; 404 is a proper answer to a tool result that comes
    /// before the server is ready for it.
    public func expectation(for exchange: ExchangeHead) -> Expectation {
        switch ChatbaseEndpoint(exchange) {
        case .chat(let chat): Expectation(body: chat.isStream ? .eventStream : .reply)
        case .toolResult: Expectation(statuses: [404], body: .json)
        case .conversations, .messages, .verify: Expectation(body: .json)
        case .other: Expectation()
        }
    }

    /// A reader for one session.
    public func makeReader() -> any DialectReader { ChatbaseReader() }
}
