/// Masks a JSON number digit by digit, so that it stays a number wherever it is cut.
///
/// Digits become `0`, but for a first digit other than `0`, which becomes `1`: a number of several
/// digits must not begin with `0` (RFC 8259 section 6), and how many follow is not known yet. Sign,
/// point and exponent mark stay.
struct NumberMask: Sendable {
    private var isFirst = true

    /// The mask of the next byte of the number.
    mutating func mask(of byte: UInt8) -> UInt8 {
        guard byte.isASCIIDigit else { return byte }
        defer { isFirst = false }
        return isFirst && byte != UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    }
}
