/// A set of JSON paths: `data.authToken`, with `*` for any key or index, e.g. `members.*.email`.
///
/// A step that is a number matches that index or that key. Keys that hold a point or are `*`
/// cannot be named so; in the other form, ``init(expression:)``, all can.
public struct JSONPathPattern: Sendable, Hashable, CustomStringConvertible {
    fileprivate enum Step: Sendable, Hashable {
        case any
        /// Any number of steps.
        case descent
        case key(String)
        case index(Int)
        case named(String, index: Int?)

        init(_ text: Substring) {
            self = text == "*" ? .any : .named(String(text), index: Int(text))
        }

        func matches(_ step: JSONPath.Step) -> Bool {
            switch (self, step) {
            case (.any, _): true
            case (.key(let name), .key(let key)): name.isWritten(as: key)
            case (.index(let wanted), .index(let index)): wanted == index
            case (.named(let name, _), .key(let key)): name == key
            case (.named(_, let wanted), .index(let index)): wanted == index
            default: false
            }
        }
    }

    private let steps: [Step]
    /// The pattern as it was written.
    public let description: String

    /// A pattern of steps joined by points; an empty one is the outermost value.
    public init(_ text: String) {
        description = text
        steps = text.isEmpty ? [] : text.split(separator: ".").map(Step.init)
    }

    /// A pattern as JSONPath writes it (RFC 9535), of which there are names, indices from 0,
    /// wildcards and descendants: `$.messages[*].id`, `$["b c"]`, `$..id`.
    ///
    /// - Returns: nil for what is not written so.
    public init?(expression text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
        var steps: [Step] = []
        while !rest.isEmpty {
            guard let made = Step.parse(&rest) else { return nil }
            steps += made
        }
        self.steps = steps
        description = text
    }

    /// How many steps its paths have.
    var depth: Int { steps.count }

    /// Whether `path` is one of the set.
    public func matches(_ path: JSONPath) -> Bool {
        JSONPathPattern.matches(steps[...], path.steps[...])
    }

    /// Goes along all ways at once: with several descents there are many.
    private static func matches(
        _ pattern: ArraySlice<Step>, _ path: ArraySlice<JSONPath.Step>
    ) -> Bool {
        var places = open([pattern.startIndex], pattern)
        for step in path {
            var next: Set<Int> = []
            for place in places where place < pattern.endIndex {
                if pattern[place] == .descent {
                    next.insert(place)
                } else if pattern[place].matches(step) {
                    next.insert(place + 1)
                }
            }
            if next.isEmpty { return false }
            places = open(next, pattern)
        }
        return places.contains(pattern.endIndex)
    }

    /// The places, and those behind descents, which may be of no step.
    private static func open(_ places: Set<Int>, _ pattern: ArraySlice<Step>) -> Set<Int> {
        var all = places
        for var place in places {
            while place < pattern.endIndex, pattern[place] == .descent {
                place += 1
                all.insert(place)
            }
        }
        return all
    }
}

extension JSONPathPattern.Step {
    /// Reads the next of `text`: a step, and before it a descent where there are two points.
    fileprivate static func parse(_ text: inout ArraySlice<UInt8>) -> [Self]? {
        if text.first == UInt8(ascii: "[") { return bracket(&text).map { [$0] } }
        guard text.popFirst() == UInt8(ascii: ".") else { return nil }
        guard text.first == UInt8(ascii: ".") else { return name(&text).map { [$0] } }
        text.removeFirst()
        let step = text.first == UInt8(ascii: "[") ? bracket(&text) : name(&text)
        return step.map { [.descent, $0] }
    }

    private static func name(_ text: inout ArraySlice<UInt8>) -> Self? {
        let name = text.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
        text = text[name.endIndex...]
        guard !name.isEmpty, name.elementsEqual([UInt8(ascii: "*")]) || name.allSatisfy(isName)
        else { return nil }
        let key = String(decoding: name, as: UTF8.self)
        return key == "*" ? .any : .key(key)
    }

    /// Whether it may stand in a name without quotes; `-` and a digit in front, too, which the RFC
    /// leaves out.
    private static func isName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte)
    }

    private static func bracket(_ text: inout ArraySlice<UInt8>) -> Self? {
        text.removeFirst()
        let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        if let quote = text.first, quotes.contains(quote) { return quoted(&text, quote) }
        guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let inner = String(decoding: text[..<end], as: UTF8.self)
        text = text[(end + 1)...]
        if inner == "*" { return .any }
        return Int(inner).flatMap { $0 < 0 ? nil : .index($0) }
    }

    private static func quoted(_ text: inout ArraySlice<UInt8>, _ quote: UInt8) -> Self? {
        var isEscaped = false
        let end = text.dropFirst().firstIndex { byte in
            if !isEscaped && byte == quote { return true }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            return false
        }
        guard let end, text[(end + 1)...].first == UInt8(ascii: "]") else { return nil }
        let inner = text[(text.startIndex + 1)..<end]
        text = text[(end + 2)...]
        let json = [UInt8(ascii: "\"")] + inner + [UInt8(ascii: "\"")]
        return (try? JSON.parse(json).value.string).map { .key($0) }
    }
}
