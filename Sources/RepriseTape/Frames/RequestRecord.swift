public import RepriseWire

/// The head of a request, as it left where the transport can tell.
public struct RequestRecord: Sendable, Hashable {
    /// The client operation it belongs to.
    public var call: UInt64?
    /// The protocol of the exchange.
    public var transport: Transport
    /// The method, e.g. `POST`.
    public var method: String
    /// The absolute URL.
    public var url: WireText
    /// Header fields in order and case as sent.
    public var headers: Headers

    /// Creates the record.
    public init(
        call: UInt64? = nil,
        transport: Transport = .http,
        method: String,
        url: WireText,
        headers: Headers = [:]
    ) {
        self.call = call
        self.transport = transport
        self.method = method
        self.url = url
        self.headers = headers
    }
}

extension RequestRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        call = try fields.optionalInteger("call")
        transport = try fields.required("transport", "http or websocket") {
            $0.string.flatMap(Transport.init)
        }
        method = try fields.string("method")
        url = try fields.wireText("url")
        headers = try fields.optionalHeaders("headers") ?? [:]
    }

    var json: JSONObject {
        var object = JSONObject()
        object["call"] = call.map { .integer($0) }
        object["transport"] = .string(transport.rawValue)
        object["method"] = .string(method)
        object["url"] = url.json
        object["headers"] = headers.json
        return object
    }
}

extension RequestRecord {
    /// What carries an exchange.
    public enum Transport: String, Sendable {
        /// One HTTP request and its response.
        case http
        /// One WebSocket connection.
        case websocket
    }
}
