public import RepriseWire

/// Which client, with its configuration, so that it can be built again.
public struct ClientRecord: Sendable, Hashable {
    /// The client's name, e.g. `ago`.
    public var client: String
    /// Base URL, mode and options, credentials masked.
    public var config: JSONObject

    /// Creates the record.
    public init(
        client: String,
        config: JSONObject = JSONObject()
    ) {
        self.client = client
        self.config = config
    }
}

extension ClientRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        client = try fields.string("client")
        config = try fields.optional("config", "an object", \.object) ?? JSONObject()
    }

    var json: JSONObject {
        var object = JSONObject()
        object["client"] = .string(client)
        object["config"] = .object(config)
        return object
    }
}
