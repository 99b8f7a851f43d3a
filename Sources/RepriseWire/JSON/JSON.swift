/// A JSON value (RFC 8259) that keeps what was written: the order of members, duplicate keys, and
/// numbers as text.
///
/// Two values are equal where they are written alike: strings by their code units (section 8.3),
/// so that a precomposed and a decomposed "é" differ, which Swift's own strings take for one.
public enum JSON: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as the text that was written, e.g. `1e400` or `12345678901234567890`.
    case number(String)
    /// A string; a lone surrogate escape reads as U+FFFD.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object(JSONObject)

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSON { .number(String(value)) }
}

/// The members of a JSON object in order, duplicates included.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The key, unescaped.
        public var key: String
        /// The value.
        public var value: JSON

        /// A member.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// All members in order.
    public var members: [Member]

    /// Members in the given order.
    public init(_ members: [Member] = []) { self.members = members }

    /// Members in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        members = elements.map { Member($0.0, $0.1) }
    }

    /// The value of `key`; of a duplicate the last one, as in JavaScript. Setting nil removes the
    /// key, setting a value keeps its place or appends it. O(n).
    public subscript(key: String) -> JSON? {
        get { members.last { $0.key.isWritten(as: key) }?.value }
        set {
            guard let newValue else {
                members.removeAll { $0.key.isWritten(as: key) }
                return
            }
            if let index = members.lastIndex(where: { $0.key.isWritten(as: key) }) {
                members[index].value = newValue
            } else {
                members.append(Member(key, newValue))
            }
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member($0.0, $0.1) }))
    }
    /// `null`
    public init(nilLiteral: ()) { self = .null }
}

extension JSON {
    /// The member `key` of an object; nil for any other value.
    public subscript(key: String) -> JSON? { object?[key] }

    /// The element at `index` of an array; nil outside it and for any other value.
    public subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The string, if it is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value, if it is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number as a 64-bit integer, if it is one and fits exactly (`2`, `2.0` and `2e0` do).
    public var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    /// The number as a double, if it is one.
    public var double: Double? {
        if case .number(let text) = self { Double(text) } else { nil }
    }

    /// The elements, if it is an array.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if it is an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// Whether it is `null`.
    public var isNull: Bool { self == .null }
}
