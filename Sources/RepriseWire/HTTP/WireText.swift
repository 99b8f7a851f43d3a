/// Bytes from the wire that nearly always are text: a header's name or value, a URL.
///
/// HTTP allows bytes that are not UTF-8 there (RFC 9110 section 5.5), and a recording keeps them.
public struct WireText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The bytes as they were on the wire.
    public var bytes: [UInt8]

    /// Wraps bytes as they were on the wire.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The UTF-8 bytes of `string`.
    public init(_ string: String) { bytes = Array(string.utf8) }

    /// The UTF-8 bytes of the literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text, or nil where the bytes are not UTF-8.
    public var utf8: String? { String(validating: bytes, as: UTF8.self) }

    /// The text, with U+FFFD where the bytes are not UTF-8.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
