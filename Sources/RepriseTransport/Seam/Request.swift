public import RepriseWire

/// A request as it crosses the seam.
public struct Request: Sendable {
    /// The method, e.g. `POST`.
    public var method: String
    /// The absolute URL, `http` or `https`.
    public var url: String
    /// Header fields in order. A transport adds what the protocol needs (`Host`,
    /// `Content-Length`) and nothing else.
    public var headers: Headers
    /// The body; empty for none.
    public var body: [UInt8]
    /// The client operation that it belongs to.
    public var call: UInt64?
    /// Where its body and its response's body hold secrets.
    public var sensitive: SensitivePaths
    /// How long to wait.
    public var timeouts: Timeouts

    /// Creates a request.
    public init(
        method: String, url: String, headers: Headers = [:], body: [UInt8] = [],
        call: UInt64? = nil, sensitive: SensitivePaths = SensitivePaths(),
        timeouts: Timeouts = Timeouts()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.call = call
        self.sensitive = sensitive
        self.timeouts = timeouts
    }

    /// Whether repeating it changes nothing (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
    }
}

/// The JSON paths whose values are secrets, e.g. `data.authToken`; `*` stands for any key or index.
///
/// They hold for a JSON body and for each event of a stream.
public struct SensitivePaths: Sendable, Hashable {
    /// Paths in the request's body.
    public var request: [String]
    /// Paths in the response's body.
    public var response: [String]

    /// Creates the two lists.
    public init(request: [String] = [], response: [String] = []) {
        self.request = request
        self.response = response
    }
}

/// How long to wait, in nanoseconds; nil waits for ever.
public struct Timeouts: Sendable, Hashable {
    /// For name lookup, connection and TLS together.
    public var connect: Int64?
    /// Between two arrivals of bytes, while the app is not holding the stream.
    public var idle: Int64?
    /// For the whole exchange.
    public var total: Int64?

    /// Creates the limits; by default 30 s to connect, 120 s of silence, no total.
    public init(
        connect: Int64? = 30_000_000_000, idle: Int64? = 120_000_000_000, total: Int64? = nil
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
