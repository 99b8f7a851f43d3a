public import RepriseTransport
public import RepriseWire

/// Runs the recorded operations of an AGO client again.
///
/// Credentials are masked on a tape, so the client is built with stars in their place.
public struct AgoReplayer: ClientReplayer {
    /// `ago`
    public static let client = "ago"

    private let chat: any AgoChat

    /// Builds the client: ``AgoChatSDK`` where the mode is `jwt`, ``AgoChatWidgetSDK`` for
    /// `widget`.
    ///
    /// - Throws: ``AgoError`` with the code `ago.badArgument` for a configuration that lacks the
    ///   base URL, the origin or the mode.
    public init(config: JSONObject, transport: any Transport) throws {
        guard let baseURL = config["baseURL"]?.string, let origin = config["origin"]?.string,
            let mode = config["mode"]?.string.flatMap(AgoMode.init)
        else {
            throw AgoError(.badArgument, "the recorded configuration is not that of a client")
        }
        let widgetId = config["widgetId"]?.string ?? Self.stars
        let options = AgoReplayer.options(config)
        switch mode {
        case .jwt:
            chat = AgoChatSDK(
                authToken: Self.stars, widgetId: widgetId, origin: origin, baseURL: baseURL,
                transport: transport, options: options)
        case .widget:
            chat = AgoChatWidgetSDK(
                widgetId: widgetId, origin: origin, userEmail: config["email"]?.string,
                baseURL: baseURL, transport: transport, options: options)
        }
    }

    private static let stars = Masking.stars("not-on-the-tape")

    private static func options(_ config: JSONObject) -> AgoOptions {
        var options = AgoOptions()
        options.stopsAtDone = config["stopsAtDone"]?.bool ?? options.stopsAtDone
        if let retry = config["retry"] {
            let attempts = retry["maximumAttempts"]?.integer.flatMap { Int(exactly: $0) }
            options.retry = AgoRetryPolicy(
                maximumAttempts: attempts ?? options.retry.maximumAttempts,
                baseDelay: retry["baseDelay"]?.integer ?? options.retry.baseDelay,
                maximumDelay: retry["maximumDelay"]?.integer ?? options.retry.maximumDelay)
        }
        return options
    }

    /// Runs an operation by its name in the journal, which is that of the method.
    ///
    /// - Throws: ``AgoError``; with the code `ago.badArgument` for a name that is none.
    public func perform(op: String, args: JSON) async throws {
        switch op {
        case "getConversations":
            _ = try await chat.getConversations()
        case "getConversation":
            _ = try await chat.getConversation(conversationId: args.text("conversationId"))
        case "createTicket":
            _ = try await chat.createTicket(
                subject: args.text("subject"), typology: args.text("typology"),
                priority: args.text("priority"), body: args.text("body"),
                conversationId: args["conversationId"]?.string)
        case "sendMessage":
            try await chat.sendMessage(
                content: args.text("content"), threadId: args["threadId"]?.string)
        case "streamMessage":
            let updates = chat.streamMessage(
                content: try args.text("content"), threadId: args["threadId"]?.string)
            for try await _ in updates {}
        case "resetWidgetId":
            try (chat as? AgoChatWidgetSDK)?.resetWidgetId()
        default:
            throw AgoError(.badArgument, "there is no operation of that name")
        }
    }
}

extension JSON {
    fileprivate func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else {
            throw AgoError(.badArgument, "the recorded operation lacks its argument \(key)")
        }
        return text
    }
}
