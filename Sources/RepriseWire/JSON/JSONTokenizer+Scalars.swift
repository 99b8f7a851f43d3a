extension JSONTokenizer {
    /// A place inside a number (RFC 8259 section 6).
    enum NumberState: UInt8 {
        /// Before the first byte.
        case sign
        /// Behind `-`: a digit must come.
        case first
        /// Behind a leading `0`: no digit may come.
        case zero
        /// Inside the whole part.
        case whole
        /// Behind the point: a digit must come.
        case point
        /// Inside the fraction.
        case fraction
        /// Behind `e`: a sign or digit must come.
        case e
        /// Behind the exponent's sign: a digit must come.
        case exponentSign
        /// Inside the exponent.
        case exponent

        /// Whether the number may end here.
        var isComplete: Bool {
            switch self {
            case .zero, .whole, .fraction, .exponent: true
            case .sign, .first, .point, .e, .exponentSign: false
            }
        }

        /// The place behind `byte`; nil where the number cannot go on so.
        func next(_ byte: UInt8) -> NumberState? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nextDigit(byte)
            case UInt8(ascii: "-"):
                self == .sign ? .first : self == .e ? .exponentSign : nil
            case UInt8(ascii: "+"): self == .e ? .exponentSign : nil
            case UInt8(ascii: "."): self == .zero || self == .whole ? .point : nil
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                isComplete && self != .exponent ? .e : nil
            default: nil
            }
        }

        private func nextDigit(_ byte: UInt8) -> NumberState? {
            switch self {
            case .sign, .first: byte == UInt8(ascii: "0") ? .zero : .whole
            case .zero: nil
            case .whole: .whole
            case .point, .fraction: .fraction
            case .e, .exponentSign, .exponent: .exponent
            }
        }
    }

    /// The three names of RFC 8259 section 3.
    enum Literal: UInt8 {
        case `true`
        case `false`
        case null

        /// The bytes, the first one in the lowest place.
        var spelling: UInt64 {
            switch self {
            case .true: 0x6575_7274
            case .false: 0x65_736C_6166
            case .null: 0x6C6C_756E
            }
        }

        var length: Int { self == .false ? 5 : 4 }

        var kind: JSONToken.Kind {
            switch self {
            case .true: .true
            case .false: .false
            case .null: .null
            }
        }
    }

    /// Takes bytes of a number up to its end or that of `bytes`.
    mutating func scanNumber(
        _ bytes: Span<UInt8>, _ index: inout Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        let start = index
        while index < bytes.count, let next = number.next(bytes[index]) {
            number = next
            index += 1
        }
        if index > start { tokens.append(JSONToken(.digits, base + start, base + index)) }
        guard index < bytes.count else { return }
        guard number.isComplete else {
            throw JSON.ParseError(offset: base + index, message: "the number is not complete")
        }
        if number == .zero, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] {
            throw JSON.ParseError(offset: base + index, message: "a digit behind a leading zero")
        }
        endNumber(at: base + index, into: &tokens)
    }

    mutating func endNumber(at end: Int, into tokens: inout [JSONToken]) {
        tokens.append(JSONToken(.endNumber, tokenStart, end))
        endValue()
    }

    /// Takes bytes of `true`, `false` or `null`.
    mutating func scanLiteral(
        _ bytes: Span<UInt8>, _ index: inout Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        while index < bytes.count, literalLength < literal.length {
            let shift = UInt64(literalLength) * 8
            let expected = UInt8(truncatingIfNeeded: literal.spelling >> shift)
            guard bytes[index] == expected else {
                throw JSON.ParseError(
                    offset: base + index, message: "true, false or null was expected")
            }
            literalLength += 1
            index += 1
        }
        guard literalLength == literal.length else { return }
        tokens.append(JSONToken(literal.kind, tokenStart, base + index))
        endValue()
    }
}
