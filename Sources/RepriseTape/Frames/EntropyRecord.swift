internal import RepriseWire

/// A value that the client drew, so that a replay draws the same.
public struct EntropyRecord: Sendable, Hashable {
    /// The client operation that drew it; 0 for none.
    public var call: UInt64
    /// What it was drawn for, e.g. `boundary`.
    public var purpose: String
    /// How many were drawn before it for the same call and purpose.
    public var ordinal: Int
    /// The value as text.
    public var value: String

    /// Creates the record.
    public init(
        call: UInt64,
        purpose: String,
        ordinal: Int,
        value: String
    ) {
        self.call = call
        self.purpose = purpose
        self.ordinal = ordinal
        self.value = value
    }
}

extension EntropyRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        call = try fields.integer("call")
        purpose = try fields.string("purpose")
        ordinal = try fields.integer("ordinal")
        value = try fields.string("value")
    }

    var json: JSONObject {
        var object = JSONObject()
        object["call"] = .integer(call)
        object["purpose"] = .string(purpose)
        object["ordinal"] = .integer(ordinal)
        object["value"] = .string(value)
        return object
    }
}
