extension JSON {
    /// A parsed text with what is odd about it.
    public struct Document: Sendable, Hashable {
        /// The value.
        public var value: JSON
        /// What a strict reader would remark on, in order of offset.
        public var remarks: [Remark]
    }

    /// Something legal or tolerated that a reader may trip over.
    public struct Remark: Sendable, Hashable {
        /// What it is.
        public enum Kind: Sendable, Hashable {
            /// A key that its object already has (RFC 8259 section 4).
            case duplicateKey(String)
            /// A surrogate escape without its partner (RFC 8259 section 8.2), read as U+FFFD.
            case loneSurrogate
        }

        /// What it is.
        public var kind: Kind
        /// Byte offset in the text.
        public var offset: Int
    }

    /// Text that is not JSON.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// Byte offset of the first byte that cannot be.
        public var offset: Int
        /// What was expected, without any content.
        public var message: String

        /// The message with its offset.
        public var description: String { "\(message) at byte \(offset)" }
    }

    /// Parses one JSON text (RFC 8259); blanks around it are allowed, anything else is an error.
    ///
    /// - Throws: ``ParseError`` with the offset of the first byte that cannot be. Nesting is
    ///   limited to 1,024 levels.
    public static func parse(_ bytes: [UInt8]) throws(ParseError) -> Document {
        throw ParseError(offset: 0, message: "stub")
    }
}
