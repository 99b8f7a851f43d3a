/// A set of JSON paths: `data.authToken`, with `*` for any key or index, e.g. `members.*.email`.
///
/// A step that is a number matches that index or that key. Keys that hold a point or are `*`
/// cannot be named.
public struct JSONPathPattern: Sendable, Hashable, CustomStringConvertible {
    private enum Step: Sendable, Hashable {
        case any
        case named(String, index: Int?)

        init(_ text: Substring) {
            self = text == "*" ? .any : .named(String(text), index: Int(text))
        }

        func matches(_ step: JSONPath.Step) -> Bool {
            switch (self, step) {
            case (.any, _): true
            case (.named(let name, _), .key(let key)): name == key
            case (.named(_, let wanted), .index(let index)): wanted == index
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

    /// How many steps its paths have.
    var depth: Int { steps.count }

    /// Whether `path` is one of the set.
    public func matches(_ path: JSONPath) -> Bool {
        steps.count == path.steps.count && zip(steps, path.steps).allSatisfy { $0.matches($1) }
    }
}
