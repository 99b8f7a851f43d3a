public import RepriseTransport
public import RepriseWire

/// Builds a CometChat session from a tape and runs its recorded operations again.
///
/// It has no listeners of its own: those of the tape are added and removed without anybody behind
/// them.
public struct CometChatReplayer: ClientReplayer {
    /// `cometchat`
    public static let client = "cometchat"

    private let session: CometChatSession

    /// Builds the session from its recorded configuration; its credentials are stand-ins.
    ///
    /// - Throws: ``CometChatException`` where the configuration lacks the app.
    public init(config: JSONObject, transport: any Transport) throws {
        guard let appId = config["appId"]?.string else {
            throw CometChatException(
                .badArgument, "the recorded configuration lacks the app")
        }
        session = CometChatSession(
            appId: appId, settings: AppSettings(config), transport: transport,
            options: CometChatOptions(config))
    }

    /// Runs a recorded operation.
    ///
    /// - Throws: What the operation throws, and ``CometChatException`` for an operation that the
    ///   session does not have or that lacks an argument.
    public func perform(op: String, args: JSON) async throws {
        switch op {
        case "login": try await logIn(args)
        case "logout": try await session.logout()
        case "sendTextMessage", "sendMediaMessage", "sendCustomMessage":
            guard let message = OutgoingMessage(op: op, args: args) else {
                throw Self.lacks("receiver or content")
            }
            try await session.send(message)
        case "run":
            guard let id = args["message"]?.integer else { throw Self.lacks("message") }
            try await session.run(of: id)
        case "smartReplies", "conversationStarter", "conversationSummary":
            try await ask(op, args)
        default: try listen(op, try args.text("id"))
        }
    }

    private func logIn(_ args: JSON) async throws {
        if args["uid"] != nil {
            try await session.login(uid: try args.text("uid"), authKey: try args.text("authKey"))
        } else {
            try await session.login(authToken: try args.text("authToken"))
        }
    }

    private func ask(_ op: String, _ args: JSON) async throws {
        let receiver = try args.text("receiver")
        let type =
            args["receiverType"]?.string.flatMap(OutgoingMessage.ReceiverType.init) ?? .user
        let configuration = args["configuration"]?.object ?? [:]
        switch op {
        case "smartReplies":
            _ = try await session.smartReplies(
                receiverId: receiver, receiverType: type, configuration: configuration)
        case "conversationStarter":
            _ = try await session.conversationStarter(
                receiverId: receiver, receiverType: type, configuration: configuration)
        default:
            _ = try await session.conversationSummary(
                receiverId: receiver, receiverType: type, configuration: configuration)
        }
    }

    private func listen(_ op: String, _ id: String) throws {
        switch op {
        case "addAIAssistantListener": session.core.add(id, assistant: nil)
        case "addMessageListener": session.core.add(id, message: nil)
        case "removeAIAssistantListener": session.core.remove(id, .assistant)
        case "removeMessageListener": session.core.remove(id, .message)
        default:
            throw CometChatException(
                .badArgument, "the CometChat client has no such operation")
        }
    }

    fileprivate static func lacks(_ what: String) -> CometChatException {
        CometChatException(.badArgument, "the recorded operation lacks its argument \(what)")
    }
}

extension JSON {
    fileprivate func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else { throw CometChatReplayer.lacks(key) }
        return text
    }
}
