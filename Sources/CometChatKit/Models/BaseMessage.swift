import RepriseWire

/// A message that the service keeps, or one that is to be sent.
public class BaseMessage {
    /// The message in values.
    public internal(set) var message: ChatMessage
    /// Who it goes to, where it is to be sent.
    package var outgoing: OutgoingMessage?

    init(_ message: ChatMessage) { self.message = message }

    init(_ outgoing: OutgoingMessage) {
        self.outgoing = outgoing
        message = ChatMessage(outgoing.body(muid: ""))
    }

    /// The message's id; 0 as long as it is not sent.
    public var id: Int { Int(exactly: message.id ?? 0) ?? 0 }
    /// The sender's own id for it.
    public var muid: String { message.muid }
    /// Who sent it.
    public var senderUid: String { message.sender }
    /// Who it goes to.
    public var receiverUid: String { message.receiver }
    /// Whether it goes to a user or to a group.
    public var receiverType: CometChat.ReceiverType {
        CometChat.ReceiverType(rawValue: message.receiverType) ?? .user
    }
    /// The conversation that it belongs to.
    public var conversationId: String { message.conversationId }
    /// `message`, `agentic`, `custom` and others.
    public var category: String { message.category }
    /// `text`, `image`, `assistant` and others.
    public var type: String { message.type }
    /// When it was sent, in seconds since 1970; 0 as long as it is not.
    public var sentAt: Int { Int(exactly: message.sentAt ?? 0) ?? 0 }
    /// The message whose thread it belongs to; 0 for none.
    public var parentMessageId: Int {
        get { Int(exactly: message.parentId ?? 0) ?? 0 }
        set {
            message.parentId = newValue == 0 ? nil : Int64(newValue)
            outgoing?.parentId = message.parentId
        }
    }
    /// What goes with it.
    public var metaData: [String: Any]? {
        get { message.body["data"]?["metadata"]?.object?.any ?? outgoing?.metadata?.any }
        set { outgoing?.metadata = newValue.map { JSONObject(any: $0) } }
    }
    /// What to find it by.
    public var tags: [String] {
        get { outgoing?.tags ?? message.body["tags"]?.array?.compactMap(\.string) ?? [] }
        set { outgoing?.tags = newValue }
    }

    /// The message as the service sent it.
    public func getRawData() -> [String: Any] { message.body.any }

    /// The message in the class of its kind.
    package static func make(_ message: ChatMessage) -> BaseMessage {
        switch message.agenticKind {
        case .assistant: return AIAssistantMessage(message)
        case .toolResult: return AIToolResultMessage(message)
        case .toolArguments: return AIToolArgumentMessage(message)
        case nil: break
        }
        switch (message.category, message.type) {
        case ("message", "text"): return TextMessage(message)
        case ("message", "image"), ("message", "video"), ("message", "audio"), ("message", "file"):
            return MediaMessage(message)
        case ("custom", _): return CustomMessage(message)
        default: return BaseMessage(message)
        }
    }
}

extension BaseMessage: CustomStringConvertible {
    /// What it is and its id, without any of what it says.
    public var description: String {
        "\(Swift.type(of: self))(\(category)/\(type), id \(id))"
    }
}
