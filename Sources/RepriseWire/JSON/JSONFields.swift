/// Reads the members of one object and notes what has another type than declared.
///
/// `null` counts as absent where a member is optional.
package struct JSONFields {
    package let object: JSONObject
    package let path: String
    package private(set) var mismatches: [JSON.Mismatch] = []

    package init(_ object: JSONObject, at path: String = "") {
        self.object = object
        self.path = path
    }

    package mutating func optional<Value>(
        _ key: String, _ value: JSON, _ expected: JSON.Mismatch.Expected,
        _ read: (JSON) -> Value?
    ) -> Value? {
        if value.isNull { return nil }
        if let value = read(value) { return value }
        note(key, expected, value)
        return nil
    }

    /// A value of any type but `null`.
    package func any(_ value: JSON) -> JSON? { value.isNull ? Optional.none : value }

    package mutating func optional<Value>(
        _ key: String, _ expected: JSON.Mismatch.Expected, _ read: (JSON) -> Value?
    ) -> Value? {
        guard let value = object[key] else { return nil }
        return optional(key, value, expected, read)
    }

    package mutating func required<Value>(
        _ key: String, _ expected: JSON.Mismatch.Expected, _ read: (JSON) -> Value?
    ) -> Value? {
        guard let value = object[key], let result = read(value) else {
            note(key, expected, object[key])
            return nil
        }
        return result
    }

    package mutating func note(_ key: String, _ expected: JSON.Mismatch.Expected, _ found: JSON?) {
        mismatches.append(
            JSON.Mismatch(path: path + key, expected: expected, found: .init(found)))
    }

    package mutating func take(_ others: [JSON.Mismatch]) { mismatches += others }
}

extension JSONFields {
    /// The object at `key` as fields of its own, given to `read`.
    package mutating func nested<Value>(
        _ key: String, _ value: JSON, _ read: (inout JSONFields) -> Value?
    ) -> Value? {
        guard let object = optional(key, value, .object, \.object) else { return nil }
        var fields = JSONFields(object, at: "\(path)\(key).")
        let result = read(&fields)
        take(fields.mismatches)
        return result
    }

    /// The array at `key` with each element given to `read`; elements that cannot be read are
    /// noted and left out.
    package mutating func list<Value>(
        _ key: String, _ value: JSON, _ expected: JSON.Mismatch.Expected,
        _ read: (JSON) -> Value?
    ) -> [Value]? {
        guard let elements = optional(key, value, .array, \.array) else { return nil }
        return elements.enumerated().compactMap { index, element in
            if let value = read(element) { return value }
            note("\(key)[\(index)]", expected, element)
            return nil
        }
    }
}
