/// Reads a whole JSON text in one pass, where there is nothing odd about it.
///
/// Texts that are no JSON, that ``JSON/parse(_:)`` has remarks on, or that nest deeply are left to the
/// ``JSONTokenizer``, which knows what to say of them: nil stands for these. What is read here is
/// read as there.
struct PlainJSON {
    static let depthLimit = 64
    /// Up to how many members keys are compared one by one.
    private static let memberLimit = 32

    /// The place of the next byte.
    var index = 0
    /// Whether no string was met with more than ASCII in it.
    private(set) var isASCII = true

    /// The value of a text; nil where the text is not plain.
    static func value(of bytes: Span<UInt8>) -> JSON? {
        var reader = PlainJSON()
        guard let value = reader.value(bytes, depth: 0), reader.isAtEnd(bytes) else { return nil }
        return value
    }

    /// Whether only blanks follow.
    mutating func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
        skipBlanks(bytes)
        return index == bytes.count
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    /// Takes a byte if it comes next.
    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        skipBlanks(bytes)
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) -> JSON? {
        skipBlanks(bytes)
        guard index < bytes.count, depth < Self.depthLimit else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            index += 1
            return string(bytes).map { .string($0) }
        case UInt8(ascii: "{"):
            index += 1
            return object(bytes, depth: depth + 1)
        case UInt8(ascii: "["):
            index += 1
            return array(bytes, depth: depth + 1)
        case UInt8(ascii: "t"): return takes("true", bytes) ? .bool(true) : nil
        case UInt8(ascii: "f"): return takes("false", bytes) ? .bool(false) : nil
        case UInt8(ascii: "n"): return takes("null", bytes) ? .null : nil
        default:
            let start = index
            guard takeNumber(bytes) else { return nil }
            return .number(Self.text(bytes.extracting(start..<index)))
        }
    }

    mutating func takes(_ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        let isSame = word.withUTF8Buffer { letters in
            for place in 0..<letters.count {
                guard unsafe bytes[index + place] == letters[place] else { return false }
            }
            return true
        }
        index = end
        return isSame
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) -> JSON? {
        var elements: [JSON] = []
        if take(UInt8(ascii: "]"), bytes) { return .array(elements) }
        while let element = value(bytes, depth: depth) {
            elements.append(element)
            if take(UInt8(ascii: "]"), bytes) { return .array(elements) }
            guard take(UInt8(ascii: ","), bytes) else { return nil }
        }
        return nil
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) -> JSON? {
        var members: [JSONObject.Member] = []
        if take(UInt8(ascii: "}"), bytes) { return .object(JSONObject()) }
        members.reserveCapacity(4)
        while members.count < Self.memberLimit {
            guard take(UInt8(ascii: "\""), bytes), let key = string(bytes),
                !members.contains(where: { $0.key == key }), take(UInt8(ascii: ":"), bytes),
                let value = value(bytes, depth: depth)
            else { return nil }
            members.append(JSONObject.Member(key, value))
            if take(UInt8(ascii: "}"), bytes) { return .object(JSONObject(members)) }
            guard take(UInt8(ascii: ","), bytes) else { return nil }
        }
        return nil
    }

    /// A number (RFC 8259 section 6); false where there is none.
    mutating func takeNumber(_ bytes: Span<UInt8>) -> Bool {
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let start = index
        guard takeDigits(bytes) else { return false }
        if bytes[start] == UInt8(ascii: "0"), index > start + 1 { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard takeDigits(bytes) else { return false }
        }
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return true }
        index += 1
        if index < bytes.count,
            bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
        {
            index += 1
        }
        return takeDigits(bytes)
    }

    private mutating func takeDigits(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index > start
    }
}

// MARK: - Strings

extension PlainJSON {
    /// The bytes of a string that is a text's last value but for `end`; nil as for ``string(_:)``.
    static func stringBytes(of bytes: Span<UInt8>, from start: Int, until end: UInt8) -> [UInt8]? {
        var reader = PlainJSON()
        reader.index = start
        guard reader.take(UInt8(ascii: "\""), bytes) else { return nil }
        var text: [UInt8] = []
        guard reader.unescape(bytes, into: &text), reader.take(end, bytes), reader.isAtEnd(bytes),
            reader.isASCII || text.span.firstInvalidUTF8() == nil
        else { return nil }
        return text
    }

    /// The string whose opening quote was taken; nil where it has an odd escape, too.
    private mutating func string(_ bytes: Span<UInt8>) -> String? {
        let start = index
        guard let isPlain = skipText(bytes) else { return nil }
        let run = bytes.extracting(start..<index)
        if bytes[index] == UInt8(ascii: "\"") {
            index += 1
            return isPlain ? Self.text(run) : Self.validText(run)
        }
        index = start
        var text: [UInt8] = []
        guard unescape(bytes, into: &text) else { return nil }
        return Self.validText(text.span)
    }

    /// Moves to the next quote or backslash.
    ///
    /// - Returns: Whether all before it is ASCII; nil where there is none, or a control character.
    mutating func skipText(_ bytes: Span<UInt8>) -> Bool? {
        var isPlain = true
        while index < bytes.count {
            index = JSONTokenizer.plainEnd(bytes, index)
            guard index < bytes.count else { return nil }
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return isPlain
            case ..<0x20: return nil
            case 0x80...: (isPlain, isASCII) = (false, false)
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Appends what is left of a string up to its closing quote, which it takes.
    private mutating func unescape(_ bytes: Span<UInt8>, into text: inout [UInt8]) -> Bool {
        while true {
            let start = index
            guard skipText(bytes) != nil else { return false }
            text.append(span: bytes.extracting(start..<index))
            if bytes[index] == UInt8(ascii: "\"") { break }
            guard let scalar = scalar(bytes) else { return false }
            if scalar < 0x80 {
                text.append(UInt8(truncatingIfNeeded: scalar))
            } else {
                text.append(scalar: scalar)
            }
        }
        index += 1
        return true
    }

    /// What the escape stands for whose backslash comes next, or the two of a pair of surrogates; nil
    /// for what is none, and for a surrogate without its partner.
    private mutating func scalar(_ bytes: Span<UInt8>) -> UInt32? {
        guard let first = escape(bytes) else { return nil }
        guard 0xD800...0xDFFF ~= first else { return first }
        guard first < 0xDC00, index < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            let second = escape(bytes), 0xDC00...0xDFFF ~= second
        else { return nil }
        return 0x10000 + ((first & 0x3FF) << 10 | (second & 0x3FF))
    }

    /// The code unit that the escape stands for whose backslash comes next; nil for what is none.
    mutating func escape(_ bytes: Span<UInt8>) -> UInt32? {
        guard index + 1 < bytes.count else { return nil }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(letter)
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "u"):
            guard index + 4 <= bytes.count else { return nil }
            var unit: UInt32 = 0
            for place in index..<index + 4 {
                guard let digit = JSONTokenizer.hexValue(bytes[place]) else { return nil }
                unit = unit << 4 | digit
            }
            index += 4
            return unit
        default: return nil
        }
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func validText(_ bytes: Span<UInt8>) -> String? {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
