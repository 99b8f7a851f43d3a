/// The bytes of one encoded character as they come (Unicode, table 3-7; WHATWG Encoding, the
/// UTF-8 decoder): what may follow is known after each byte, so overlong forms, surrogates and
/// numbers above U+10FFFF fail at the first byte that cannot be.
package struct UTF8Sequence: Sendable, Hashable {
    /// How many bytes are still to come.
    package private(set) var needed: UInt8 = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    package init() {}

    /// Whether a character has begun and not ended.
    package var isOpen: Bool { needed != 0 }

    /// Takes a byte of 0x80 or above as the first of a character; false where it cannot be.
    package mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: needed = 1
        case 0xE0: (needed, lower) = (2, 0xA0)
        case 0xED: (needed, upper) = (2, 0x9F)
        case 0xE1...0xEF: needed = 2
        case 0xF0: (needed, lower) = (3, 0x90)
        case 0xF4: (needed, upper) = (3, 0x8F)
        case 0xF1...0xF3: needed = 3
        default: return false
        }
        return true
    }

    /// Takes the next byte of an open character; false where it cannot be, which closes it.
    package mutating func accept(_ byte: UInt8) -> Bool {
        guard byte >= lower && byte <= upper else {
            self = UTF8Sequence()
            return false
        }
        needed -= 1
        (lower, upper) = (0x80, 0xBF)
        return true
    }
}
