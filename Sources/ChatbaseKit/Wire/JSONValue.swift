public import RepriseWire

/// A JSON value as tools take and give it.
public enum JSONValue: Sendable, Hashable {
    /// A text.
    case string(String)
    /// A whole number, however it was written: `2`, `2.0` and `2e0` are one.
    case int(Int)
    /// Any other number; one too large for a double is infinite.
    case number(Double)
    /// `true` or `false`
    case bool(Bool)
    /// An object; of a key that came twice the last value.
    case object([String: JSONValue])
    /// An array.
    case array([JSONValue])
    /// `null`
    case null

    /// The text, if it is one.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The whole number, if it is one.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

    /// The number, whole or not, if it is one.
    public var numberValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The truth value, if it is one.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The members, if it is an object.
    public var objectValue: [String: JSONValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The elements, if it is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The member `key` of an object, `.null` where it is null; nil where there is none, and for
    /// any other value.
    public subscript(key: String) -> JSONValue? { objectValue?[key] }

    /// The element at `index` of an array; nil outside it and for any other value.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension JSONValue {
    /// The value of a JSON text's value.
    public init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let object):
            self = .object(
                Dictionary(object.members.map { ($0.key, JSONValue($0.value)) }) { $1 })
        case .number(let text):
            if let whole = json.integer.flatMap({ Int(exactly: $0) }) {
                self = .int(whole)
            } else {
                self = .number(Double(text) ?? .nan)
            }
        }
    }
}

extension JSON {
    /// The value with its members in the order of their keys' bytes; a number that JSON cannot
    /// write is null.
    public init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .int(let value): self = .integer(value)
        case .number(let value): self = value.isFinite ? .number("\(value)") : .null
        case .array(let elements): self = .array(elements.map { JSON($0) })
        case .object(let members):
            self = .object(
                JSONObject(
                    members
                        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                        .map { JSONObject.Member($0.key, JSON($0.value)) }))
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of a key that stands twice the last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
