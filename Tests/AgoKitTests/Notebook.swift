import AgoKit
import RepriseCurl
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport

/// A journal that keeps what it is told.
final class Notebook: Journal {
    private struct Pages {
        var count: UInt64 = 0
        var contents: [FrameContent] = []
        var secrets: [String] = []
    }

    private let pages = Locked(Pages())

    var contents: [FrameContent] { pages.withLock { $0.contents } }
    var secrets: [String] { pages.withLock { $0.secrets } }

    var clients: [ClientRecord] {
        contents.compactMap { if case .client(let record) = $0 { record } else { nil } }
    }

    /// Beginnings and ends of operations.
    var calls: [CallRecord] {
        contents.compactMap { if case .call(let record) = $0 { record } else { nil } }
    }

    /// How the operations ended: `ok` or the code of the failure.
    var outcomes: [String] {
        calls.filter { !$0.isBeginning }.map { $0.error?["code"]?.string ?? "ok" }
    }

    func beginCall(_ op: String, args: JSON) -> UInt64 {
        pages.withLock { pages in
            pages.count += 1
            pages.contents.append(.call(CallRecord(call: pages.count, op: op, args: args)))
            return pages.count
        }
    }

    func record(_ content: FrameContent) { pages.withLock { $0.contents.append(content) } }

    func declareSecret(_ secret: String) { pages.withLock { $0.secrets.append(secret) } }
}

/// Random values that are kept beside being drawn.
final class CountingEntropy: EntropySource {
    private let purposes = Locked<[String]>([])

    var drawn: [String] { purposes.withLock { $0 } }

    func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String {
        purposes.withLock { $0.append(purpose) }
        return make()
    }
}

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
