internal import RepriseWire

/// Field lines of a head as bytes (RFC 9112 section 5).
enum FieldLine {
    /// The field on a line without its line end; a line without a colon is a name without a value.
    static func field(_ line: ArraySlice<UInt8>) -> Headers.Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            return Headers.Field(WireText(bytes: Array(line)), "")
        }
        let value = trimmed(line[(colon + 1)...])
        return Headers.Field(
            WireText(bytes: Array(line[..<colon])), WireText(bytes: Array(value)))
    }

    /// Whether a line continues the one before (obs-fold, RFC 9112 section 5.2).
    static func isFolded(_ line: ArraySlice<UInt8>) -> Bool {
        line.first.map(isBlank) ?? false
    }

    /// Adds a folded line to the value of the last field, with one space for the fold.
    static func unfold(_ line: ArraySlice<UInt8>, into fields: inout [Headers.Field]) {
        guard let last = fields.indices.last else { return }
        let more = trimmed(line)
        if more.isEmpty { return }
        if !fields[last].value.bytes.isEmpty { fields[last].value.bytes.append(32) }
        fields[last].value.bytes += more
    }

    /// The line without CRLF or LF at its end.
    static func withoutEnd(_ line: [UInt8]) -> ArraySlice<UInt8> {
        var line = line[...]
        if line.last == 10 { line.removeLast() }
        if line.last == 13 { line.removeLast() }
        return line
    }

    /// The bytes without blanks around them.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
