public import RepriseTape
public import RepriseWire

/// A whole piece of an exchange, decoded as far as any protocol goes.
public struct ExchangeUnit: Sendable {
    /// The exchange that it belongs to, as far as it is known by now.
    public var exchange: ExchangeHead
    /// Where it begins, and when it was complete.
    public var place: Place
    /// What it is.
    public var content: Content

    /// A unit.
    public init(_ content: Content, of exchange: ExchangeHead, at place: Place) {
        self.exchange = exchange
        self.place = place
        self.content = content
    }
}

extension ExchangeUnit {
    /// What a unit is. In the order of an exchange.
    public enum Content: Sendable {
        /// The request is out, or as much of it as ever left.
        case request
        /// The head of the response.
        case response(ResponseRecord)
        /// An event of an event stream.
        case event(StreamEvent)
        /// A comment of an event stream.
        case comment
        /// The whole body of a response that is no event stream, as JSON.
        case document(JSON)
        /// One message of a WebSocket, joined and inflated.
        case message(SocketMessage)
        /// It ended.
        case end(Closing)
    }

    /// How an exchange ended.
    public struct Closing: Sendable, Hashable {
        /// How it ended, or nil where its recorder died.
        public var how: EndRecord.How?
        /// Whether an answer came and all of it could be read: status and content type are those of
        /// the expected body, and its coding decodes.
        public var isReadable: Bool
        /// Whether the app closed first, where it is a WebSocket.
        public var isByApp: Bool

        /// An end.
        public init(how: EndRecord.How?, isReadable: Bool, isByApp: Bool = false) {
            self.how = how
            self.isReadable = isReadable
            self.isByApp = isByApp
        }
    }

    /// An event of an event stream (WHATWG HTML section 9.2).
    public struct StreamEvent: Sendable, Hashable {
        /// Its type; `message` where the stream names none.
        public var type: String
        /// The UTF-8 bytes of its data, lines joined by a line feed.
        public var bytes: [UInt8]
        /// Offset in the decoded stream at which its data begins; exact where the data is one line.
        public var dataOffset: UInt64

        /// An event.
        public init(type: String, bytes: [UInt8], dataOffset: UInt64) {
            self.type = type
            self.bytes = bytes
            self.dataOffset = dataOffset
        }

        /// Its data.
        public var data: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A message of a WebSocket (RFC 6455 section 5.6).
    public struct SocketMessage: Sendable, Hashable {
        /// Whether the server sent it.
        public var isFromServer: Bool
        /// Whether it is text.
        public var isText: Bool
        /// The payload.
        public var bytes: [UInt8]

        /// A message.
        public init(isFromServer: Bool, isText: Bool, bytes: [UInt8]) {
            self.isFromServer = isFromServer
            self.isText = isText
            self.bytes = bytes
        }
    }
}
