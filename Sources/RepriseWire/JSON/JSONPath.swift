/// The way from the outermost JSON value to one inside it.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// One step down.
    public enum Step: Sendable, Hashable {
        /// To the member with this key.
        case key(String)
        /// To the element at this index, from 0.
        case index(Int)
    }

    /// The steps, outermost first; none is the outermost value itself.
    public var steps: [Step]

    /// A path of the given steps.
    public init(_ steps: [Step] = []) { self.steps = steps }

    /// The steps joined by points, e.g. `choices.0.delta`. Keys are not escaped.
    public var description: String {
        steps
            .map { step in
                switch step {
                case .key(let key): key
                case .index(let index): String(index)
                }
            }
            .joined(separator: ".")
    }
}

extension JSON {
    /// The value at the end of `path`; nil where it leads nowhere. Of duplicate keys the last.
    public subscript(path path: JSONPath) -> JSON? {
        var value = self
        for step in path.steps {
            let next =
                switch step {
                case .key(let key): value[key]
                case .index(let index): value[index]
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
