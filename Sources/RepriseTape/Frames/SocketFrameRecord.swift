/// One WebSocket frame (RFC 6455 section 5.2): its payload as on the wire, unmasked, and still
/// deflated where RSV1 says so (RFC 7692), but for what is stored ``Flags/inflated``.
public struct SocketFrameRecord: Sendable, Hashable {
    /// What the first byte of a recorded frame says.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits as stored.
        public var rawValue: UInt8

        /// Flags by their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The server sent it; otherwise the client did.
        public static let fromServer = Flags(rawValue: 1)
        /// The FIN bit.
        public static let fin = Flags(rawValue: 2)
        /// The RSV1 bit: deflated.
        public static let rsv1 = Flags(rawValue: 4)
        /// The RSV2 bit.
        public static let rsv2 = Flags(rawValue: 8)
        /// The RSV3 bit.
        public static let rsv3 = Flags(rawValue: 16)
        /// The payload was deflated on the wire, and is stored as what it inflates to: there is a
        /// mask in it or before it. RSV1 is as it was on the wire.
        public static let inflated = Flags(rawValue: 32)
        /// Behind what is stored inflated, the payload did not inflate.
        public static let corrupt = Flags(rawValue: 64)
    }

    /// Direction and bits.
    public var flags: Flags
    /// The opcode, 0 to 15.
    public var opcode: UInt8
    /// The payload.
    public var bytes: [UInt8]

    /// Creates the record.
    public init(flags: Flags, opcode: UInt8, bytes: [UInt8]) {
        self.flags = flags
        self.opcode = opcode
        self.bytes = bytes
    }
}

extension SocketFrameRecord {
    /// `flags u8 · opcode u8 · payload`
    var payload: [UInt8] { [flags.rawValue, opcode] + bytes }

    init(payload: [UInt8]) throws(TapeError) {
        guard payload.count >= 2 else {
            throw TapeError(.badFrame, "the payload of a socketFrame frame is too short")
        }
        self.init(
            flags: Flags(rawValue: payload[0]), opcode: payload[1], bytes: Array(payload[2...]))
    }
}
