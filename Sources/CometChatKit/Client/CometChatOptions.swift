public import RepriseTransport

/// How a session behaves; times are nanoseconds.
public struct CometChatOptions: Sendable, Hashable {
    /// What the client calls itself, as `platform@version`.
    public var sdk: String
    /// What tells this client from others of the same user; nil to draw one.
    public var deviceId: String?
    /// How long after the last pong, or after the socket was let in, a ping is sent.
    public var pingInterval: Int64
    /// How long a pong may take before the socket is given up.
    public var pongLimit: Int64
    /// How long the service may take to let the socket in.
    public var authLimit: Int64
    /// How long nothing may come of a run before it is given up.
    public var runSilence: Int64
    /// How long persisted messages may take, behind the end of their run or one another.
    public var messagesLimit: Int64
    /// How long a run that was cut may wait for the socket to be back and its messages to be
    /// fetched.
    public var recoveryLimit: Int64
    /// How often and after which waits the socket is opened again once it was lost.
    public var reconnection: RetryPolicy
    /// When a request is sent again after a failure of the network.
    public var retry: RetryPolicy
    /// How long to wait for the service.
    public var timeouts: Timeouts

    /// Creates options; by default a ping every 30 s with 3 s for its pong, 10 s to be let in, 60 s
    /// of silence in a run, 10 s for persisted messages, 30 s for a recovery, and a socket that is
    /// opened again for as long as the user is logged in, after waits of up to 1 s doubling to
    /// 32 s.
    public init(
        sdk: String = "ios@4.0.0", deviceId: String? = nil, pingInterval: Int64 = 30_000_000_000,
        pongLimit: Int64 = 3_000_000_000, authLimit: Int64 = 10_000_000_000,
        runSilence: Int64 = 60_000_000_000, messagesLimit: Int64 = 10_000_000_000,
        recoveryLimit: Int64 = 30_000_000_000,
        reconnection: RetryPolicy = RetryPolicy(
            maximumAttempts: .max, baseDelay: 1_000_000_000, maximumDelay: 32_000_000_000),
        retry: RetryPolicy = RetryPolicy(), timeouts: Timeouts = Timeouts()
    ) {
        self.sdk = sdk
        self.deviceId = deviceId
        self.pingInterval = pingInterval
        self.pongLimit = pongLimit
        self.authLimit = authLimit
        self.runSilence = runSilence
        self.messagesLimit = messagesLimit
        self.recoveryLimit = recoveryLimit
        self.reconnection = reconnection
        self.retry = retry
        self.timeouts = timeouts
    }
}
