import RepriseSupport
import RepriseTape
public import RepriseTransport
import RepriseWire

#if Live
import RepriseCurl
#endif

/// A client of Chatbase's service for mobile apps.
///
/// It can be used from any task or actor. Operations throw ``APIError`` and ``ChatError``, and
/// `CancellationError` when their task is cancelled, which ends their exchange.
public final class ChatbaseClient: Sendable {
    /// Where the service is, if nothing else is said.
    public static let defaultBaseURL = "https://www.chatbase.co/api/sdk"

    /// The agent.
    public let agentId: String
    /// Where the service is, without a final slash.
    public let baseURL: String
    /// How many streams one message may take before its tools are given up on.
    public let maxToolLoopSteps: Int
    /// How it behaves.
    public let options: ChatbaseOptions
    let transport: any Transport
    private let state: Locked<State>
    private let notice = ClientNotice()

    private struct State {
        var deviceId: Result<String, ChatError>?
        var token: String?
        var userId: String?
        var conversationId: String?
        var tools: [String: ToolHandler] = [:]
        /// Counts the changes of user and conversation that the app made.
        var epoch = 0
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - agentId: The agent.
    ///   - baseURL: Where the service is, e.g. `https://www.chatbase.co/api/sdk`.
    ///   - transport: How to reach it.
    ///   - options: How to behave.
    ///   - maxToolLoopSteps: How many streams one message may take.
    public init(
        agentId: String, baseURL: String = ChatbaseClient.defaultBaseURL,
        transport: any Transport, options: ChatbaseOptions = ChatbaseOptions(),
        maxToolLoopSteps: Int = 10
    ) {
        self.agentId = agentId
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.maxToolLoopSteps = maxToolLoopSteps
        self.options = options
        self.transport = transport
        state = Locked(State(token: options.userToken))
    }

    #if Live
    /// Creates a client on the live transport.
    ///
    /// - Parameters:
    ///   - agentId: The agent.
    ///   - baseURL: Where the service is.
    ///   - options: How to behave.
    ///   - maxToolLoopSteps: How many streams one message may take.
    public convenience init(
        agentId: String, baseURL: String = ChatbaseClient.defaultBaseURL,
        options: ChatbaseOptions = ChatbaseOptions(), maxToolLoopSteps: Int = 10
    ) {
        self.init(
            agentId: agentId, baseURL: baseURL, transport: CurlTransport.shared, options: options,
            maxToolLoopSteps: maxToolLoopSteps)
    }
    #endif

    var context: SessionContext { transport.context }
}

/// Whether a user is signed in.
public enum AuthState: Sendable, Hashable {
    /// Conversations belong to the device.
    case anonymous
    /// Conversations belong to the user, whose id is there once the service has told it.
    case identified(userId: String?)
}

extension ChatbaseClient {
    /// The installation's device id; empty where it can be neither read nor kept, in which case
    /// every operation throws ``ChatError/deviceIdUnavailable(_:)``.
    public var deviceId: String { (try? device().get()) ?? "" }

    /// Whether a user is signed in.
    public var authState: AuthState {
        state.withLock { $0.token == nil ? .anonymous : .identified(userId: $0.userId) }
    }

    /// The conversation of the last reply; nil before the first and behind
    /// ``newConversation()``.
    public var currentConversationId: String? { state.withLock { $0.conversationId } }

    /// The user that the service named last.
    public var currentUserId: String? { state.withLock { $0.userId } }

    /// Registers the handler of a tool, in the place of another one of that name.
    public func tool(_ name: String, handler: @escaping ToolHandler) {
        state.withLock { $0.tools[name] = handler }
    }

    /// Forgets the current conversation.
    public func newConversation() {
        state.withLock { state in
            state.conversationId = nil
            state.epoch += 1
        }
    }
}

extension ChatbaseClient {
    /// The tool that is registered under a name.
    func body(of name: String) -> ToolBody? {
        guard let handler = state.withLock({ $0.tools[name] }) else { return nil }
        return { input in JSON(try await handler(JSONValue(input))) }
    }

    /// Who asks; the journal is told before anything is sent.
    func identity() throws -> ChatbaseIdentity {
        let deviceId = try device().get()
        var identity = state.withLock { state in
            ChatbaseIdentity(deviceId: deviceId, token: state.token, epoch: state.epoch)
        }
        identity.client = tell(secrets: identity.secrets)
        return identity
    }

    @discardableResult
    func tell(secrets: [String]) -> UInt64 {
        let record = ClientRecord(client: "chatbase", config: configuration)
        return notice.tell(context.journal, record, secrets: secrets)
    }

    private func device() -> Result<String, ChatError> {
        state.withLock { state in
            if let deviceId = state.deviceId { return deviceId }
            let deviceId = drawDevice()
            state.deviceId = deviceId
            return deviceId
        }
    }

    private func drawDevice() -> Result<String, ChatError> {
        let file: InstallationIdFile
        switch options.deviceId {
        case .fixed(let text): return .success(text)
        case .installation(let kept): file = kept
        }
        let failure = Locked<InstallationIdFile.Failure?>(nil)
        let drawn = context.entropy.draw("deviceId", call: 0) {
            do throws(InstallationIdFile.Failure) {
                return try file.read()
            } catch {
                failure.withLock { $0 = error }
                return ""
            }
        }
        if !drawn.isEmpty { return .success(drawn) }
        let why = failure.withLock { $0?.message("the device id") }
        return .failure(
            .deviceIdUnavailable(why ?? "the device id could not be had when it was recorded"))
    }

    /// Takes what the service told, unless the app has changed user or conversation since.
    func take(_ info: StreamFinishInfo, epoch: Int) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            state.conversationId = info.conversationId ?? state.conversationId
            state.userId = info.userId ?? state.userId
        }
    }

    /// Signs a user in; nil signs out.
    func sign(in token: String?, userId: String?) {
        state.withLock { state in
            state.token = token
            state.userId = userId
            if token == nil { state.conversationId = nil }
            state.epoch += 1
        }
    }
}
