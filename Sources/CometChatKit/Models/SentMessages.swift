import RepriseWire

/// A text.
public final class TextMessage: BaseMessage {
    /// The text.
    public var text: String { message.text }

    /// Creates a text that is to be sent.
    ///
    /// - Parameters:
    ///   - receiverUid: Who it goes to.
    ///   - text: The text.
    ///   - receiverType: Whether that is a user or a group.
    public init(receiverUid: String, text: String, receiverType: CometChat.ReceiverType) {
        super.init(
            OutgoingMessage(to: receiverUid, .text(text), receiverType: receiverType.type))
    }

    override init(_ message: ChatMessage) { super.init(message) }

    /// What moderation has made of it: `pending`, `approved` or `disapproved`; nil where it is not
    /// moderated.
    public func getModerationStatus() -> String? { message.moderation?.rawValue }
}

/// A file that can be fetched. Agents do not answer to it.
public final class MediaMessage: BaseMessage {
    /// Creates a file that is to be sent.
    ///
    /// - Parameters:
    ///   - receiverUid: Who it goes to.
    ///   - fileurl: Where it can be fetched.
    ///   - messageType: `image`, `video`, `audio` or `file`.
    ///   - receiverType: Whether the receiver is a user or a group.
    public init(
        receiverUid: String, fileurl: String, messageType: CometChat.MessageType,
        receiverType: CometChat.ReceiverType
    ) {
        super.init(
            OutgoingMessage(
                to: receiverUid, .media(url: fileurl, type: messageType.rawValue),
                receiverType: receiverType.type))
    }

    override init(_ message: ChatMessage) { super.init(message) }

    /// Where the first of its files can be fetched.
    public var url: String? { message.body["data"]?["attachments"]?[0]?["url"]?.string }

    /// What moderation has made of it; nil where it is not moderated.
    public func getModerationStatus() -> String? { message.moderation?.rawValue }
}

/// Anything, under a type of the app's own. Agents do not answer to it.
public final class CustomMessage: BaseMessage {
    /// Creates a message that is to be sent.
    ///
    /// - Parameters:
    ///   - receiverUid: Who it goes to.
    ///   - receiverType: Whether that is a user or a group.
    ///   - customData: What it is.
    ///   - type: The app's own name for its kind.
    public init(
        receiverUid: String, receiverType: CometChat.ReceiverType, customData: [String: Any],
        type: String
    ) {
        super.init(
            OutgoingMessage(
                to: receiverUid, .custom(JSONObject(any: customData), type: type),
                receiverType: receiverType.type))
    }

    override init(_ message: ChatMessage) { super.init(message) }

    /// What it is.
    public var customData: [String: Any]? { message.body["data"]?["customData"]?.object?.any }
}
