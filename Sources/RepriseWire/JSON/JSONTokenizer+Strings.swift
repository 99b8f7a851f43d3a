extension JSONTokenizer {
    /// A place inside an escape.
    struct EscapeState: Sendable {
        /// Offset of the backslash.
        var start = 0
        /// The digits of `\u` so far.
        var unit: UInt32 = 0
        var digits = 0
        /// A high surrogate whose partner may still come; 0 for none.
        var high: UInt32 = 0
        /// Offset of the high surrogate's backslash.
        var highStart = 0
    }

    /// Takes plain text up to a quote, a backslash or the end of `bytes`.
    mutating func scanText(
        _ bytes: Span<UInt8>, _ index: inout Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        let start = index
        let isValid = skipText(bytes, &index)
        if index > start {
            flushHighSurrogate(into: &tokens)
            tokens.append(JSONToken(.text, base + start, base + index))
        }
        let offset = base + index
        guard isValid else { throw JSON.ParseError(offset: offset, message: "invalid UTF-8") }
        guard index < bytes.count else { return }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            flushHighSurrogate(into: &tokens)
            endString(at: offset + 1, into: &tokens)
        case UInt8(ascii: "\\"):
            escape.start = offset
            state = .escape
        default:
            throw JSON.ParseError(offset: offset, message: "a control character in a string")
        }
        index += 1
    }

    private mutating func endString(at end: Int, into tokens: inout [JSONToken]) {
        tokens.append(JSONToken(isKey ? .endKey : .endString, tokenStart, end))
        if isKey { state = .colon } else { endValue() }
    }

    /// Moves `index` to the first byte that is not plain text; false where that is not UTF-8.
    private mutating func skipText(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        while index < bytes.count {
            let byte = bytes[index]
            if character.isOpen {
                guard character.accept(byte) else { return false }
            } else if byte >= 0x80 {
                guard character.begin(byte) else { return false }
            } else if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return true
            } else {
                index = JSONTokenizer.plainEnd(bytes, index + 1)
                continue
            }
            index += 1
        }
        return true
    }

    /// The first place from `index` that is not an ASCII character standing for itself, or a place
    /// fewer than eight bytes before the end; eight bytes at a time.
    static func plainEnd(_ bytes: Span<UInt8>, _ index: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var index = index
        while index + 8 <= bytes.count {
            let word = bytes.word(at: index)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            // A byte's top bit is set here if it is below 0x20, zero after the xor, or not ASCII.
            // A borrow can only spoil bytes behind the first hit.
            let hits =
                (((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote)
                    | ((backslash &- ones) & ~backslash) | word) & tops
            if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
            index += 8
        }
        return index
    }

    /// Takes the byte behind a backslash.
    mutating func scanEscape(
        _ bytes: Span<UInt8>, _ index: inout Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        let scalar: UInt32
        switch bytes[index] {
        case UInt8(ascii: "u"):
            escape.unit = 0
            escape.digits = 0
            state = .unicode
            index += 1
            return
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            scalar = UInt32(bytes[index])
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "t"): scalar = 0x09
        default:
            throw JSON.ParseError(offset: base + index, message: "no such escape")
        }
        flushHighSurrogate(into: &tokens)
        index += 1
        tokens.append(JSONToken(.escape, escape.start, base + index, scalar: scalar))
        state = .text
    }

    /// Takes the digits of a `\u`.
    mutating func scanUnicode(
        _ bytes: Span<UInt8>, _ index: inout Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        while index < bytes.count, escape.digits < 4 {
            guard let digit = JSONTokenizer.hexValue(bytes[index]) else {
                throw JSON.ParseError(
                    offset: base + index, message: "a hexadecimal digit was expected")
            }
            escape.unit = escape.unit << 4 | digit
            escape.digits += 1
            index += 1
        }
        if escape.digits == 4 {
            endUnicode(at: base + index, into: &tokens)
            state = .text
        }
    }

    private mutating func endUnicode(at end: Int, into tokens: inout [JSONToken]) {
        let unit = escape.unit
        if escape.high != 0, 0xDC00...0xDFFF ~= unit {
            let scalar = 0x10000 + ((escape.high & 0x3FF) << 10 | (unit & 0x3FF))
            tokens.append(JSONToken(.escape, escape.highStart, end, scalar: scalar))
            escape.high = 0
            return
        }
        flushHighSurrogate(into: &tokens)
        if 0xD800...0xDBFF ~= unit {
            escape.high = unit
            escape.highStart = escape.start
        } else {
            let isLow = 0xDC00...0xDFFF ~= unit
            tokens.append(
                JSONToken(isLow ? .loneSurrogate : .escape, escape.start, end, scalar: unit))
        }
    }

    private mutating func flushHighSurrogate(into tokens: inout [JSONToken]) {
        if escape.high == 0 { return }
        tokens.append(
            JSONToken(
                .loneSurrogate, escape.highStart, escape.highStart + 6, scalar: escape.high))
        escape.high = 0
    }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
