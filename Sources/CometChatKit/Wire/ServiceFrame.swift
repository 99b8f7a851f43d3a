public import RepriseWire

/// What the service says in one text message of the socket: an envelope and what is in it.
public struct ServiceFrame: Sendable, Hashable {
    /// `type` as it was written; empty where there is none.
    public var type = ""
    /// `appId`
    public var appId = ""
    /// `sender`: a user's or an agent's id.
    public var sender = ""
    /// `receiver`: a user's or a group's id.
    public var receiver = ""
    /// `receiverType`: `user` or `group`.
    public var receiverType = ""
    /// `deviceId` of what caused it: a client drops what it caused itself.
    public var deviceId = ""
    /// Whether it came without an envelope.
    public var isBare = false
    /// What is in it.
    public var content = Content.other
    /// Members of the envelope of another type than declared; those of the content are in it.
    public var mismatches: [JSON.Mismatch] = []

    /// What a frame is about.
    public enum Content: Sendable, Hashable {
        /// The answer to who the client is.
        case auth(AuthReply)
        /// The answer to a ping.
        case pong
        /// A live event of an agent.
        case event(AgentEvent)
        /// A message that the service keeps, an agent's or another.
        case message(ChatMessage)
        /// What moderation made of a message.
        case moderation(ChatMessage)
        /// Something of no matter here, such as typing.
        case other
    }

    /// The service's answer to who the client is.
    public struct AuthReply: Sendable, Hashable {
        /// `body.code`
        public var code: Int64?
        /// `body.status`
        public var status = ""

        /// Whether the client is let in: 200 and `OK`.
        public var isAccepted: Bool { code == 200 && status.lowercased() == "ok" }
    }

    /// Whether it is an echo of what the client with that id did, which is to be dropped.
    public func isEcho(of deviceId: String) -> Bool {
        switch content {
        case .auth, .moderation: false
        default: !deviceId.isEmpty && self.deviceId == deviceId
        }
    }

    /// What is wrong in the envelope and its content, with paths from the frame.
    public var allMismatches: [JSON.Mismatch] {
        let inner =
            switch content {
            case .event(let event): event.mismatches
            case .message(let message), .moderation(let message): message.mismatches
            default: [] as [JSON.Mismatch]
            }
        return mismatches
            + inner.map { mismatch in
                var mismatch = mismatch
                if !isBare { mismatch.path = "body." + mismatch.path }
                return mismatch
            }
    }
}

/// What one text message of the socket is.
public enum ServiceItem: Sendable, Hashable {
    /// A frame, of a known type or not.
    case frame(ServiceFrame)
    /// JSON, but not an object.
    case notObject
    /// Not JSON.
    case notJSON(JSON.ParseError)

    /// Reads a text message.
    public init(_ bytes: [UInt8]) {
        do {
            self.init(try JSON.parse(bytes))
        } catch {
            self = .notJSON(error)
        }
    }

    /// Reads a parsed text message.
    public init(_ document: JSON.Document) {
        self = ServiceFrame(document).map { .frame($0) } ?? .notObject
    }
}
