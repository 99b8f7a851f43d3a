import RepriseWire

extension ChatMessage {
    /// Reads a message. Never fails: what cannot be read is in ``mismatches``.
    init(_ body: JSONObject) {
        self.init()
        self.body = body
        var fields = JSONFields(body)
        id = fields.optional("id", .integer, \.wholeNumber)
        muid = fields.text("muid")
        conversationId = fields.text("conversationId")
        // Empty where the message is in no thread.
        if body["parentId"]?.string != "" {
            parentId = fields.optional("parentId", .integer, \.wholeNumber)
        }
        sender = body["sender"]?.object?["uid"]?.string ?? fields.text("sender")
        receiver = body["receiver"]?.object?["uid"]?.string ?? fields.text("receiver")
        receiverType = fields.text("receiverType")
        category = fields.text("category")
        type = fields.text("type")
        sentAt = fields.optional("sentAt", .integer, \.wholeNumber)
        if let data = body["data"] {
            fields.nested("data", data) { data in
                read(&data)
                return ()
            }
        }
        mismatches = fields.mismatches
        if sender.isEmpty { sender = Self.profile("sender", in: body) ?? "" }
        if receiver.isEmpty { receiver = Self.profile("receiver", in: body) ?? "" }
    }

    /// The id in the profile of a side, which a message may have instead of the bare id.
    private static func profile(_ side: String, in body: JSONObject) -> String? {
        body["data"]?["entities"]?[side]?["entity"]?["uid"]?.string
    }

    private mutating func read(_ data: inout JSONFields) {
        text = data.text("text")
        moderation = (data.object["moderation"]?["status"]?.string).map {
            ModerationStatus(rawValue: $0)
        }
        guard category == "agentic" else { return }
        runId = data.optional("runId", .integer, \.wholeNumber)
        threadId = data.text("threadId")
        switch agenticKind {
        case .assistant: readElements(&data)
        case .toolResult: toolCallId = data.text("toolCallId")
        case .toolArguments: readCalls(&data)
        case nil: break
        }
    }

    /// An entry without a type is passed over, as the vendor's clients do.
    private mutating func readElements(_ data: inout JSONFields) {
        guard let value = data.object["elements"] else { return }
        elements = data.list("elements", value, .object, \.object)?.compactMap { element in
            guard let type = element["type"]?.string, !type.isEmpty else { return nil }
            return Element(type: type, value: element["value"])
        }
    }

    private mutating func readCalls(_ data: inout JSONFields) {
        guard let value = data.object["toolCalls"] else { return }
        let calls = data.list("toolCalls", value, .object, \.object) ?? []
        for (index, call) in calls.enumerated() {
            var fields = JSONFields(call, at: "data.toolCalls[\(index)].")
            toolCalls.append(ToolCall(&fields))
            data.take(fields.mismatches)
        }
    }
}

extension ChatMessage.ToolCall {
    fileprivate init(_ fields: inout JSONFields) {
        id = fields.text("id")
        type = fields.text("type")
        displayName = fields.text("displayName")
        executionText = fields.text("executionText")
        guard let function = fields.object["function"] else { return }
        fields.nested("function", function) { function in
            name = function.text("name")
            arguments = function.text("arguments")
            return ()
        }
    }
}
