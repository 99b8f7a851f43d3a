extension JSON {
    /// A parsed text with what is odd about it.
    public struct Document: Sendable, Hashable {
        /// The value.
        public var value: JSON
        /// What a strict reader would remark on, in order of offset.
        public var remarks: [Remark]

        package init(value: JSON, remarks: [Remark]) {
            self.value = value
            self.remarks = remarks
        }
    }

    /// Something legal or tolerated that a reader may trip over.
    public struct Remark: Sendable, Hashable {
        /// What it is.
        public enum Kind: Sendable, Hashable {
            /// A key that its object already has (RFC 8259 section 4).
            case duplicateKey(String)
            /// A surrogate escape without its partner (RFC 8259 section 8.2), read as U+FFFD.
            case loneSurrogate(LoneSurrogate)
        }

        /// What it is.
        public var kind: Kind
        /// Byte offset in the text: of the key's opening quote, of the escape's backslash.
        public var offset: Int
        /// The member or string that it is about.
        public var path: JSONPath

        /// A remark at an offset.
        public init(kind: Kind, offset: Int, path: JSONPath) {
            self.kind = kind
            self.offset = offset
            self.path = path
        }
    }

    /// A surrogate escape without its partner.
    public struct LoneSurrogate: Sendable, Hashable {
        /// The UTF-16 code unit, 0xD800 to 0xDFFF.
        public var unit: UInt16
        /// Whether it stands in a key, not in a value.
        public var isInKey: Bool
        /// Whether nothing stands before it in its string.
        public var isAtStart: Bool
        /// Whether nothing stands behind it in its string.
        public var isAtEnd: Bool

        /// A code unit and where it stands.
        public init(unit: UInt16, isInKey: Bool = false, isAtStart: Bool, isAtEnd: Bool) {
            self.unit = unit
            self.isInKey = isInKey
            self.isAtStart = isAtStart
            self.isAtEnd = isAtEnd
        }
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
        if let value = PlainJSON.value(of: bytes.span) {
            return Document(value: value, remarks: [])
        }
        return try parseTokens(bytes)
    }

    /// ``parse(_:)`` for texts of any kind.
    package static func parseTokens(_ bytes: [UInt8]) throws(ParseError) -> Document {
        var tokenizer = JSONTokenizer()
        var builder = JSONBuilder(bytes)
        var tokens: [JSONToken] = []
        // In steps, so that the tokens of a large text need little memory.
        var start = 0
        while start < bytes.count {
            let end = min(start + (16 << 10), bytes.count)
            try tokenizer.push(bytes.span.extracting(start..<end), into: &tokens)
            builder.take(tokens)
            tokens.removeAll(keepingCapacity: true)
            start = end
        }
        try tokenizer.finish(into: &tokens)
        builder.take(tokens)
        return Document(value: builder.value, remarks: builder.remarks)
    }
}
