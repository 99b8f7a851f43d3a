/// One frame of a tape: something that happened at a time.
public struct Frame: Sendable, Hashable {
    /// Its number over the tape, from 0.
    public var number: UInt64
    /// The exchange it belongs to: one HTTP request or one WebSocket connection; 0 is the session.
    public var exchange: UInt64
    /// Nanoseconds since the session's start: when what it records happened, not when it was
    /// written.
    public var time: Int64
    /// What it records.
    public var kind: Kind
    /// The bytes of its kind: for a binary kind the bytes themselves, else a JSON object.
    public var payload: [UInt8]
    /// False in the last member of an unsealed tape, which no checksum vouches for.
    public var isVerified: Bool

    /// A frame with a payload as stored.
    public init(
        number: UInt64 = 0, exchange: UInt64, time: Int64, kind: Kind, payload: [UInt8],
        isVerified: Bool = true
    ) {
        self.number = number
        self.exchange = exchange
        self.time = time
        self.kind = kind
        self.payload = payload
        self.isVerified = isVerified
    }
}

extension Frame {
    /// What a frame records: one byte on the tape, a name in the JSONL form.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The byte on the tape.
        public var rawValue: UInt8

        /// A kind by its byte, known or not.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The session: always the first frame.
        public static let session = Kind(rawValue: 1)
        /// An exchange opens.
        public static let request = Kind(rawValue: 2)
        /// Bytes of a request's body, one frame per write.
        public static let requestBody = Kind(rawValue: 3)
        /// The request is out.
        public static let requestEnd = Kind(rawValue: 4)
        /// The head of the response.
        public static let response = Kind(rawValue: 5)
        /// Bytes of a response's body as received, still content-coded, one frame per delivery.
        public static let responseBody = Kind(rawValue: 6)
        /// How an exchange ended.
        public static let end = Kind(rawValue: 7)
        /// One WebSocket frame.
        public static let socketFrame = Kind(rawValue: 8)
        /// Where the time before the response went.
        public static let phases = Kind(rawValue: 9)
        /// A client-side tool handler started or finished.
        public static let tool = Kind(rawValue: 10)
        /// A value that the client drew at random.
        public static let entropy = Kind(rawValue: 11)
        /// A label from the app or the operator.
        public static let note = Kind(rawValue: 12)
        /// Which bytes of which frame are masked.
        public static let masked = Kind(rawValue: 13)
        /// A client operation began or ended.
        public static let call = Kind(rawValue: 14)
        /// The app held the stream.
        public static let held = Kind(rawValue: 15)
        /// Restores bytes that were masked provisionally.
        public static let reveal = Kind(rawValue: 16)
        /// Response bytes after content decoding, where the coded form could not be kept.
        public static let decodedBody = Kind(rawValue: 17)
        /// Which client, with its configuration.
        public static let client = Kind(rawValue: 18)
        /// The tape's index; never handed out by a reader.
        public static let index = Kind(rawValue: 127)

        /// Kinds whose payload is bytes and not a JSON object.
        public var isBinary: Bool {
            switch self {
            case .requestBody, .responseBody, .socketFrame, .reveal, .decodedBody: true
            default: name == nil
            }
        }

        /// The name in the JSONL form; nil for a kind that this version does not know.
        public var name: String? { Kind.names.first { $0.kind == self }?.name }

        /// The kind of that name; nil where there is none.
        public init?(name: String) {
            guard let entry = Kind.names.first(where: { $0.name == name }) else { return nil }
            self = entry.kind
        }

        private static let names: [(kind: Kind, name: String)] = [
            (.session, "session"), (.request, "request"), (.requestBody, "requestBody"),
            (.requestEnd, "requestEnd"), (.response, "response"), (.responseBody, "responseBody"),
            (.end, "end"), (.socketFrame, "socketFrame"), (.phases, "phases"), (.tool, "tool"),
            (.entropy, "entropy"), (.note, "note"), (.masked, "masked"), (.call, "call"),
            (.held, "held"), (.reveal, "reveal"), (.decodedBody, "decodedBody"),
            (.client, "client"), (.index, "index"),
        ]
    }
}
