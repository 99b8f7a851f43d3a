/// One WebSocket frame (RFC 6455 section 5.2): its payload unmasked, and else as on the wire, so
/// still deflated where RSV1 says so (RFC 7692 section 6).
public struct WebSocketFrame: Sendable, Hashable {
    /// What a frame is: four bits, of which ten values are reserved.
    public struct Opcode: RawRepresentable, Sendable, Hashable {
        /// The bits, 0 to 15.
        public let rawValue: UInt8

        /// An opcode by its bits; those above the lowest four are dropped.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

        /// Goes on with a message of several frames.
        public static let continuation = Opcode(rawValue: 0)
        /// Begins a message of text.
        public static let text = Opcode(rawValue: 1)
        /// Begins a message of bytes.
        public static let binary = Opcode(rawValue: 2)
        /// The last frame of a side.
        public static let close = Opcode(rawValue: 8)
        /// Asks for a pong.
        public static let ping = Opcode(rawValue: 9)
        /// Answers a ping, or says that its sender is alive.
        public static let pong = Opcode(rawValue: 10)

        /// Whether it is one of a control frame (8 to 15), which may come within a message.
        public var isControl: Bool { rawValue & 8 != 0 }

        /// Whether RFC 6455 gives it no meaning.
        public var isReserved: Bool {
            switch self {
            case .continuation, .text, .binary, .close, .ping, .pong: false
            default: true
            }
        }
    }

    /// The FIN bit: the last or only frame of its message.
    public var isFinal: Bool
    /// The RSV1 bit: the message that begins here is deflated.
    public var rsv1: Bool
    /// The RSV2 bit.
    public var rsv2: Bool
    /// The RSV3 bit.
    public var rsv3: Bool
    /// What the frame is.
    public var opcode: Opcode
    /// The payload, unmasked.
    public var payload: [UInt8]

    /// A frame; alone, and with no reserved bit, unless said otherwise.
    public init(
        _ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true, rsv1: Bool = false,
        rsv2: Bool = false, rsv3: Bool = false
    ) {
        self.isFinal = isFinal
        self.rsv1 = rsv1
        self.rsv2 = rsv2
        self.rsv3 = rsv3
        self.opcode = opcode
        self.payload = payload
    }
}
