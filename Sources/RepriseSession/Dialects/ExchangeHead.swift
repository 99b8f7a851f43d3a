public import RepriseTape
internal import RepriseWire

/// What is known of an exchange beside its response: the request, and which secrets it carries.
public struct ExchangeHead: Sendable, Hashable {
    /// Its number on the tape.
    public var number: UInt64
    /// The head of the request.
    public var request: RequestRecord
    /// When the request began, nanoseconds since the session's start.
    public var start: Int64
    /// The request's body; what is beyond ``bodyLimit`` is left out.
    public var body: [UInt8]
    /// Whether something was left out of ``body``.
    public var isBodyCut: Bool
    /// The masked secrets of the request, by rule and number.
    public var secrets: [Secret]

    /// The most bytes of a request's body that are kept: 1 MiB.
    public static let bodyLimit = 1 << 20

    /// What is known when a request begins.
    public init(number: UInt64, request: RequestRecord, start: Int64) {
        self.number = number
        self.request = request
        self.start = start
        body = []
        isBodyCut = false
        secrets = []
    }

    /// A masked secret: which rule masked it, and which of the session's secrets it is.
    public struct Secret: Sendable, Hashable {
        /// The rule, e.g. `header:authorization`.
        public var rule: String
        /// The secret's number.
        public var number: Int

        /// A secret.
        public init(rule: String, number: Int) {
            self.rule = rule
            self.number = number
        }
    }
}

extension ExchangeHead {
    /// The path of the URL, percent-encoded as it was, without query and fragment.
    public var path: String {
        let url = request.url.description
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard let slash = rest.firstIndex(where: { "/?#".contains($0) }) else { return "/" }
        let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path)
    }

    /// Identity of a credential that cannot be seen: the number of the secret that `rule` masked,
    /// else the value of the header where it is not masked; nil where the request has none.
    public func credential(header name: String) -> Credential? {
        let rule = "header:" + name.lowercased()
        if let secret = secrets.first(where: { $0.rule == rule }) { return .secret(secret.number) }
        return request.headers.first(name).map { .value($0) }
    }

    /// A credential that can only be compared.
    public enum Credential: Sendable, Hashable {
        /// A masked one, by its number in the session.
        case secret(Int)
        /// A value that was not masked.
        case value(String)
    }

    /// Appends bytes of the request's body.
    package mutating func append(body bytes: [UInt8]) {
        let room = max(0, ExchangeHead.bodyLimit - body.count)
        if bytes.count > room { isBodyCut = true }
        body += bytes.prefix(room)
    }
}
