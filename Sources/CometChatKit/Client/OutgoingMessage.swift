public import RepriseWire

/// A message that is to be sent.
public struct OutgoingMessage: Sendable, Hashable {
    /// A user's or a group's id.
    public var receiver: String
    /// Whether the receiver is a user or a group.
    public var receiverType: ReceiverType
    /// What it is.
    public var content: Content
    /// The message whose thread it belongs to.
    public var parentId: Int64?
    /// What goes with it for other clients.
    public var metadata: JSONObject?
    /// What to find it by.
    public var tags: [String]

    /// What a message is.
    public enum Content: Sendable, Hashable {
        /// A text, the only thing that agents answer to.
        case text(String)
        /// A file that can be fetched; its type is `image`, `video`, `audio` or `file`.
        case media(url: String, type: String)
        /// Anything, under a type of the app's own.
        case custom(JSONObject, type: String)
    }

    /// Who a message goes to.
    public enum ReceiverType: String, Sendable, Hashable {
        /// A user or an agent.
        case user
        /// A group.
        case group
    }

    /// Creates a message.
    public init(
        to receiver: String, _ content: Content, receiverType: ReceiverType = .user,
        parentId: Int64? = nil, metadata: JSONObject? = nil, tags: [String] = []
    ) {
        self.receiver = receiver
        self.receiverType = receiverType
        self.content = content
        self.parentId = parentId
        self.metadata = metadata
        self.tags = tags
    }
}

extension OutgoingMessage {
    /// The operation that sends it.
    package var op: String {
        switch content {
        case .text: "sendTextMessage"
        case .media: "sendMediaMessage"
        case .custom: "sendCustomMessage"
        }
    }

    /// What the operation's beginning says.
    package var args: JSON {
        var args: JSONObject = [
            "receiver": .string(receiver), "receiverType": .string(receiverType.rawValue),
        ]
        switch content {
        case .text(let text): args["text"] = .string(text)
        case .media(let url, let type):
            args["url"] = .string(url)
            args["type"] = .string(type)
        case .custom(let data, let type):
            args["customData"] = .object(data)
            args["type"] = .string(type)
        }
        args["parentId"] = parentId.map { .integer($0) }
        args["metadata"] = metadata.map { .object($0) }
        if !tags.isEmpty { args["tags"] = .array(tags.map { .string($0) }) }
        return .object(args)
    }

    /// The message of a recorded operation; nil where it lacks something or is another one.
    package init?(op: String, args: JSON) {
        guard let receiver = args["receiver"]?.string,
            let content = Content(op: op, args: args)
        else { return nil }
        self.init(
            to: receiver, content,
            receiverType: args["receiverType"]?.string.flatMap(ReceiverType.init) ?? .user,
            parentId: args["parentId"]?.integer, metadata: args["metadata"]?.object,
            tags: args["tags"]?.array?.compactMap(\.string) ?? [])
    }

    /// The body of the request that sends it.
    func body(muid: String) -> JSONObject {
        var data = JSONObject()
        var category = "message"
        let kind: String
        switch content {
        case .text(let text):
            kind = "text"
            data["text"] = .string(text)
        case .media(let url, let type):
            kind = type
            data["attachments"] = [["url": .string(url)]]
        case .custom(let custom, let type):
            category = "custom"
            kind = type
            data["customData"] = .object(custom)
        }
        data["metadata"] = metadata.map { .object($0) }
        var body: JSONObject = [
            "receiver": .string(receiver), "receiverType": .string(receiverType.rawValue),
            "category": .string(category), "type": .string(kind), "data": .object(data),
            "muid": .string(muid),
        ]
        if !tags.isEmpty { body["tags"] = .array(tags.map { .string($0) }) }
        return body
    }
}

extension OutgoingMessage.Content {
    fileprivate init?(op: String, args: JSON) {
        switch op {
        case "sendTextMessage":
            guard let text = args["text"]?.string else { return nil }
            self = .text(text)
        case "sendMediaMessage":
            guard let url = args["url"]?.string, let type = args["type"]?.string else {
                return nil
            }
            self = .media(url: url, type: type)
        case "sendCustomMessage":
            guard let data = args["customData"]?.object, let type = args["type"]?.string else {
                return nil
            }
            self = .custom(data, type: type)
        default: return nil
        }
    }
}
