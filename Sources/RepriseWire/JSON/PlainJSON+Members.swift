extension JSON {
    /// Where the key, with its quotes, and the value of a member stand in a text.
    package struct MemberPlace: Sendable {
        package let key: Range<Int>
        package let value: Range<Int>
    }

    /// The value of a text without anything odd about it; nil for what is left to ``parse(_:)``.
    package static func plainValue(_ bytes: Span<UInt8>) -> JSON? { PlainJSON.value(of: bytes) }

    /// The UTF-8 bytes of a string that begins at `start` of a text, where only `end` stands behind
    /// it; nil for what is left to ``parse(_:)``.
    package static func plainString(
        _ bytes: Span<UInt8>, from start: Int, until end: UInt8
    ) -> [UInt8]? {
        PlainJSON.stringBytes(of: bytes, from: start, until: end)
    }

    /// The members of a text that is one object, duplicates included; nil where it is none, where a
    /// key is written with an escape, and for anything that is left to the ``JSONTokenizer``.
    package static func plainMembers(_ bytes: [UInt8]) -> [MemberPlace]? {
        var reader = PlainJSON()
        return reader.members(bytes.span)
    }
}

extension PlainJSON {
    fileprivate mutating func members(_ bytes: Span<UInt8>) -> [JSON.MemberPlace]? {
        guard take(UInt8(ascii: "{"), bytes) else { return nil }
        var places: [JSON.MemberPlace] = []
        places.reserveCapacity(8)
        var isOpen = !take(UInt8(ascii: "}"), bytes)
        while isOpen {
            guard take(UInt8(ascii: "\""), bytes) else { return nil }
            let key = index - 1
            guard skipText(bytes) != nil, bytes[index] == UInt8(ascii: "\"") else { return nil }
            index += 1
            let keyEnd = index
            guard take(UInt8(ascii: ":"), bytes) else { return nil }
            skipBlanks(bytes)
            let value = index
            guard skipValue(bytes, depth: 1) else { return nil }
            places.append(JSON.MemberPlace(key: key..<keyEnd, value: value..<index))
            isOpen = !take(UInt8(ascii: "}"), bytes)
            if isOpen, !take(UInt8(ascii: ","), bytes) { return nil }
        }
        // Beyond ASCII there are strings only, so that all is as valid as they are.
        guard isAtEnd(bytes), isASCII || bytes.firstInvalidUTF8() == nil else { return nil }
        return places
    }

    private mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) -> Bool {
        guard index < bytes.count, depth < Self.depthLimit else { return false }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            index += 1
            return skipString(bytes)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer(bytes, depth: depth + 1)
        case UInt8(ascii: "t"): return takes("true", bytes)
        case UInt8(ascii: "f"): return takes("false", bytes)
        case UInt8(ascii: "n"): return takes("null", bytes)
        default: return takeNumber(bytes)
        }
    }

    private mutating func skipContainer(_ bytes: Span<UInt8>, depth: Int) -> Bool {
        let isObject = bytes[index] == UInt8(ascii: "{")
        let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        index += 1
        if take(end, bytes) { return true }
        while true {
            if isObject {
                guard take(UInt8(ascii: "\""), bytes), skipString(bytes),
                    take(UInt8(ascii: ":"), bytes)
                else { return false }
            }
            skipBlanks(bytes)
            guard skipValue(bytes, depth: depth) else { return false }
            if take(end, bytes) { return true }
            guard take(UInt8(ascii: ","), bytes) else { return false }
        }
    }

    /// Skips what is left of a string, whatever its escapes stand for.
    private mutating func skipString(_ bytes: Span<UInt8>) -> Bool {
        while skipText(bytes) != nil {
            if bytes[index] == UInt8(ascii: "\"") {
                index += 1
                return true
            }
            guard escape(bytes) != nil else { return false }
        }
        return false
    }
}
