internal import RepriseWire

/// A JSON object whose members are kept as they were written: escapes, numbers, duplicate keys.
///
/// What a ``JSON`` value cannot hold, such as a lone surrogate escape, survives in here.
struct RawObject {
    /// One member.
    struct Member {
        /// The key, unescaped.
        let key: String
        /// The key with its quotes as written.
        let keyRange: Range<Int>
        /// The value as written.
        let valueRange: Range<Int>
    }

    let bytes: [UInt8]
    private(set) var members: [Member] = []

    /// Reads a text that is one object; nil where it is another value.
    init?(_ bytes: [UInt8]) throws(JSON.ParseError) {
        self.bytes = bytes
        if let places = JSON.plainMembers(bytes) {
            members = places.map { place in
                let key = bytes[place.key].dropFirst().dropLast()
                return Member(
                    key: String(decoding: key, as: UTF8.self), keyRange: place.key,
                    valueRange: place.value)
            }
            return
        }
        var tokenizer = JSONTokenizer()
        var tokens: [JSONToken] = []
        try tokenizer.push(bytes, into: &tokens)
        try tokenizer.finish(into: &tokens)
        guard tokens.first?.kind == .beginObject else { return nil }
        collect(tokens)
    }

    private mutating func collect(_ tokens: [JSONToken]) {
        var depth = 0
        var start = 0
        var keyRange = 0..<0
        for token in tokens {
            switch token.kind {
            case .beginObject, .beginArray:
                if depth == 1 { start = token.start }
                depth += 1
            case .endObject, .endArray:
                depth -= 1
                if depth == 1 { add(keyRange, start..<token.end) }
            case .endKey where depth == 1: keyRange = token.start..<token.end
            case .endString where depth == 1, .endNumber where depth == 1, .true where depth == 1,
                .false where depth == 1, .null where depth == 1:
                add(keyRange, token.start..<token.end)
            default: break
            }
        }
    }

    private mutating func add(_ keyRange: Range<Int>, _ valueRange: Range<Int>) {
        let quoted = bytes[keyRange]
        let key =
            if quoted.contains(UInt8(ascii: "\\")) {
                (try? JSON.parse(Array(quoted)))?.value.string ?? ""
            } else {
                String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
            }
        members.append(Member(key: key, keyRange: keyRange, valueRange: valueRange))
    }
}

extension RawObject {
    /// The value of `member`, read.
    func document(of member: Member) throws(JSON.ParseError) -> JSON.Document {
        if let value = JSON.plainValue(bytes.span.extracting(member.valueRange)) {
            return JSON.Document(value: value, remarks: [])
        }
        return try JSON.parseTokens(Array(bytes[member.valueRange]))
    }

    /// Appends `{…}` with the members that `isIncluded` in the order of `kind`, each as it was
    /// written but for blanks between tokens.
    func canonical(_ kind: Frame.Kind, where isIncluded: (String) -> Bool = { _ in true })
        -> [UInt8]
    {
        var result: [UInt8] = [UInt8(ascii: "{")]
        result.reserveCapacity(bytes.count)
        for member in RecordKeys.sorted(members.filter { isIncluded($0.key) }, for: kind, by: \.key)
        {
            if result.count > 1 { result.append(UInt8(ascii: ",")) }
            result += bytes[member.keyRange]
            result.append(UInt8(ascii: ":"))
            append(bytes[member.valueRange], to: &result)
        }
        result.append(UInt8(ascii: "}"))
        return result
    }

    /// Appends a value without the blanks between its tokens.
    private func append(_ value: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard value.contains(where: Self.isBlank) else {
            result.append(contentsOf: value)
            return
        }
        appendWithoutBlanks(value, to: &result)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private func appendWithoutBlanks(_ value: ArraySlice<UInt8>, to result: inout [UInt8]) {
        var isInString = false
        var isEscaped = false
        for byte in value {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if Self.isBlank(byte) {
                continue
            }
            result.append(byte)
        }
    }
}
