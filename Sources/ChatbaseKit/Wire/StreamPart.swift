public import RepriseWire

/// One part of a reply's stream as the wire has it: a bag of keys, of which each kind has some.
public struct StreamPart: Sendable, Hashable {
    /// What it is about.
    public var kind: Kind
    /// `messageId` of `start`.
    public var messageId: String?
    /// `id` of a text or of what the agent thinks.
    public var id: String?
    /// `delta`: text to append.
    public var delta: String?
    /// Surrogate escapes of `delta` without partner, whose partner may be in another part.
    public var deltaSurrogates: [JSON.LoneSurrogate] = []
    /// `toolCallId`
    public var toolCallId: String?
    /// `toolName`
    public var toolName: String?
    /// `inputTextDelta`: a piece of the JSON text of a tool's input.
    public var inputTextDelta: String?
    /// Surrogate escapes of `inputTextDelta` without partner.
    public var inputSurrogates: [JSON.LoneSurrogate] = []
    /// `input`: of any type but null.
    public var input: JSON?
    /// `output`: of any type; nil where the key is missing.
    public var output: JSON?
    /// `preliminary`: whether another output of the same call follows.
    public var isPreliminary = false
    /// `providerExecuted`: whether the service runs the tool.
    public var isProviderExecuted = false
    /// `errorText`, or `error.message`, or `message`.
    public var errorText: String?
    /// `finishReason` at the top level of `finish`.
    public var finishReason: String?
    /// `messageMetadata`, also under its other name `metadata`; of a `message-metadata` without
    /// either, its own keys.
    public var metadata: JSONObject?
    /// Members of another type than declared, or missing where they are required.
    public var mismatches: [JSON.Mismatch] = []
    /// Why the service's iOS kit cannot read it; nil where it can.
    public var strictFailure: String?

    /// A part of a kind without anything else.
    public init(_ kind: Kind) { self.kind = kind }

    /// Reads a part. Never fails: what cannot be read is in ``mismatches``.
    ///
    /// - Parameters:
    ///   - document: The parsed data of an event.
    ///   - event: The event's name, which counts where the data has no type.
    /// - Returns: Nil where there is no object with a type.
    public init?(_ document: JSON.Document, event: String? = nil) {
        guard let object = document.value.object,
            let type = object["type"]?.string ?? event
        else { return nil }
        self.init(Kind(rawValue: type))
        var fields = JSONFields(object)
        read(&fields)
        mismatches = fields.mismatches
        deltaSurrogates = document.loneSurrogates(at: JSONPath([.key("delta")]))
        inputSurrogates = document.loneSurrogates(at: JSONPath([.key("inputTextDelta")]))
        strictFailure =
            object["type"]?.string == nil ? "a part without a type" : missingInStrict(object)
    }

    private func missingInStrict(_ object: JSONObject) -> String? {
        let required: [String: Bool] =
            switch kind {
            case .start: ["messageId": messageId != nil]
            case .textDelta: ["delta": delta != nil]
            case .toolInputAvailable:
                ["toolCallId": toolCallId != nil, "toolName": toolName != nil]
            case .toolOutputAvailable: ["toolCallId": toolCallId != nil]
            case .finish: ["messageMetadata": object["messageMetadata"]?.object != nil]
            default: [:]
            }
        let missing = required.filter { !$0.value }.keys.min()
        return missing.map { "\(kind.rawValue) without \($0)" }
    }
}

extension StreamPart {
    private mutating func read(_ fields: inout JSONFields) {
        switch kind {
        case .start:
            messageId = fields.optional("messageId", .string, \.string)
            readMetadata(&fields)
        case .textStart, .textEnd, .reasoningStart, .reasoningEnd:
            id = fields.required("id", .string, \.string)
        case .textDelta, .reasoningDelta:
            // The service's own fixtures have deltas without an id.
            id = fields.optional("id", .string, \.string)
            delta = fields.required("delta", .string, \.string)
        case .toolInputStart, .toolInputDelta, .toolInputAvailable, .toolOutputAvailable,
            .toolOutputError:
            readTool(&fields)
        case .messageMetadata, .finish: readMetadata(&fields)
        case .error: readError(&fields)
        default: break
        }
    }

    private mutating func readTool(_ fields: inout JSONFields) {
        toolCallId = fields.required("toolCallId", .string, \.string)
        isProviderExecuted = fields.optional("providerExecuted", .bool, \.bool) ?? false
        switch kind {
        case .toolInputStart: toolName = fields.required("toolName", .string, \.string)
        case .toolInputDelta:
            inputTextDelta = fields.required("inputTextDelta", .string, \.string)
        case .toolInputAvailable:
            toolName = fields.required("toolName", .string, \.string)
            input = fields.object["input"].flatMap { fields.any($0) }
        case .toolOutputAvailable:
            output = fields.object["output"]
            if output == nil { fields.note("output", .object, nil) }
            isPreliminary = fields.optional("preliminary", .bool, \.bool) ?? false
        default: errorText = fields.required("errorText", .string, \.string)
        }
    }

    private mutating func readMetadata(_ fields: inout JSONFields) {
        if kind == .finish { finishReason = fields.optional("finishReason", .string, \.string) }
        let key = fields.object["messageMetadata"] == nil ? "metadata" : "messageMetadata"
        if let value = fields.object[key] {
            metadata = fields.nested(key, value) { nested in
                nested.checkMetadata()
                return nested.object
            }
        } else if kind == .messageMetadata {
            fields.checkMetadata()
            metadata = fields.object
            metadata?["type"] = nil
        }
    }

    private mutating func readError(_ fields: inout JSONFields) {
        errorText =
            fields.optional("errorText", .string, \.string)
            ?? fields.object["error"]?["message"]?.string
            ?? fields.optional("message", .string, \.string)
        if errorText == nil, fields.mismatches.isEmpty { fields.note("errorText", .string, nil) }
    }
}
