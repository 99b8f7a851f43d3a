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

    /// The path as JSONPath writes it (RFC 9535 section 2.1), e.g. `$.choices[0].delta`; a key that
    /// is no plain name stands in brackets, as in `$["b c"]`.
    public var expression: String { steps.reduce("$") { $0 + $1.expression } }

    /// The path with one more step down.
    package func to(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }
}

extension JSONPath.Step {
    package var expression: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where JSONPath.Step.isPlain(key): ".\(key)"
        case .key(let key): "[\(JSON.string(key).serialized)]"
        }
    }

    fileprivate static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || (0x30...0x39).contains(byte)
                    || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
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
