extension JSON {
    /// The text of this value: members in order, no blanks, escapes only where RFC 8259 section 7
    /// demands them, numbers as they were written.
    public var serialized: String { String(decoding: serializedBytes, as: UTF8.self) }

    /// The UTF-8 bytes of ``serialized``.
    public var serializedBytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// The text of this value over several lines, two blanks a level, without a final line end.
    public var prettyPrinted: String {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of this value.
    ///
    /// - Parameter indent: The level of indentation, or nil for one line.
    package func append(to bytes: inout [UInt8], indent: Int? = nil) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): JSON.append(string: text, to: &bytes)
        case .array(let elements):
            JSON.append(
                elements, between: ("[", "]"), to: &bytes, indent: indent
            ) { element, bytes, indent in element.append(to: &bytes, indent: indent) }
        case .object(let object):
            JSON.append(
                object.members, between: ("{", "}"), to: &bytes, indent: indent
            ) { member, bytes, indent in
                JSON.append(string: member.key, to: &bytes)
                bytes.append(contentsOf: (indent == nil ? ":" : ": ").utf8)
                member.value.append(to: &bytes, indent: indent)
            }
        }
    }

    private static func append<Element>(
        _ elements: [Element], between brackets: (String, String), to bytes: inout [UInt8],
        indent: Int?, each: (Element, inout [UInt8], Int?) -> Void
    ) {
        bytes.append(contentsOf: brackets.0.utf8)
        let inner = indent.map { $0 + 1 }
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(inner, &bytes)
            each(element, &bytes, inner)
        }
        if !elements.isEmpty { newLine(indent, &bytes) }
        bytes.append(contentsOf: brackets.1.utf8)
    }

    private static func newLine(_ indent: Int?, _ bytes: inout [UInt8]) {
        guard let indent else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * 2))
    }

    /// Appends `text` as a JSON string with its quotes.
    package static func append(string text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { append(escaping: unsafe $0.span, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 text as a JSON string with its quotes; false, and nothing, for other bytes.
    package static func append(text: [UInt8], to bytes: inout [UInt8]) -> Bool {
        guard text.span.firstInvalidUTF8() == nil else { return false }
        bytes.append(UInt8(ascii: "\""))
        append(escaping: text.span, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        return true
    }

    private static func append(escaping text: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = 0
        while index < text.count {
            let start = index
            index = JSONTokenizer.plainEnd(text, index)
            if index > start {
                let run = text.extracting(start..<index)
                unsafe run.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
                continue
            }
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 0xF))
            default: bytes.append(byte)
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
