/// Where one side of a WebSocket broke the protocol, or a limit of the other.
public struct WebSocketViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// RSV2 or RSV3 set, which no negotiated extension uses (RFC 6455 section 5.2).
        case reservedBits
        /// An opcode without a meaning (section 5.2).
        case reservedOpcode
        /// A client's frame that is not masked (section 5.1).
        case notMasked
        /// A server's frame that is masked (section 5.1).
        case masked
        /// A length in a longer form than it needs (section 5.2).
        case lengthForm
        /// A length with the highest bit set (section 5.2).
        case lengthBits
        /// A control frame without FIN (section 5.4).
        case controlFragmented
        /// A control frame of more than 125 bytes (section 5.5).
        case controlTooLong
        /// A continuation with nothing to go on with (section 5.4).
        case nothingToContinue
        /// A new message within another (section 5.4).
        case messageInterrupted
        /// A data frame behind the sender's close frame (section 5.5.1).
        case dataBehindClose
        /// A close frame of one byte (section 5.5.1).
        case closeTooShort
        /// A close code that is reserved or not assigned (section 7.4).
        case closeCode
        /// A side that ended without a close frame (section 7.1.5, code 1006).
        case closeMissing
        /// A text message that is not UTF-8 (section 8.1).
        case invalidText
        /// A reason for closing that is not UTF-8 (section 5.5.1).
        case invalidReason
        /// RSV1 set, where permessage-deflate was not negotiated (RFC 7692 section 6).
        case deflateNotNegotiated
        /// RSV1 set on a control frame or a continuation (RFC 7692 section 6.1).
        case deflateMisplaced
        /// A message that does not inflate: not of the format, not ended, or with references
        /// beyond the window that was negotiated (RFC 7692 section 7.2.2).
        case deflateCorrupt
        /// A frame above the receiver's limit.
        case frameTooLarge
        /// A message above the receiver's limit.
        case messageTooLarge
    }

    /// What is wrong.
    public var kind: Kind
    /// The number of the frame that it is in or before which it is, from 0 in its direction.
    public var frame: Int
    /// Where: for what ``WebSocketFrameDecoder`` finds, a byte of the connection; for text, the
    /// first byte in its message (or reason) that is no part of a character; else nil.
    public var offset: Int?
    /// More of it, without any content; empty where there is no more to say.
    public var detail: String

    /// A violation.
    public init(_ kind: Kind, frame: Int, offset: Int? = nil, detail: String = "") {
        self.kind = kind
        self.frame = frame
        self.offset = offset
        self.detail = detail
    }

    /// The rule that it breaks, for instance `ws.W1a`; nil for a limit.
    public var rule: String? {
        switch kind {
        case .reservedBits, .reservedOpcode: "ws.W1a"
        case .notMasked, .masked: "ws.W1b"
        case .lengthForm, .lengthBits, .controlTooLong: "ws.W1c"
        case .controlFragmented, .nothingToContinue, .messageInterrupted: "ws.W1d"
        case .closeTooShort, .closeCode: "ws.W2a"
        case .dataBehindClose: "ws.W2b"
        case .closeMissing: "ws.W2c"
        case .invalidText: "ws.W3a"
        case .invalidReason: "ws.W3b"
        case .deflateNotNegotiated, .deflateMisplaced: "ws.W5a"
        case .deflateCorrupt: "ws.W5b"
        case .frameTooLarge, .messageTooLarge: nil
        }
    }

    /// The code to fail the connection with (RFC 6455 section 7.4.1).
    public var closeCode: WebSocketCloseCode {
        switch kind {
        case .invalidText, .invalidReason, .deflateCorrupt: .invalidPayload
        case .frameTooLarge, .messageTooLarge: .messageTooBig
        case .closeMissing: .abnormal
        default: .protocolError
        }
    }

    /// The violation in words.
    public var description: String {
        let place = offset.map { ", byte \($0)" } ?? ""
        let more = detail.isEmpty ? "" : ": \(detail)"
        return "\(summary) (frame \(frame)\(place))\(more)"
    }

    /// What is wrong in words, without where.
    package var summary: String {
        switch kind {
        case .reservedBits: "a reserved bit is set that no extension uses"
        case .reservedOpcode: "the opcode is reserved"
        case .notMasked: "a client's frame is not masked"
        case .masked: "a server's frame is masked"
        case .lengthForm: "the length is not in its shortest form"
        case .lengthBits: "the length has its highest bit set"
        case .controlFragmented: "a control frame is fragmented"
        case .controlTooLong: "a control frame has more than 125 bytes"
        case .nothingToContinue: "a continuation frame continues nothing"
        case .messageInterrupted: "a message begins before the one before it ended"
        case .dataBehindClose: "a data frame follows the close frame"
        case .closeTooShort: "the close frame has half a code"
        case .closeCode: "the close code may not be sent"
        case .closeMissing: "the connection ended without a close frame"
        case .invalidText: "a text message is not UTF-8"
        case .invalidReason: "the reason for closing is not UTF-8"
        case .deflateNotNegotiated: "a message is deflated, which was not negotiated"
        case .deflateMisplaced: "RSV1 is set on a frame that begins no message"
        case .deflateCorrupt: "a deflated message does not inflate"
        case .frameTooLarge: "a frame is larger than the limit"
        case .messageTooLarge: "a message is larger than the limit"
        }
    }
}
