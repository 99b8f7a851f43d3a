extension JSONTokenizer {
    /// Takes blanks and one byte between tokens, or the first byte of one.
    mutating func scanStructure(
        _ bytes: Span<UInt8>, _ index: inout Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        let byte = bytes[index]
        let offset = base + index
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            break
        case UInt8(ascii: "\""):
            try beginString(at: offset, into: &tokens)
        case UInt8(ascii: ","):
            guard state == .afterValue, let isObject = containers.last else {
                throw unexpected(at: offset)
            }
            state = isObject ? .key : .value
        case UInt8(ascii: ":"):
            guard state == .colon else { throw unexpected(at: offset) }
            state = .value
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try open(isObject: byte == UInt8(ascii: "{"), at: offset, into: &tokens)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            try close(isObject: byte == UInt8(ascii: "}"), at: offset, into: &tokens)
        default:
            try beginScalar(byte, at: offset, into: &tokens)
            // The number reads its first byte itself.
            if state == .number { return }
        }
        index += 1
    }

    private var mayBeginValue: Bool { state == .value || state == .firstElement }

    private mutating func beginString(
        at offset: Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        isKey = state == .key || state == .firstKey
        guard isKey || mayBeginValue else { throw unexpected(at: offset) }
        tokens.append(JSONToken(isKey ? .beginKey : .beginString, offset, offset + 1))
        tokenStart = offset
        state = .text
    }

    private mutating func open(
        isObject: Bool, at offset: Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        guard mayBeginValue else { throw unexpected(at: offset) }
        guard containers.count < JSONTokenizer.depthLimit else {
            throw JSON.ParseError(
                offset: offset, message: "more than \(JSONTokenizer.depthLimit) levels")
        }
        containers.append(isObject)
        tokens.append(JSONToken(isObject ? .beginObject : .beginArray, offset, offset + 1))
        state = isObject ? .firstKey : .firstElement
    }

    private mutating func close(
        isObject: Bool, at offset: Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        let mayClose = state == .afterValue || state == (isObject ? .firstKey : .firstElement)
        guard mayClose, containers.last == isObject else { throw unexpected(at: offset) }
        containers.removeLast()
        tokens.append(JSONToken(isObject ? .endObject : .endArray, offset, offset + 1))
        endValue()
    }

    private mutating func beginScalar(
        _ byte: UInt8, at offset: Int, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        guard mayBeginValue else { throw unexpected(at: offset) }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            number = .sign
            state = .number
            tokens.append(JSONToken(.beginNumber, offset, offset))
        case UInt8(ascii: "t"): beginLiteral(.true)
        case UInt8(ascii: "f"): beginLiteral(.false)
        case UInt8(ascii: "n"): beginLiteral(.null)
        case 0xEF where offset == 0:
            throw JSON.ParseError(offset: 0, message: "a value was expected, not a byte order mark")
        default: throw unexpected(at: offset)
        }
        tokenStart = offset
    }

    private mutating func beginLiteral(_ which: Literal) {
        literal = which
        literalLength = 1
        state = .literal
    }

    private func unexpected(at offset: Int) -> JSON.ParseError {
        let isObject = containers.last == true
        let message =
            switch state {
            case .firstElement: "a value or ] was expected"
            case .firstKey: "a key or } was expected"
            case .key: "a key was expected"
            case .colon: "a colon was expected"
            case .afterValue: isObject ? "a comma or } was expected" : "a comma or ] was expected"
            case .done: "nothing may follow the value"
            case .value, .text, .escape, .unicode, .number, .literal: "a value was expected"
            }
        return JSON.ParseError(offset: offset, message: message)
    }
}
