import RepriseWire

extension JSON {
    /// The value in the types of Swift that apps take from the vendor's clients: `String`, `Bool`,
    /// `Int`, `Double`, `[Any]`, `[String: Any]`. A null is nil, and its member is left out.
    var any: Any? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .string(let value): value
        case .number(let text): integer.flatMap { Int(exactly: $0) } ?? Double(text) ?? text
        case .array(let elements): elements.map { $0.any as Any }
        case .object(let object): object.any
        }
    }

    /// A value in Swift's types; one that JSON has no form for is null.
    init(any value: Any?) {
        switch value {
        case let value as JSON: self = value
        case let value as String: self = .string(value)
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: self = .number("\(value)")
        case let value as Double: self = value.isFinite ? .number("\(value)") : .null
        case let value as Float: self = value.isFinite ? .number("\(value)") : .null
        case let value as [Any?]: self = .array(value.map { JSON(any: $0) })
        case let value as [String: Any]: self = .object(JSONObject(any: value))
        default: self = .null
        }
    }
}

extension JSONObject {
    /// The members in Swift's types.
    var any: [String: Any] {
        Dictionary(members.compactMap { member in member.value.any.map { (member.key, $0) } }) {
            $1
        }
    }

    /// The members in the order of their keys' bytes.
    init(any members: [String: Any]) {
        self.init(
            members
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { Member($0.key, JSON(any: $0.value)) })
    }
}
