import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire

/// What a session and its socket share. The socket's task holds it; nobody holds the session.
final class SessionCore: Sendable {
    let appId: String
    let settings: AppSettings
    let options: CometChatOptions
    let transport: any Transport
    let baseURL: String
    let socketURL: String
    let updates = Broadcast()
    let listeners: ListenerHub
    let state = Locked(State())
    private let notice = ClientNotice()

    struct State {
        var deviceId: String?
        var user: User?
        var authToken: String?
        var jwt: String?
        var book = RunBook()
        /// Who is told what comes of a message.
        var sinks: [UInt64: @Sendable (AgentRunUpdate) -> Void] = [:]
        /// Who waits for what comes of a message.
        var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var history = History()
        var link = Link()
    }

    /// The socket, as far as it has come.
    struct Link {
        var task: Task<Void, any Error>?
        var socket: WebSocket?
        var isConnected = false
        /// Whether the user is about to log out.
        var isClosing = false
        /// When it was lost last.
        var lossTime: Int64?
        /// When the last answer to a ping came.
        var pongTime: Int64?
    }

    init(
        appId: String, settings: AppSettings, transport: any Transport, options: CometChatOptions
    ) {
        self.appId = appId
        self.settings = settings
        self.transport = transport
        self.options = options
        baseURL = settings.baseURL(of: appId)
        socketURL = settings.socketURL(of: appId)
        listeners = ListenerHub(transport.context)
    }

    var context: SessionContext { transport.context }
}

extension SessionCore {
    /// Who asks; the journal is told before anything is sent.
    func identity() -> CometChatIdentity {
        var identity = state.withLock { state in
            // Drawn once, with the lock held, so that two operations do not draw two.
            let deviceId = state.deviceId ?? drawDeviceId()
            state.deviceId = deviceId
            return CometChatIdentity(
                deviceId: deviceId, uid: state.user?.uid, authToken: state.authToken,
                jwt: state.jwt)
        }
        identity.client = tell(secrets: identity.secrets)
        return identity
    }

    private func drawDeviceId() -> String {
        options.deviceId
            ?? context.entropy.draw("deviceId", call: 0) { SessionCore.randomHex() }
    }

    /// 16 hexadecimal digits.
    static func randomHex() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @discardableResult
    func tell(secrets: [String]) -> UInt64 {
        let record = ClientRecord(client: "cometchat", config: configuration)
        return notice.tell(context.journal, record, secrets: secrets)
    }

    func note(_ what: String, _ facts: JSON) {
        context.journal.record(.note("cometchat.\(what) \(facts.serialized)"))
    }

    /// The user who is logged in, and what identifies the client.
    ///
    /// - Throws: ``CometChatException`` with code `cometchat.notLoggedIn`.
    func loggedIn() throws(CometChatException) -> CometChatIdentity {
        let identity = identity()
        guard identity.authToken != nil, identity.uid != nil else {
            throw CometChatException(.notLoggedIn, "nobody is logged in; call login first")
        }
        return identity
    }
}
