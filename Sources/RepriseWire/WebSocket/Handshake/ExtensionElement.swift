/// One element of `Sec-WebSocket-Extensions` (RFC 6455 section 9.1): a name with parameters.
struct ExtensionElement {
    var name: String
    var parameters: [(name: String, value: String?)] = []

    /// The element as it goes on the wire.
    var text: String {
        let parts = parameters.map { name, value in value.map { "\(name)=\($0)" } ?? name }
        return ([name] + parts).joined(separator: "; ")
    }

    /// The elements of all lines of the header, in order.
    static func all(
        in headers: Headers
    ) throws(WebSocketHandshakeError) -> [ExtensionElement] {
        var elements: [ExtensionElement] = []
        for line in headers.all(WebSocketHandshake.Field.extensions) {
            var parser = ListParser(line)
            guard let found = parser.elements() else {
                throw WebSocketHandshakeError(
                    .extensions, "Sec-WebSocket-Extensions is not a list of extensions")
            }
            elements += found
        }
        return elements
    }
}

/// The grammar of `extension-list` (RFC 6455 section 9.1), with the empty elements and blanks that
/// RFC 9110 sections 5.6.1 and 5.6.3 allow.
private struct ListParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ line: String) { bytes = Array(line.utf8) }

    /// nil where the line is not of the grammar.
    mutating func elements() -> [ExtensionElement]? {
        var elements: [ExtensionElement] = []
        while true {
            skipBlanks()
            guard index < bytes.count else { return elements }
            if take(",") { continue }
            guard let element = element() else { return nil }
            elements.append(element)
            guard index == bytes.count || take(",") else { return nil }
        }
    }

    private mutating func element() -> ExtensionElement? {
        guard let name = token() else { return nil }
        var element = ExtensionElement(name: name)
        skipBlanks()
        while take(";") {
            skipBlanks()
            guard let name = token() else { return nil }
            skipBlanks()
            var value: String?
            if take("=") {
                skipBlanks()
                // What a quoted string says has to be a token as well.
                guard let text = take("\"") ? quoted() : token() else { return nil }
                value = text
            }
            element.parameters.append((name, value))
            skipBlanks()
        }
        return element
    }

    private mutating func token() -> String? {
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        return start == index ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quoted() -> String? {
        var text: [UInt8] = []
        while index < bytes.count, !take("\"") {
            if take("\\"), index == bytes.count { return nil }
            guard bytes[index].isTokenByte else { return nil }
            text.append(bytes[index])
            index += 1
        }
        let isEnded = index > 0 && bytes[index - 1] == UInt8(ascii: "\"")
        return isEnded && !text.isEmpty ? String(decoding: text, as: UTF8.self) : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110 section 5.6.2.
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
