internal import RepriseWire

/// Where the time before the response went: nanoseconds since the request, where known.
public struct PhasesRecord: Sendable, Hashable {
    /// The host name was resolved.
    public var lookup: Int64?
    /// The connection was made.
    public var connect: Int64?
    /// The TLS handshake was done.
    public var tls: Int64?
    /// The request was out.
    public var sent: Int64?
    /// The first byte of the final response head came.
    public var firstByte: Int64?
    /// Whether an open connection was used again.
    public var reused: Bool?
    /// The protocol, e.g. `http/1.1`.
    public var protocolName: String?

    /// Creates the record.
    public init(
        lookup: Int64? = nil,
        connect: Int64? = nil,
        tls: Int64? = nil,
        sent: Int64? = nil,
        firstByte: Int64? = nil,
        reused: Bool? = nil,
        protocolName: String? = nil
    ) {
        self.lookup = lookup
        self.connect = connect
        self.tls = tls
        self.sent = sent
        self.firstByte = firstByte
        self.reused = reused
        self.protocolName = protocolName
    }
}

extension PhasesRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        lookup = try fields.optionalInteger("lookup")
        connect = try fields.optionalInteger("connect")
        tls = try fields.optionalInteger("tls")
        sent = try fields.optionalInteger("sent")
        firstByte = try fields.optionalInteger("firstByte")
        reused = try fields.optionalBool("reused")
        protocolName = try fields.optionalString("protocol")
    }

    var json: JSONObject {
        var object = JSONObject()
        object["lookup"] = lookup.map { .integer($0) }
        object["connect"] = connect.map { .integer($0) }
        object["tls"] = tls.map { .integer($0) }
        object["sent"] = sent.map { .integer($0) }
        object["firstByte"] = firstByte.map { .integer($0) }
        object["reused"] = reused.map { .bool($0) }
        object["protocol"] = protocolName.map { .string($0) }
        return object
    }
}
