public import RepriseWire

/// How an exchange ended. An exchange without one was cut by the death of its recorder.
public struct EndRecord: Sendable, Hashable {
    /// How it ended.
    public var how: How
    /// What delimited the response body.
    public var framing: Framing?
    /// Whether the framing proves that the body is whole; a body that only the closing of the
    /// connection ends is not proven.
    public var proven: Bool?
    /// Stable code of the failure, e.g. `transport.reset`.
    public var code: String?
    /// What happened, without any recorded content.
    public var message: String?
    /// Trailer fields, where there were any.
    public var trailers: Headers?
    /// What is wrong with the content coding of the response's body, where its frames do not show
    /// it since they are decoded.
    public var coding: ContentCodingError?

    /// Creates the record.
    public init(
        how: How,
        framing: Framing? = nil,
        proven: Bool? = nil,
        code: String? = nil,
        message: String? = nil,
        trailers: Headers? = nil,
        coding: ContentCodingError? = nil
    ) {
        self.how = how
        self.framing = framing
        self.proven = proven
        self.code = code
        self.message = message
        self.trailers = trailers
        self.coding = coding
    }
}

extension EndRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        how = try fields.required("how", "complete, reset, cancelled, timedOut or failed") {
            $0.string.flatMap(How.init)
        }
        framing = try fields.optional("framing", "length, chunked, close or http2") {
            $0.string.flatMap(Framing.init)
        }
        proven = try fields.optionalBool("proven")
        code = try fields.optionalString("code")
        message = try fields.optionalString("message")
        trailers = try fields.optionalHeaders("trailers")
        coding = try fields.optional(
            "coding", "{\"fault\":…,\"name\":…,\"offset\":…}", { ContentCodingError(json: $0) })
    }

    var json: JSONObject {
        var object = JSONObject()
        object["how"] = .string(how.rawValue)
        object["framing"] = framing.map { .string($0.rawValue) }
        object["proven"] = proven.map { .bool($0) }
        object["code"] = code.map { .string($0) }
        object["message"] = message.map { .string($0) }
        object["trailers"] = trailers?.json
        object["coding"] = coding?.json
        return object
    }
}

extension ContentCodingError {
    fileprivate var json: JSON {
        var object: JSONObject = [
            "fault": .string(kind.rawValue), "name": .string(coding), "offset": .integer(offset),
        ]
        if !detail.isEmpty { object["detail"] = .string(detail) }
        return .object(object)
    }

    fileprivate init?(json: JSON) {
        guard let kind = json["fault"]?.string.flatMap(Kind.init),
            let name = json["name"]?.string,
            let offset = json["offset"]?.integer.flatMap({ Int(exactly: $0) }), offset >= 0
        else { return nil }
        self.init(
            kind: kind, coding: name, offset: offset, detail: json["detail"]?.string ?? "")
    }
}

extension EndRecord {
    /// How an exchange ended.
    public enum How: String, Sendable, CaseIterable {
        /// The response was received to its end.
        case complete
        /// The peer cut it short.
        case reset
        /// The app stopped.
        case cancelled
        /// A time limit passed.
        case timedOut
        /// Anything else, for instance a connection that could not be made.
        case failed
    }

    /// What delimits a response body (RFC 9112 section 6.3).
    public enum Framing: String, Sendable, CaseIterable {
        /// `Content-Length`, or a response that has no body.
        case length
        /// The chunked transfer coding.
        case chunked
        /// The closing of the connection.
        case close
        /// HTTP/2 frames.
        case http2
    }
}
