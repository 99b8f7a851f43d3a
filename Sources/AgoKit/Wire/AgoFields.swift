import RepriseWire

/// Reads the members of one object and notes what has another type than declared.
///
/// `null` counts as absent where a member is optional.
struct AgoFields {
    let object: JSONObject
    let path: String
    private(set) var mismatches: [AgoChunk.Mismatch] = []

    init(_ object: JSONObject, at path: String = "") {
        self.object = object
        self.path = path
    }

    mutating func optional<Value>(
        _ key: String, _ value: JSON, _ expected: AgoChunk.Mismatch.Expected,
        _ read: (JSON) -> Value?
    ) -> Value? {
        if value.isNull { return nil }
        if let value = read(value) { return value }
        note(key, expected, value)
        return nil
    }

    /// A value of any type but `null`.
    func any(_ value: JSON) -> JSON? { value.isNull ? Optional.none : value }

    mutating func optional<Value>(
        _ key: String, _ expected: AgoChunk.Mismatch.Expected, _ read: (JSON) -> Value?
    ) -> Value? {
        guard let value = object[key] else { return nil }
        return optional(key, value, expected, read)
    }

    mutating func required<Value>(
        _ key: String, _ expected: AgoChunk.Mismatch.Expected, _ read: (JSON) -> Value?
    ) -> Value? {
        guard let value = object[key], let result = read(value) else {
            note(key, expected, object[key])
            return nil
        }
        return result
    }

    mutating func note(_ key: String, _ expected: AgoChunk.Mismatch.Expected, _ found: JSON?) {
        mismatches.append(
            AgoChunk.Mismatch(path: path + key, expected: expected, found: .init(found)))
    }

    mutating func take(_ others: [AgoChunk.Mismatch]) { mismatches += others }
}

extension AgoFields {
    /// The object at `key` as fields of its own, given to `read`.
    mutating func nested<Value>(
        _ key: String, _ value: JSON, _ read: (inout AgoFields) -> Value?
    ) -> Value? {
        guard let object = optional(key, value, .object, \.object) else { return nil }
        var fields = AgoFields(object, at: "\(path)\(key).")
        let result = read(&fields)
        take(fields.mismatches)
        return result
    }

    /// The array at `key` with each element given to `read`; elements that cannot be read are
    /// noted and left out.
    mutating func list<Value>(
        _ key: String, _ value: JSON, _ expected: AgoChunk.Mismatch.Expected,
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

extension AgoFields {
    mutating func agent() -> Agent? {
        let id = required("id", .string, \.string)
        let name = required("name", .string, \.string)
        let displayName = optional("display_name", .string, \.string)
        guard let id, let name else { return nil }
        return Agent(id: id, name: name, displayName: displayName)
    }

    mutating func sources(_ key: String, _ value: JSON) -> [KnowledgeSource]? {
        guard let elements = optional(key, value, .array, \.array) else { return nil }
        return elements.enumerated().compactMap { index, element in
            guard let object = element.object else {
                note("\(key)[\(index)]", .object, element)
                return nil
            }
            var fields = AgoFields(object, at: "\(path)\(key)[\(index)].")
            defer { take(fields.mismatches) }
            return fields.source()
        }
    }

    private mutating func source() -> KnowledgeSource? {
        let id = optional("id", .string, \.string)
        let position = optional("position", .integer) { $0.integer.flatMap(Int.init(exactly:)) }
        guard let value = required("knowledge_document", .object, { $0.object.map(JSON.object) }),
            let document = nested("knowledge_document", value, { $0.document() })
        else { return nil }
        return KnowledgeSource(
            id: id ?? document.id, knowledgeDocument: document, position: position)
    }

    private mutating func document() -> KnowledgeDocument? {
        let id = required("id", .string, \.string)
        let title = required("title", .string, \.string)
        let external = optional("external_link_url", .string, \.string)
        let `internal` = optional("internal_link_url", .string, \.string)
        let useExternal = optional("use_external_link", .bool, \.bool)
        guard let id, let title else { return nil }
        return KnowledgeDocument(
            id: id, title: title, externalLinkUrl: external, internalLinkUrl: `internal`,
            useExternalLink: useExternal)
    }
}
