import RepriseSupport
import RepriseTape
public import RepriseTransport
import RepriseWire

#if Live
import RepriseCurl
#endif

/// The vendor's global functions, as a thin face of one ``CometChatSession``: ``session``.
///
/// Closures run on the main actor.
public final class CometChat: Sendable {
    /// Who a message goes to.
    public enum ReceiverType: String, Sendable, Hashable {
        /// A user or an agent.
        case user
        /// A group.
        case group

        var type: OutgoingMessage.ReceiverType { self == .user ? .user : .group }
    }

    /// What a file is.
    public enum MessageType: String, Sendable, Hashable {
        /// A picture.
        case image
        /// A film.
        case video
        /// A sound.
        case audio
        /// Anything else.
        case file
    }

    private static let shared = Locked(Shared())

    /// The session, and the listeners that were added before there was one.
    private struct Shared: Sendable {
        var session: CometChatSession?
        var early: SessionCore?
    }

    /// The session that the functions speak for; nil before `init`.
    public static var session: CometChatSession? { shared.withLock { $0.session } }

    /// Sets everything up, in the place of what was set up before.
    ///
    /// - Parameters:
    ///   - appId: The app.
    ///   - appSettings: Where its service is.
    ///   - transport: How to reach it.
    ///   - options: How to behave.
    ///   - onSuccess: Called once it is done.
    ///   - onError: Never called: nothing is asked of the service.
    @discardableResult
    public init(
        appId: String, appSettings: AppSettings, transport: any Transport,
        options: CometChatOptions = CometChatOptions(),
        onSuccess: @escaping @MainActor @Sendable (Bool) -> Void = { _ in },
        onError: @escaping @MainActor @Sendable (CometChatException) -> Void = { _ in }
    ) {
        let session = CometChatSession(
            appId: appId, settings: appSettings, transport: transport, options: options)
        let earlier = Self.shared.withLock { shared in
            defer { shared = Shared(session: session) }
            return shared
        }
        if let old = earlier.session?.core ?? earlier.early { session.core.adopt(old) }
        let context = transport.context
        let _: Task<Void, Never> = context.startTask {
            await context.onMainActor { onSuccess(true) }
        }
    }

    #if Live
    /// Sets everything up on the live transport, in the place of what was set up before.
    ///
    /// - Parameters:
    ///   - appId: The app.
    ///   - appSettings: Where its service is.
    ///   - onSuccess: Called once it is done.
    ///   - onError: Never called: nothing is asked of the service.
    @discardableResult
    public convenience init(
        appId: String, appSettings: AppSettings,
        onSuccess: @escaping @MainActor @Sendable (Bool) -> Void = { _ in },
        onError: @escaping @MainActor @Sendable (CometChatException) -> Void = { _ in }
    ) {
        self.init(
            appId: appId, appSettings: appSettings, transport: CurlTransport.shared,
            onSuccess: onSuccess, onError: onError)
    }
    #endif

    /// The session, or where there is none yet something to keep listeners in.
    static var listening: SessionCore {
        shared.withLock { shared in
            if let session = shared.session { return session.core }
            if let early = shared.early { return early }
            let early = SessionCore(
                appId: "", settings: AppSettings(), transport: NoTransport(),
                options: CometChatOptions())
            shared.early = early
            return early
        }
    }

    /// Runs an operation of the session and calls back.
    static func perform<Value: Sendable>(
        onSuccess: @escaping @MainActor @Sendable (Value) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException) -> Void,
        _ body: @escaping @Sendable (CometChatSession) async throws -> Value
    ) {
        let session = session
        let context = session?.core.context ?? SessionContext.live
        let _: Task<Void, any Error> = context.startTask {
            do {
                guard let session else {
                    throw CometChatException(
                        .notInitialized, "nothing is set up; call CometChat.init first")
                }
                let value = try await body(session)
                await context.onMainActor { onSuccess(value) }
            } catch {
                let error = CometChatException.told(error)
                await context.onMainActor { onError(error) }
            }
        }
    }
}

extension CometChatException {
    /// Any failure in the form that callbacks take.
    fileprivate static func told(_ error: any Error) -> CometChatException {
        let error = wrapping(error)
        let failure = CallFailure(error)
        return error as? CometChatException
            ?? CometChatException(errorCode: failure.code, message: failure.message)
    }
}

/// What reaches nothing.
private struct NoTransport: Transport {
    let context = SessionContext.live

    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        throw TransportError(how: .failed, .badRequest, "nothing is set up")
    }
}
