package import RepriseWire

/// The frame that tells the service who the client is.
struct CometChatAuth {
    let core: SessionCore
    let identity: CometChatIdentity

    var json: JSON {
        var body: JSONObject = ["auth": .string(identity.jwt ?? identity.authToken ?? "")]
        if core.settings.presence != .none {
            body["presenceSubscription"] = .string(core.settings.presence.rawValue)
        }
        body["deviceId"] = .string(identity.deviceId)
        let parts = core.options.sdk.split(separator: "@", maxSplits: 1).map(String.init)
        body["params"] = [
            "platform": .string(parts.first ?? ""), "deviceId": .string(identity.deviceId),
            "appInfo": ["version": .string(parts.last ?? ""), "apiVersion": "v3.0"],
        ]
        return [
            "appId": .string(core.appId), "type": "auth",
            "deviceId": .string(identity.deviceId), "body": .object(body),
        ]
    }
}

/// The message that keeps the socket open, and the service's answer to it.
package enum CometChatPing {
    static let text = #"{"action":"ping","ack":true}"#
    /// What the service answers.
    static let answer = #"{"action":"pong","ack":true}"#

    /// Whether a message is one of the two.
    package static let isKeepAlive: @Sendable (WebSocketMessage) -> Bool = { message in
        // They are short; what is long need not be parsed.
        guard message.kind == .text, message.bytes.count <= 256,
            let action = (try? JSON.parse(message.bytes))?.value["action"]?.string
        else { return false }
        return action == "ping" || action == "pong"
    }
}

extension WebSocketCloseCode {
    /// What the vendor's clients close with at a logout; elsewhere it tells a protocol error.
    static let userLoggedOut = WebSocketCloseCode.protocolError
}
