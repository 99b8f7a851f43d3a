import RepriseWire

extension JSONFields {
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
            var fields = JSONFields(object, at: "\(path)\(key)[\(index)].")
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
