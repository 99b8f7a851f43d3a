/// What a byte of a body is to a mask.
struct LexedByte: Sendable {
    /// What stands in its place when it is masked.
    var mask: UInt8
    /// Whether it continues an escape or a character, and so must not be masked alone.
    var isRest = false
    /// Whether it is structure, which no mask may touch.
    var isKept = false
    /// Whether it belongs to a declared secret.
    var isSecret = false

    /// A byte of plain text.
    static func text(_ byte: UInt8) -> LexedByte {
        LexedByte(mask: UInt8(ascii: "*"), isRest: byte & 0xC0 == 0x80)
    }

    /// A byte that stays.
    static func kept(_ byte: UInt8) -> LexedByte { LexedByte(mask: byte, isKept: true) }
}

/// A declared secret whose end was reached.
struct SecretLeaf: Sendable {
    /// The rule that found it.
    var rule: String
    /// The value without escapes; nil where it was broken off.
    var value: [UInt8]?
}
