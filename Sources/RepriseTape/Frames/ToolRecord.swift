public import RepriseWire

/// A client-side tool handler started or finished.
public struct ToolRecord: Sendable, Hashable {
    /// The client operation it belongs to.
    public var call: UInt64?
    /// The id of the tool call.
    public var id: String
    /// The name of the tool.
    public var name: String
    /// Started or finished.
    public var state: State
    /// The input, when it started.
    public var input: JSON?
    /// The outcome, when it finished.
    public var outcome: Outcome?
    /// The output, when it finished with one.
    public var output: JSON?

    /// Creates the record.
    public init(
        call: UInt64? = nil,
        id: String,
        name: String,
        state: State,
        input: JSON? = nil,
        outcome: Outcome? = nil,
        output: JSON? = nil
    ) {
        self.call = call
        self.id = id
        self.name = name
        self.state = state
        self.input = input
        self.outcome = outcome
        self.output = output
    }
}

extension ToolRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        call = try fields.optionalInteger("call")
        id = try fields.string("id")
        name = try fields.string("name")
        state = try fields.required("state", "started or finished") {
            $0.string.flatMap(State.init)
        }
        input = fields.object["input"]
        outcome = try fields.optional("outcome", "value, threw, missing or cancelled") {
            $0.string.flatMap(Outcome.init)
        }
        output = fields.object["output"]
    }

    var json: JSONObject {
        var object = JSONObject()
        object["call"] = call.map { .integer($0) }
        object["id"] = .string(id)
        object["name"] = .string(name)
        object["state"] = .string(state.rawValue)
        object["input"] = input
        object["outcome"] = outcome.map { .string($0.rawValue) }
        object["output"] = output
        return object
    }
}

extension ToolRecord {
    /// Where in its run a handler is.
    public enum State: String, Sendable {
        /// The handler was called.
        case started
        /// The handler is done.
        case finished
    }

    /// How a handler's run ended.
    public enum Outcome: String, Sendable {
        /// It returned a value.
        case value
        /// It threw.
        case threw
        /// There was none for that name.
        case missing
        /// It was cancelled.
        case cancelled
    }
}
