public import RepriseTransport

/// How a client behaves.
public struct ChatbaseOptions: Sendable, Hashable {
    /// How replies are read.
    public var mode: Mode
    /// Where the device id comes from.
    public var deviceId: DeviceId
    /// The token of a user who is signed in from the start.
    public var userToken: String?
    /// What the client calls itself; by default what the service's iOS kit does.
    public var userAgent: String
    /// When a request is sent again after a failure of the network; tool results have a rule of
    /// their own.
    public var retry: RetryPolicy
    /// How long to wait for the service.
    public var timeouts: Timeouts

    /// How replies are read.
    public enum Mode: String, Sendable, Hashable {
        /// Whatever can be understood is; only what is not JSON ends a reply.
        case lenient
        /// As the service's iOS kit reads them, which gives up on more.
        case strict
    }

    /// Where a device id comes from.
    public enum DeviceId: Sendable, Hashable {
        /// It is drawn once per installation and kept in that file.
        case installation(InstallationIdFile)
        /// The app gives it.
        case fixed(String)
    }

    /// Creates options.
    public init(
        mode: Mode = .lenient,
        deviceId: DeviceId = .installation(InstallationIdFile(name: "chatbase_device_id")),
        userToken: String? = nil, userAgent: String = "Chatbase-iOS-SDK/1.0.0",
        retry: RetryPolicy = RetryPolicy(), timeouts: Timeouts = Timeouts()
    ) {
        self.mode = mode
        self.deviceId = deviceId
        self.userToken = userToken
        self.userAgent = userAgent
        self.retry = retry
        self.timeouts = timeouts
    }
}
