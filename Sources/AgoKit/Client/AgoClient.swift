import RepriseTape
import RepriseTransport
import RepriseWire

/// What the two kinds of client share: how they reach the service, and what they tell the journal.
public final class AgoClient: Sendable {
    /// Where the service is, if nothing else is said.
    public static let defaultBaseURL = "https://your-domain.example.com/api/sdk/v1"

    /// Where the service is, without a final slash.
    public let baseURL: String
    /// The app's origin, which the service checks against its list of allowed domains.
    public let origin: String
    /// How it behaves.
    public let options: AgoOptions
    let transport: any Transport
    let mode: AgoMode
    let identity: @Sendable () throws -> AgoIdentity
    private let notice = ClientNotice()

    init(
        baseURL: String, origin: String, mode: AgoMode, transport: any Transport,
        options: AgoOptions, identity: @escaping @Sendable () throws -> AgoIdentity
    ) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.origin = origin
        self.mode = mode
        self.transport = transport
        self.options = options
        self.identity = identity
    }

    var context: SessionContext { transport.context }
}

extension AgoClient {
    /// Tells the journal who asks, and how.
    ///
    /// - Returns: The number by which operations name the client.
    @discardableResult
    func announce(_ identity: AgoIdentity) -> UInt64 {
        let record = ClientRecord(client: "ago", config: configuration(identity))
        return notice.tell(context.journal, record, secrets: identity.secrets)
    }

    private func configuration(_ identity: AgoIdentity) -> JSONObject {
        var config = JSONObject()
        config["baseURL"] = .string(baseURL)
        config["mode"] = .string(mode.rawValue)
        config["origin"] = .string(origin)
        config["widgetId"] = .string(Masking.stars(identity.widgetId))
        config["email"] = identity.email.map { .string($0) }
        config["stopsAtDone"] = .bool(options.stopsAtDone)
        config["retry"] = options.retry.json
        return config
    }
}

extension AgoClient {
    /// Runs an operation under its number in the journal; every failure leaves as an ``AgoError``.
    func operation<Value: Encodable & Sendable>(
        _ op: String, _ args: JSON, isolation: isolated (any Actor)? = #isolation,
        _ body: (AgoOperation) async throws -> Value
    ) async throws -> Value {
        let identity = try identity()
        let client = announce(identity)
        return try await context.withCall(
            op: op, args: args, client: client, result: JSONDocument.json
        ) { call in
            do {
                return try await body(AgoOperation(client: self, identity: identity, call: call))
            } catch {
                throw AgoError(wrapping: error)
            }
        }
    }
}

extension AgoError {
    init(wrapping error: any Error) {
        switch error {
        case let error as AgoError: self = error
        case let error as TransportError: self.init(error)
        case is CancellationError: self = .cancelled
        default: self.init(.badResponse, "an error of type \(type(of: error))")
        }
    }
}
