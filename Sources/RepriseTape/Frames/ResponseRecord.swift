public import RepriseWire

/// The head of a response, as received; for a WebSocket, of the handshake.
public struct ResponseRecord: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// HTTP version, e.g. `1.1`.
    public var version: String
    /// The reason phrase, where it is not empty.
    public var reason: String?
    /// Header fields in order and case as received.
    public var headers: Headers

    /// Creates the record.
    public init(
        status: Int,
        version: String = "1.1",
        reason: String? = nil,
        headers: Headers = [:]
    ) {
        self.status = status
        self.version = version
        self.reason = reason
        self.headers = headers
    }
}

extension ResponseRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        status = try fields.integer("status")
        version = try fields.string("version")
        reason = try fields.optionalString("reason")
        headers = try fields.optionalHeaders("headers") ?? [:]
    }

    var json: JSONObject {
        var object = JSONObject()
        object["status"] = .integer(status)
        object["version"] = .string(version)
        object["reason"] = reason.map { .string($0) }
        object["headers"] = headers.json
        return object
    }
}
