/// WebSockets, frame by frame.
extension Rule {
    /// Bits or an opcode without a meaning.
    public static let wsW1a = Rule(
        "ws.W1a", .error, "a reserved bit or opcode",
        "No extension that was agreed on gives it a meaning: the receiver must fail the connection.",
        source: "RFC 6455 section 5.2")
    /// A mask where none may be, or none where one must.
    public static let wsW1b = Rule(
        "ws.W1b", .error, "a frame masked the wrong way",
        "Clients mask every frame, servers mask none: the receiver must fail the connection.",
        source: "RFC 6455 section 5.1")
    /// A length that is wrong.
    public static let wsW1c = Rule(
        "ws.W1c", .error, "a frame's length is not as it must be",
        "A length has its shortest form and 63 bits, and a control frame at most 125 bytes.",
        source: "RFC 6455 sections 5.2 and 5.5")
    /// Fragments out of order.
    public static let wsW1d = Rule(
        "ws.W1d", .error, "fragments out of order",
        "A control frame is whole, a continuation continues something, and no message begins "
            + "before the one before it ended.",
        source: "RFC 6455 section 5.4")
    /// A close frame that says nothing.
    public static let wsW2a = Rule(
        "ws.W2a", .error, "a close frame without a proper code",
        "It has half a code, or one that is reserved or not assigned.",
        source: "RFC 6455 sections 5.5.1 and 7.4")
    /// Data behind the end.
    public static let wsW2b = Rule(
        "ws.W2b", .error, "a message behind the close frame",
        "The close frame is the last that a side may send data before: receivers drop the rest.",
        source: "RFC 6455 section 5.5.1")
    /// No close frame.
    public static let wsW2c = Rule(
        "ws.W2c", .error, "closed without a close frame",
        "The connection ended and the side had not said that it would (code 1006): what was on "
            + "its way may be lost.",
        source: "RFC 6455 section 7.1.5")
    /// Text that is none.
    public static let wsW3a = Rule(
        "ws.W3a", .error, "a text message is not UTF-8",
        "The receiver must fail the connection.", source: "RFC 6455 section 8.1")
    /// A reason that is no text.
    public static let wsW3b = Rule(
        "ws.W3b", .error, "the reason for closing is not UTF-8",
        "The receiver cannot show why the connection was closed.",
        source: "RFC 6455 section 5.5.1")
    /// No pong.
    public static let wsW4 = Rule(
        "ws.W4", .warning, "a ping without a pong",
        "The peer was there for another second, or closed in order, and did not answer: the side "
            + "that pings takes the connection for dead. Holds for a protocol's own pings, too.",
        source: "RFC 6455 section 5.5.2")
    /// Deflated where it may not be.
    public static let wsW5a = Rule(
        "ws.W5a", .error, "deflated where that was not agreed on",
        "RSV1 is set without permessage-deflate, or on a frame that begins no message.",
        source: "RFC 7692 section 6")
    /// Deflated badly.
    public static let wsW5b = Rule(
        "ws.W5b", .error, "a deflated message does not inflate",
        "It is not of the format, does not end, or refers to bytes beyond the window that was "
            + "agreed on. Later messages that refer to it cannot be read either.",
        source: "RFC 7692 section 7.2")
    /// An answer that answers something else.
    public static let wsW6 = Rule(
        "ws.W6", .error, "the handshake's answer does not fit",
        "It accepts an extension or a subprotocol that was not offered, or does not answer the "
            + "request's key: the client must fail the connection.",
        source: "RFC 6455 section 4.1, RFC 7692 section 5.1")

    /// The rules of WebSockets, in the order of the documentation.
    static let socket: [Rule] = [
        .wsW1a, .wsW1b, .wsW1c, .wsW1d, .wsW2a, .wsW2b, .wsW2c, .wsW3a, .wsW3b, .wsW4, .wsW5a,
        .wsW5b, .wsW6,
    ]
}
