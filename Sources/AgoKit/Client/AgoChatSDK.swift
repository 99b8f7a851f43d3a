import RepriseSupport
public import RepriseTransport

#if Live
import RepriseCurl
#endif

/// The AGO client of a user who has an account and signs in with a JWT.
public final class AgoChatSDK: AgoChat {
    /// How it reaches the service.
    public let client: AgoClient
    /// The installation's anonymous id.
    public let widgetId: String
    private let token: Locked<String>

    /// The user's token; set a new one when it has expired.
    public var authToken: String {
        get { token.withLock { $0 } }
        set { token.withLock { $0 = newValue } }
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - authToken: The user's token.
    ///   - widgetId: The installation's anonymous id.
    ///   - origin: The app's origin, e.g. `https://app.example.com`.
    ///   - baseURL: Where the service is, e.g. `https://chat.example.com/api/sdk/v1`.
    ///   - transport: How to reach it.
    ///   - options: How to behave.
    public init(
        authToken: String, widgetId: String, origin: String,
        baseURL: String = AgoClient.defaultBaseURL, transport: any Transport,
        options: AgoOptions = AgoOptions()
    ) {
        let token = Locked(authToken)
        self.token = token
        self.widgetId = widgetId
        client = AgoClient(
            baseURL: baseURL, origin: origin, mode: .jwt, transport: transport, options: options
        ) { AgoIdentity(widgetId: widgetId, authToken: token.withLock { $0 }) }
    }

    #if Live
    /// Creates a client on the live transport.
    ///
    /// - Parameters:
    ///   - authToken: The user's token.
    ///   - widgetId: The installation's anonymous id.
    ///   - origin: The app's origin, e.g. `https://app.example.com`.
    public convenience init(authToken: String, widgetId: String, origin: String) {
        self.init(
            authToken: authToken, widgetId: widgetId, origin: origin,
            transport: CurlTransport.shared)
    }
    #endif
}
