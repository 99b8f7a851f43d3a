internal import RepriseSession

/// HTML text. What is put into a literal is escaped, so that recorded text never makes markup:
///
///     let cell: Markup = "<td>\(name)</td>"
struct Markup: Sendable {
    private(set) var text: String

    /// A text that is HTML already.
    init(html text: StaticString) { self.text = "\(text)" }

    private init(_ text: String) { self.text = text }

    /// The pieces one behind the other, with `separator` between them.
    static func join(_ pieces: [Markup], _ separator: Markup = "") -> Markup {
        Markup(pieces.map(\.text).joined(separator: separator.text))
    }

    /// What `make` makes of each element.
    static func each<Element>(
        _ elements: some Sequence<Element>, _ make: (Element) -> Markup
    ) -> Markup {
        join(elements.map(make))
    }

    static func + (one: Markup, other: Markup) -> Markup { Markup(one.text + other.text) }

    static func += (one: inout Markup, other: Markup) { one.text += other.text }
}

extension Markup: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ text: String) { self.text += Markup.escaped(text) }

        mutating func appendInterpolation(_ number: some BinaryInteger) { text += "\(number)" }
    }

    /// `text` fit for an element's content and for an attribute in quotes: nothing in it is markup,
    /// and everything in it can be seen.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in SeenText.visible(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
