import RepriseSupport
public import RepriseTransport
import RepriseWire

#if Live
import RepriseCurl
#endif

/// A user's session with CometChat: operations over HTTP, and what the service says over a socket.
///
/// It can be used from any task or actor, and there may be many. Operations throw
/// ``CometChatException``, and `CancellationError` when their task is cancelled. Dropping the
/// session closes its socket.
public final class CometChatSession: Sendable {
    let core: SessionCore

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - appId: The app.
    ///   - settings: Where its service is.
    ///   - transport: How to reach it.
    ///   - options: How to behave.
    public init(
        appId: String, settings: AppSettings, transport: any Transport,
        options: CometChatOptions = CometChatOptions()
    ) {
        core = SessionCore(
            appId: appId, settings: settings, transport: transport, options: options)
    }

    #if Live
    /// Creates a session on the live transport.
    public convenience init(
        appId: String, settings: AppSettings, options: CometChatOptions = CometChatOptions()
    ) {
        self.init(
            appId: appId, settings: settings, transport: CurlTransport.shared, options: options)
    }
    #endif

    deinit { core.shutDown() }

    /// Ends all sequences of updates and tells listeners nothing more, as dropping the session does;
    /// the socket stays open for as long as a user is logged in.
    public func finish() {
        core.listeners.finish()
        core.updates.finish()
    }

    /// The app.
    public var appId: String { core.appId }
    /// Where operations go.
    public var baseURL: String { core.baseURL }
    /// Where the socket is.
    public var socketURL: String { core.socketURL }
    /// How it behaves.
    public var options: CometChatOptions { core.options }
    /// The user who is logged in.
    public var user: User? { core.state.withLock { $0.user } }
    /// Whether the socket is open and let in.
    public var isConnected: Bool { core.state.withLock { $0.link.isConnected } }

    /// Everything that the session sees from here on, for one reader; what waits for it has no
    /// limit. It ends with the session.
    public var updates: AsyncStream<CometChatUpdate> { core.updates.stream() }

    /// The live events of agents from here on, those of unknown kinds too.
    public var events: some AsyncSequence<ReceivedEvent, Never> & Sendable {
        updates.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    /// The messages that the service keeps from here on, fetched ones too.
    public var messages: some AsyncSequence<ReceivedMessage, Never> & Sendable {
        updates.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
}
