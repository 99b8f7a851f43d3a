public import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// What AGO's protocol means.
public struct AgoDialect: Dialect {
    /// The dialect.
    public init() {}

    /// `ago`
    public var name: String { "ago" }
    /// ``AgoRules/all``
    public var rules: [Rule] { AgoRules.all }
    /// `sendMessage` and `streamMessage`
    public var turnOperations: Set<String> { ["sendMessage", "streamMessage"] }

    /// A request below `/api/sdk/v1`, or with the header of the anonymous id.
    public func claims(_ exchange: ExchangeHead) -> Bool {
        exchange.path.contains("/api/sdk/v1/")
            || exchange.request.headers.first("X-User-Anon-Id") != nil
    }

    /// An object that says which message or conversation it belongs to.
    public func claims(firstEvent data: String, of exchange: ExchangeHead) -> Bool {
        guard let object = try? JSON.parse(Array(data.utf8)).value.object else { return false }
        let chunk = AgoChunk(object)
        return chunk.messageId != nil && (chunk.threadId != nil || chunk.status != nil)
    }

    /// A stream for messages; 409 is a proper answer to a continuation that comes too late.
    public func expectation(for exchange: ExchangeHead) -> Expectation {
        switch AgoEndpoint(exchange) {
        case .messages: Expectation(body: .eventStream)
        case .continue: Expectation(statuses: [409], body: .eventStream)
        case .conversations, .conversation, .tickets: Expectation(body: .json)
        default: Expectation()
        }
    }

    /// A reader for one session.
    public func makeReader() -> any DialectReader { AgoReader() }
}
