public import RepriseTransport
public import RepriseWire

/// Builds an AGO client from a tape and runs its recorded operations again.
public struct AgoClientReplayer: ClientReplayer {
    /// `ago`
    public static let client = "ago"

    private let sdk: any AgoChat

    /// Builds the client from its recorded configuration; its credentials are stand-ins.
    ///
    /// - Throws: ``AgoError`` with code `ago.badArgument` where the configuration lacks something.
    public init(config: JSONObject, transport: any Transport) throws {
        let text = { (key: String) throws(AgoError) in
            guard let value = config[key]?.string else { throw Self.lacks(key) }
            return value
        }
        let baseURL = try text("baseURL")
        let origin = try text("origin")
        let widgetId = config["widgetId"]?.string ?? "*"
        let options = AgoOptions(config)
        switch AgoMode(rawValue: try text("mode")) {
        case .jwt:
            sdk = AgoChatSDK(
                authToken: "*", widgetId: widgetId, origin: origin, baseURL: baseURL,
                transport: transport, options: options)
        case .widget:
            sdk = AgoChatWidgetSDK(
                widgetId: widgetId, origin: origin, userEmail: config["email"]?.string,
                baseURL: baseURL, transport: transport, options: options)
        case nil: throw Self.lacks("mode")
        }
    }

    private static func lacks(_ key: String) -> AgoError {
        AgoError(.badArgument, "the recorded configuration of the client lacks '\(key)'")
    }

    /// Runs a recorded operation.
    ///
    /// - Throws: What the operation throws, and ``AgoError`` with code `ago.badArgument` for an
    ///   operation that the client does not have, or without an argument that it needs.
    public func perform(op: String, args: JSON) async throws {
        let text = { (key: String) throws(AgoError) in
            guard let value = args[key]?.string else {
                throw AgoError(.badArgument, "the recorded operation lacks its argument '\(key)'")
            }
            return value
        }
        switch op {
        case "getConversations": _ = try await sdk.getConversations()
        case "getConversation":
            _ = try await sdk.getConversation(conversationId: try text("conversationId"))
        case "sendMessage":
            try await sdk.sendMessage(
                content: try text("content"), threadId: args["threadId"]?.string)
        case "streamMessage":
            let updates = sdk.streamMessage(
                content: try text("content"), threadId: args["threadId"]?.string)
            for try await _ in updates {}
        case "createTicket":
            _ = try await sdk.createTicket(
                subject: try text("subject"), typology: try text("typology"),
                priority: try text("priority"), body: try text("body"),
                conversationId: args["conversationId"]?.string)
        case "resetWidgetId": try (sdk as? AgoChatWidgetSDK)?.resetWidgetId()
        default: throw AgoError(.badArgument, "the AGO client has no such operation")
        }
    }
}

extension AgoOptions {
    /// The options in a recorded configuration; what it lacks is as by default.
    init(_ config: JSONObject) {
        self.init()
        stopsAtDone = config["stopsAtDone"]?.bool ?? stopsAtDone
        retry = RetryPolicy(config["retry"])
    }
}
