import RepriseWire

extension AgentEvent {
    /// Reads the body of a streamed frame. Never fails: what cannot be read is in ``mismatches``.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - document: The frame that it is of, for lone surrogates of its delta.
    ///   - path: Where the body is in the frame.
    init(_ body: JSONObject, of document: JSON.Document, at path: JSONPath) {
        self.init()
        self.body = body
        var fields = JSONFields(body)
        if let text = fields.required("type", .string, \.string) {
            type = text
            kind = AgentEventKind(rawValue: text)
        }
        id = fields.optional("id", .integer, \.wholeNumber)
        conversationId = fields.text("conversationId")
        parentId = fields.text("parentId")
        if let data = body["data"] {
            fields.nested("data", data) { data in
                hasData = true
                read(&data)
                return ()
            }
        }
        mismatches = fields.mismatches
        let steps = path.steps + [.key("data"), .key("delta")]
        deltaSurrogates = document.loneSurrogates(at: JSONPath(steps))
    }

    private mutating func read(_ data: inout JSONFields) {
        runId = data.optional("runId", .integer, \.wholeNumber)
        threadId = data.text("threadId")
        timestamp = data.optional("timestamp", .number) { $0.double.flatMap { Int64(exactly: $0) } }
        switch kind {
        case .runStarted, .textMessageStart:
            streamMessageId = data.text("streamMessageId")
            role = data.text("role")
        case .toolCallStart, .toolCallArgs, .toolCallEnd, .toolCallResult: readTool(&data)
        case .cardStart, .card, .cardEnd: readCard(&data)
        case .textMessageContent:
            streamMessageId = data.text("streamMessageId")
            delta = data.optional("delta", .string, \.string)
        case .textMessageEnd:
            streamMessageId = data.text("streamMessageId")
            messageId = data.text("messageId")
            innerType = data.text("type")
        default: break
        }
    }

    private mutating func readTool(_ data: inout JSONFields) {
        toolCallId = data.text("toolCallId")
        toolCallName = data.text("toolCallName")
        displayName = data.text("displayName")
        executionText = data.text("executionText")
        arguments = data.text("arguments")
        switch kind {
        case .toolCallStart: streamParentMessageId = data.text("streamParentMessageId")
        case .toolCallArgs: delta = data.optional("delta", .string, \.string)
        case .toolCallResult:
            streamMessageId = data.text("streamMessageId")
            content = data.text("content")
            role = data.text("role")
        default: break
        }
    }

    private mutating func readCard(_ data: inout JSONFields) {
        streamMessageId = data.text("streamMessageId")
        cardId = data.text("cardId")
        if kind == .cardStart { executionText = data.text("executionText") }
        if kind == .card { card = data.optional("card", .object, \.object) }
    }
}

extension JSONFields {
    /// A text that counts as empty where it is missing.
    mutating func text(_ key: String) -> String { optional(key, .string, \.string) ?? "" }
}

extension JSON {
    /// The whole number of a number or of a text of digits.
    var wholeNumber: Int64? { integer ?? string.flatMap { Int64($0) } }
}
