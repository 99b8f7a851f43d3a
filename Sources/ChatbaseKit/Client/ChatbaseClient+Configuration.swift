import RepriseTransport
import RepriseWire

/// Who a request comes from.
struct ChatbaseIdentity: Sendable {
    var deviceId: String
    var token: String?
    /// The state of the client that it belongs to.
    var epoch: Int
    /// The number by which operations name the client; nil before it has introduced itself.
    var client: UInt64?

    /// What may appear nowhere but in a request.
    var secrets: [String] { [token].compactMap { $0 } }
}

extension ChatbaseClient {
    /// What it takes to build the client again; credentials masked.
    var configuration: JSONObject {
        var config = JSONObject()
        config["baseURL"] = .string(baseURL)
        config["agentId"] = .string(agentId)
        config["mode"] = .string(options.mode.rawValue)
        if case .fixed(let text) = options.deviceId { config["deviceId"] = .string(text) }
        config["userToken"] = options.userToken.map { .string(Masking.stars($0)) }
        config["userAgent"] = .string(options.userAgent)
        config["maxToolLoopSteps"] = .integer(maxToolLoopSteps)
        config["retry"] = options.retry.json
        return config
    }
}

extension ChatbaseOptions {
    /// The options in a recorded configuration; what it lacks is as by default.
    init(_ config: JSONObject) {
        self.init(userToken: config["userToken"]?.string)
        mode = config["mode"]?.string.flatMap(Mode.init) ?? mode
        deviceId = config["deviceId"]?.string.map { .fixed($0) } ?? deviceId
        userAgent = config["userAgent"]?.string ?? userAgent
        retry = RetryPolicy(config["retry"])
    }
}
