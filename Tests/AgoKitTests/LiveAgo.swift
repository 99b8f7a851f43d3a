import AgoKit
import RepriseCurl
import RepriseTransport
import TestSupport

/// A client of a stand-in, over the live transport, with what it tells.
struct LiveAgo: Sendable {
    static let origin = "https://app.example.com"
    static let token = "token-of-the-user"
    static let widget = "0a1b2c3d-0000-4000-8000-000000000001"

    let sdk: any AgoChat
    let journal = Notebook()
    let entropy = CountingEntropy()

    init(
        _ url: String, jwt: Bool = false, origin: String = LiveAgo.origin,
        token: String = LiveAgo.token, widgetId: String = LiveAgo.widget,
        options: AgoOptions = LiveAgo.options
    ) {
        let context = SessionContext(clock: LiveClock(), entropy: entropy, journal: journal)
        let transport = CurlTransport(
            options: CurlOptions(proxy: .none, context: context))
        if jwt {
            sdk = AgoChatSDK(
                authToken: token, widgetId: widgetId, origin: origin, baseURL: url,
                transport: transport, options: options)
        } else {
            sdk = AgoChatWidgetSDK(
                widgetId: widgetId, origin: origin, userEmail: "ann@example.com", baseURL: url,
                transport: transport, options: options)
        }
    }

    /// Repetitions that follow at once.
    static let options = AgoOptions(retry: AgoRetryPolicy(baseDelay: 1))
    static let stoppingAtDone = AgoOptions(
        stopsAtDone: true, retry: AgoRetryPolicy(baseDelay: 1))
}

/// A stand-in for all tests of a process, which ends with it.
enum SharedPeer {
    private static let started = Task { try await Peer.start("ago", "--pace", "0") }

    static var value: Peer {
        get async throws { try await started.value }
    }
}
