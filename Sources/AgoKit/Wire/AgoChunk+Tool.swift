import RepriseWire

extension AgoChunk {
    /// Whether the chunk is about a tool: marked as such, or the bare state of a client function.
    static func isTool(_ object: JSONObject) -> Bool {
        let type = object["type"]?.string
        if object["tool_call_data"]?.bool == true { return true }
        return type == AgoToolEvent.Kind.clientFunction.rawValue
            && object["function_name"]?.string != nil
    }

    /// Reads the keys of a tool event; false where `key` is none.
    mutating func readTool(_ key: String, _ value: JSON, _ fields: inout JSONFields) -> Bool {
        var event = tool ?? AgoToolEvent(type: AgoToolEvent.Kind(rawValue: ""))
        switch key {
        case "tool_call_data": break
        case "type":
            let type = fields.optional(key, value, .string, \.string)
            event.type = AgoToolEvent.Kind(rawValue: type ?? "")
        case "id": event.id = fields.optional(key, value, .string, \.string)
        case "status": event.status = fields.optional(key, value, .string, \.string)
        case "tool_name": event.toolName = fields.optional(key, value, .string, \.string)
        case "tool_display_name":
            event.toolDisplayName = fields.optional(key, value, .string, \.string)
        case "message": event.message = fields.optional(key, value, .string, \.string)
        case "form_schema": event.formSchema = fields.any(value)
        case "data": event.data = fields.any(value)
        case "function_name": event.functionName = fields.optional(key, value, .string, \.string)
        case "arguments":
            event.arguments = fields.optional(key, value, .object) { $0.object.map(JSON.object) }
        default: return false
        }
        tool = event
        return true
    }

    mutating func finishTool(_ object: JSONObject) {
        tool?.isBareState = object["tool_call_data"]?.bool != true
    }
}
