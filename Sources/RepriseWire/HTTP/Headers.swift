/// Header fields in the order and case of the wire, repeated names included.
public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Sendable, Hashable {
        /// The name as sent.
        public var name: WireText
        /// The value as sent, without the blanks around it.
        public var value: WireText

        /// A field line.
        public init(_ name: WireText, _ value: WireText) {
            self.name = name
            self.value = value
        }
    }

    /// All fields in order.
    public var fields: [Field]

    /// Fields in the given order.
    public init(_ fields: [Field] = []) { self.fields = fields }

    /// Fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(WireText($0.0), WireText($0.1)) }
    }

    /// The first value of `name`, whatever its case; nil where there is none.
    public func first(_ name: String) -> String? { all(name).first }

    /// Every value of `name` in order, whatever its case.
    public func all(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.lazy
            .filter { $0.name.bytes.count == name.utf8.count }
            .filter { $0.name.description.lowercased() == wanted }
            .map { $0.value.description }
    }

    /// Appends a field.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(WireText(name), WireText(value)))
    }

    /// The codings of `Content-Encoding` in the order applied, lower case, `identity` left out.
    public var contentCodings: [String] {
        all("Content-Encoding")
            .flatMap { $0.split(separator: ",") }
            .map { Headers.trimmed($0).lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }

    /// The media type of `Content-Type` in lower case without its parameters; nil where absent.
    public var mediaType: String? {
        first("Content-Type")
            .flatMap { $0.split(separator: ";", omittingEmptySubsequences: false).first }
            .map { Headers.trimmed($0).lowercased() }
    }

    package static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let head = text.drop(while: isBlank)
        return String(head.reversed().drop(while: isBlank).reversed())
    }
}
