public import RepriseWire

extension ServiceFrame {
    /// Reads a text message. Never fails on an object: what cannot be read is in the mismatches.
    ///
    /// - Returns: Nil where it is no object.
    public init?(_ document: JSON.Document) {
        guard let object = document.value.object else { return nil }
        if let content = Self.bare(object, of: document) {
            self.content = content
            isBare = true
            return
        }
        var fields = JSONFields(object)
        if object["action"]?.string == "pong" { content = .pong }
        type = fields.text("type")
        appId = fields.text("appId")
        sender = fields.text("sender")
        receiver = fields.text("receiver")
        receiverType = fields.text("receiverType")
        deviceId = fields.text("deviceId")
        readBody(&fields, of: document)
        mismatches = fields.mismatches
    }

    /// What the body of a frame is where it came without an envelope.
    private static func bare(_ object: JSONObject, of document: JSON.Document) -> Content? {
        guard object["body"] == nil, object["action"] == nil else { return nil }
        if object["category"]?.string == "agentic" { return .message(ChatMessage(object)) }
        guard let type = object["type"]?.string else { return nil }
        let isEvent =
            AgentEventKind(rawValue: type).isKnown || object["data"]?["runId"] != nil
        return isEvent ? .event(AgentEvent(object, of: document, at: JSONPath())) : nil
    }

    private mutating func readBody(_ fields: inout JSONFields, of document: JSON.Document) {
        switch type {
        case "auth":
            guard let body = fields.required("body", .object, \.object) else {
                content = .auth(AuthReply())
                return
            }
            var inner = JSONFields(body, at: "body.")
            let code = inner.required("code", .integer, \.wholeNumber)
            let status = inner.required("status", .string, \.string) ?? ""
            content = .auth(AuthReply(code: code, status: status))
            fields.take(inner.mismatches)
        case "streamed_message":
            guard let body = fields.required("body", .object, \.object) else { return }
            let path = JSONPath([.key("body")])
            content = .event(AgentEvent(body, of: document, at: path))
        case "message", "on_moderation_status_changed":
            guard let body = fields.required("body", .object, \.object) else { return }
            var message = ChatMessage(body)
            // A body may leave out what its envelope says.
            if message.sender.isEmpty { message.sender = sender }
            if message.receiver.isEmpty { message.receiver = receiver }
            if message.receiverType.isEmpty { message.receiverType = receiverType }
            content = type == "message" ? .message(message) : .moderation(message)
        default: break
        }
    }
}
