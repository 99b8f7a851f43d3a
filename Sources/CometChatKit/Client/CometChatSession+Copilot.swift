import RepriseTransport
public import RepriseWire

extension CometChatSession {
    /// Answers that the user may want to give: by `positive`, `neutral` and `negative`.
    ///
    /// - Parameters:
    ///   - receiverId: Who the conversation is with.
    ///   - receiverType: Whether that is a user or a group.
    ///   - configuration: What the service is to look at, e.g. `lastNMessages`.
    public func smartReplies(
        receiverId: String, receiverType: OutgoingMessage.ReceiverType = .user,
        configuration: JSONObject = [:]
    ) async throws -> [String: String] {
        let data = try await core.advice(
            "smartReplies", "smart-replies", receiverId, receiverType, configuration)
        guard let members = data.object?.members else { throw SessionCore.noAdvice }
        let texts = members.compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
        return Dictionary(texts) { $1 }
    }

    /// Texts that the user may begin the conversation with.
    public func conversationStarter(
        receiverId: String, receiverType: OutgoingMessage.ReceiverType = .user,
        configuration: JSONObject = [:]
    ) async throws -> [String] {
        let data = try await core.advice(
            "conversationStarter", "conversation-starter", receiverId, receiverType, configuration)
        // Some versions of the service number them in an object.
        let values = data.array ?? data.object?.members.map(\.value)
        guard let values else { throw SessionCore.noAdvice }
        return values.compactMap(\.string)
    }

    /// What the conversation is about.
    public func conversationSummary(
        receiverId: String, receiverType: OutgoingMessage.ReceiverType = .user,
        configuration: JSONObject = [:]
    ) async throws -> String {
        let data = try await core.advice(
            "conversationSummary", "conversation-summary", receiverId, receiverType, configuration)
        let text = data.string ?? data.object?.members.compactMap(\.value.string).first
        guard let text else { throw SessionCore.noAdvice }
        return text
    }
}

extension SessionCore {
    fileprivate static var noAdvice: CometChatException {
        CometChatException(.badReply, "the service's answer has another form than is known")
    }

    fileprivate func advice(
        _ op: String, _ name: String, _ receiver: String,
        _ type: OutgoingMessage.ReceiverType, _ configuration: JSONObject
    ) async throws -> JSON {
        var args: JSONObject = [
            "receiver": .string(receiver), "receiverType": .string(type.rawValue),
        ]
        if !configuration.members.isEmpty { args["configuration"] = .object(configuration) }
        return try await operation(op, .object(args), result: \JSON.self) {
            operation in
            _ = try loggedIn()
            return try await operation.data(
                try operation.request(
                    "GET", ["ai", name, type == .user ? "users" : "groups", receiver],
                    query: Self.query(configuration)))
        }
    }

    private static func query(_ configuration: JSONObject) -> String {
        let pairs = configuration.members.map { member in
            let value = member.value.string ?? member.value.serialized
            return PathSegment.percentEncoded(member.key) + "=" + PathSegment.percentEncoded(value)
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}
