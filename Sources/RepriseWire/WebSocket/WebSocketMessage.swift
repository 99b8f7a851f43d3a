/// A whole message: its frames' payloads joined, and inflated where they were deflated.
public struct WebSocketMessage: Sendable, Hashable {
    /// What the bytes are.
    public enum Kind: Sendable, Hashable {
        /// UTF-8.
        case text
        /// Any bytes.
        case binary
    }

    /// What the bytes are.
    public var kind: Kind
    /// The message.
    public var bytes: [UInt8]
    /// Whether it was deflated on the wire.
    public var isDeflated: Bool
    /// Whether it is what its kind says; false only for text that is not UTF-8, behind the
    /// violation that says so.
    public var isValid: Bool
    /// The numbers of its first and last frame, from 0 in its direction; control frames may lie
    /// between them.
    public var frames: ClosedRange<Int>
    /// How many bytes its payloads had on the wire, or in a recording that has some of them
    /// inflated.
    public var wireCount: Int

    /// The bytes as text, with U+FFFD for what is not UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
