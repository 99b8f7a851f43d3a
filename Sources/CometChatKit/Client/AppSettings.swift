/// Where an app's service is, and what it wants to hear of.
public struct AppSettings: Sendable, Hashable {
    /// The region of the app, e.g. `us`, `eu` or `in`.
    public var region: String
    /// Where operations go; nil for the vendor's address of app and region.
    public var baseURL: String?
    /// Where the socket is; nil for the vendor's address of app and region.
    public var socketURL: String?
    /// Whose presence the service tells; nothing is made of it here but what the vendor's clients
    /// tell the service.
    public var presence: Presence

    /// Whose presence the service tells.
    public enum Presence: String, Sendable, Hashable {
        /// Nobody's.
        case none = "NONE"
        /// All users'.
        case allUsers = "ALL_USERS"
        /// Friends'.
        case friends = "FRIENDS"
    }

    /// Creates settings.
    public init(
        region: String = "us", baseURL: String? = nil, socketURL: String? = nil,
        presence: Presence = .none
    ) {
        self.region = region
        self.baseURL = baseURL
        self.socketURL = socketURL
        self.presence = presence
    }

    /// Makes settings step by step.
    public struct AppSettingsBuilder: Sendable {
        private var settings = AppSettings()

        /// Begins with the defaults.
        public init() {}

        /// Sets the region.
        public func setRegion(region: String) -> AppSettingsBuilder {
            with { $0.region = region }
        }

        /// Sets where operations go.
        public func setBaseURL(_ url: String) -> AppSettingsBuilder { with { $0.baseURL = url } }

        /// Sets where the socket is.
        public func setSocketURL(_ url: String) -> AppSettingsBuilder {
            with { $0.socketURL = url }
        }

        /// Has the service tell all users' presence.
        public func subscribePresenceForAllUsers() -> AppSettingsBuilder {
            with { $0.presence = .allUsers }
        }

        /// Has the service tell friends' presence.
        public func subscribePresenceForFriends() -> AppSettingsBuilder {
            with { $0.presence = .friends }
        }

        /// The settings.
        public func build() -> AppSettings { settings }

        private func with(_ change: (inout AppSettings) -> Void) -> AppSettingsBuilder {
            var builder = self
            change(&builder.settings)
            return builder
        }
    }

    /// Where operations of an app go, without a final slash.
    package func baseURL(of appId: String) -> String {
        let url = baseURL ?? "https://\(appId).apiclient-\(region).cometchat.io/v3.0"
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// Where the socket of an app is.
    package func socketURL(of appId: String) -> String {
        socketURL ?? "wss://\(appId).websocket-\(region).cometchat.io"
    }
}
