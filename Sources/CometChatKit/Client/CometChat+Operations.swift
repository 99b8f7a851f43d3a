import RepriseWire

extension CometChat {
    /// Logs a user in with a token that the app's own server asked the service for.
    public static func login(
        authToken: String, onSuccess: @escaping @MainActor @Sendable (User) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException) -> Void
    ) {
        perform(onSuccess: onSuccess, onError: onError) {
            try await $0.login(authToken: authToken)
        }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Logs a user in by id, with a key that may log anybody in.
    public static func login(
        UID: String, authKey: String, onSuccess: @escaping @MainActor @Sendable (User) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException) -> Void
    ) {
        perform(onSuccess: onSuccess, onError: onError) {
            try await $0.login(uid: UID, authKey: authKey)
        }
    }

    /// Logs the user out.
    public static func logout(
        onSuccess: @escaping @MainActor @Sendable (String) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException) -> Void
    ) {
        perform(onSuccess: onSuccess, onError: onError) {
            try await $0.logout()
            return "The user is logged out."
        }
    }

    /// The user who is logged in.
    public static func getLoggedInUser() -> User? { session?.user }

    /// Sends a text.
    ///
    /// - Parameters:
    ///   - message: The text.
    ///   - onSuccess: Given the message as the service keeps it.
    ///   - onError: Given why it was not sent.
    public static func sendTextMessage(
        message: TextMessage, onSuccess: @escaping @MainActor @Sendable (TextMessage) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        send(message, onSuccess: { onSuccess(TextMessage($0)) }, onError: onError)
    }

    /// Sends a file; agents do not answer to it.
    public static func sendMediaMessage(
        message: MediaMessage, onSuccess: @escaping @MainActor @Sendable (MediaMessage) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        send(message, onSuccess: { onSuccess(MediaMessage($0)) }, onError: onError)
    }

    /// Sends a message of the app's own kind; agents do not answer to it.
    public static func sendCustomMessage(
        message: CustomMessage, onSuccess: @escaping @MainActor @Sendable (CustomMessage) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        send(message, onSuccess: { onSuccess(CustomMessage($0)) }, onError: onError)
    }

    private static func send(
        _ message: BaseMessage, onSuccess: @escaping @MainActor @Sendable (ChatMessage) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        let outgoing = message.outgoing
        perform(onSuccess: onSuccess, onError: onError) { session in
            guard let outgoing else {
                throw CometChatException(
                    .badArgument, "a message that came is not to be sent: make a new one")
            }
            return try await session.send(outgoing)
        }
    }

    /// Adds a listener to live events of agents, in the place of one with the same id.
    public static func addAIAssistantListener(
        _ id: String, _ delegate: any AIAssistantEventsDelegate
    ) {
        listening.add(id, assistant: delegate)
    }

    /// Removes a listener to live events of agents.
    public static func removeAIAssistantListener(_ id: String) {
        listening.remove(id, .assistant)
    }

    /// Adds a listener to messages, in the place of one with the same id.
    public static func addMessageListener(
        _ id: String, _ delegate: any CometChatMessageDelegate
    ) {
        listening.add(id, message: delegate)
    }

    /// Removes a listener to messages.
    public static func removeMessageListener(_ id: String) { listening.remove(id, .message) }

    /// Asks for answers that the user may want to give, by `positive`, `neutral` and `negative`.
    public static func getSmartReplies(
        receiverId: String, receiverType: ReceiverType, configuration: [String: Any]? = nil,
        onSuccess: @escaping @MainActor @Sendable ([String: String]) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        let configuration = JSONObject(any: configuration ?? [:])
        perform(onSuccess: onSuccess, onError: onError) {
            try await $0.smartReplies(
                receiverId: receiverId, receiverType: receiverType.type,
                configuration: configuration)
        }
    }

    /// Asks for texts that the user may begin the conversation with.
    public static func getConversationStarter(
        receiverId: String, receiverType: ReceiverType, configuration: [String: Any]? = nil,
        onSuccess: @escaping @MainActor @Sendable ([String]) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        let configuration = JSONObject(any: configuration ?? [:])
        perform(onSuccess: onSuccess, onError: onError) {
            try await $0.conversationStarter(
                receiverId: receiverId, receiverType: receiverType.type,
                configuration: configuration)
        }
    }

    /// Asks what the conversation is about.
    public static func getConversationSummary(
        receiverId: String, receiverType: ReceiverType, configuration: [String: Any]? = nil,
        onSuccess: @escaping @MainActor @Sendable (String) -> Void,
        onError: @escaping @MainActor @Sendable (CometChatException?) -> Void
    ) {
        let configuration = JSONObject(any: configuration ?? [:])
        perform(onSuccess: onSuccess, onError: onError) {
            try await $0.conversationSummary(
                receiverId: receiverId, receiverType: receiverType.type,
                configuration: configuration)
        }
    }
}
