import RepriseTransport
import RepriseWire

/// Who a request comes from.
struct CometChatIdentity: Sendable {
    var deviceId: String
    var uid: String?
    var authToken: String?
    var jwt: String?
    /// The number by which operations name the client; nil before it has introduced itself.
    var client: UInt64?

    /// What may appear nowhere but in a request.
    var secrets: [String] { [authToken, jwt].compactMap { $0 } }
}

extension SessionCore {
    /// What it takes to build the session again.
    var configuration: JSONObject {
        var config: JSONObject = [
            "appId": .string(appId), "region": .string(settings.region),
            "baseURL": .string(baseURL), "socketURL": .string(socketURL),
            "presence": .string(settings.presence.rawValue), "sdk": .string(options.sdk),
        ]
        config["deviceId"] = options.deviceId.map { .string($0) }
        for (key, path) in CometChatOptions.times {
            config[key] = .integer(options[keyPath: path])
        }
        config["reconnection"] = options.reconnection.json
        config["retry"] = options.retry.json
        return config
    }
}

extension CometChatOptions {
    fileprivate static var times: [(String, WritableKeyPath<CometChatOptions, Int64>)] {
        [
            ("pingInterval", \.pingInterval), ("pongLimit", \.pongLimit),
            ("authLimit", \.authLimit), ("runSilence", \.runSilence),
            ("messagesLimit", \.messagesLimit), ("recoveryLimit", \.recoveryLimit),
        ]
    }

    /// The options in a recorded configuration; what it lacks is as by default.
    init(_ config: JSONObject) {
        self.init()
        sdk = config["sdk"]?.string ?? sdk
        deviceId = config["deviceId"]?.string
        for (key, path) in CometChatOptions.times {
            self[keyPath: path] = config[key]?.integer ?? self[keyPath: path]
        }
        if let policy = config["reconnection"] { reconnection = RetryPolicy(policy) }
        retry = RetryPolicy(config["retry"])
    }
}

extension AppSettings {
    /// The settings in a recorded configuration.
    init(_ config: JSONObject) {
        self.init(
            region: config["region"]?.string ?? "us", baseURL: config["baseURL"]?.string,
            socketURL: config["socketURL"]?.string,
            presence: config["presence"]?.string.flatMap(Presence.init) ?? .none)
    }
}
