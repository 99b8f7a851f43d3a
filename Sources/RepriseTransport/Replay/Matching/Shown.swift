internal import RepriseWire

/// A value as a message shows it: on one line, and no more of it than tells it from another.
struct Shown: CustomStringConvertible {
    /// How many characters are shown at most.
    static let limit = 60

    let description: String

    /// A text in quotes.
    init(_ text: String) { self.init(JSON.string(text)) }

    /// A value as JSON.
    init(_ value: JSON) { description = Shown.cut(value.serialized) }

    /// The JSON text of a value, masked.
    init(_ text: MaskedText) {
        description = Shown.cut(String(decoding: text.bytes, as: UTF8.self))
    }

    /// No more of `text` than tells it from another.
    static func cut(_ text: String) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }
}
