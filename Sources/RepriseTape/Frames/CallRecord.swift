public import RepriseWire

/// A client operation began (with `op` and `args`) or ended (with `result` or `error`).
public struct CallRecord: Sendable, Hashable {
    /// Its number, from 1.
    public var call: UInt64
    /// The client whose operation it is, when it began: the number of its frame among the `client`
    /// frames, from 1; nil where that is not known.
    public var client: UInt64?
    /// The operation, e.g. `sendMessage`, when it began.
    public var op: String?
    /// Its arguments, when it began.
    public var args: JSON?
    /// Its result, when it ended well; null for an operation without one.
    public var result: JSON?
    /// `{"code":…,"message":…}`, when it failed.
    public var error: JSON?

    /// Creates the record.
    public init(
        call: UInt64,
        client: UInt64? = nil,
        op: String? = nil,
        args: JSON? = nil,
        result: JSON? = nil,
        error: JSON? = nil
    ) {
        self.call = call
        self.client = client
        self.op = op
        self.args = args
        self.result = result
        self.error = error
    }
}

extension CallRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        call = try fields.integer("call")
        client = try fields.optionalInteger("client")
        op = try fields.optionalString("op")
        args = fields.object["args"]
        result = fields.object["result"]
        error = fields.object["error"]
    }

    var json: JSONObject {
        var object = JSONObject()
        object["call"] = .integer(call)
        object["client"] = client.map { .integer($0) }
        object["op"] = op.map { .string($0) }
        object["args"] = args
        object["result"] = result
        object["error"] = error
        return object
    }
}

extension CallRecord {
    /// Whether this record begins the operation.
    public var isBeginning: Bool { op != nil }
}
