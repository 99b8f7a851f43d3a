package import RepriseWire

/// Which header fields and query parameters hold credentials, by their names.
///
/// Safe by default: a name that looks like a credential's is masked unless it is known for
/// something else.
package struct MaskingPolicy: Sendable, Hashable {
    /// The policy of this version.
    package static let standard = MaskingPolicy()

    package init() {}

    /// Header fields that are credentials for certain.
    static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-user-token",
        "x-widget-permission", "x-user-anon-id", "authtoken", "apikey",
    ]

    /// Words that make an unknown header field one.
    static let headerWords = ["token", "secret", "key", "auth", "cookie", "session"]

    /// Header fields that hold one of the words and no credential: challenges, handshake nonces,
    /// cache tags, names of other things.
    static let harmlessHeaders: Set<String> = [
        "www-authenticate", "proxy-authenticate", "sec-websocket-key", "idempotency-key",
        "x-idempotency-key", "surrogate-key", "x-surrogate-key", "x-cache-key",
        "public-key-pins", "public-key-pins-report-only",
    ]

    /// Query parameters that are credentials, compared without case, `-`, `_`, `.` and brackets.
    static let queryNames: Set<String> = [
        "key", "appkey", "auth", "authorization", "sig", "pass", "passwd", "passphrase", "pwd",
        "session", "sid", "jwt", "bearer", "credentials",
    ]

    /// Endings of further such names, e.g. `access_token`, `X-Amz-Signature`.
    static let queryEndings = [
        "token", "secret", "password", "signature", "apikey", "accesskey", "secretkey",
        "privatekey", "authkey", "credential", "sessionid", "jwt",
    ]

    /// Names with such an ending that only say where to go on reading.
    static let harmlessQueryNames: Set<String> = [
        "pagetoken", "nextpagetoken", "nexttoken", "synctoken", "continuationtoken",
    ]

    /// The policy as the session frame tells it.
    package var json: JSON {
        [
            "policy": "standard", "version": 1,
            "headers": .array(MaskingPolicy.headers.sorted().map { .string($0) }),
            "headerWords": .array(MaskingPolicy.headerWords.map { .string($0) }),
            "queryNames": .array(MaskingPolicy.queryNames.sorted().map { .string($0) }),
            "queryEndings": .array(MaskingPolicy.queryEndings.map { .string($0) }),
        ]
    }
}

extension MaskingPolicy {
    /// What a header field is, by its name and, where the name alone cannot tell, its value.
    enum HeaderClass {
        /// A credential for certain.
        case credential
        /// A name that looks like a credential's.
        case suspected
        /// Anything else.
        case plain
    }

    func classify(header name: String, value: [UInt8]) -> HeaderClass {
        let name = name.lowercased()
        if MaskingPolicy.headers.contains(name) { return .credential }
        if MaskingPolicy.harmlessHeaders.contains(name) { return .plain }
        if name.contains("ratelimit") || name.contains("rate-limit") { return .plain }
        // An author is nobody's credential; an authorization is.
        var words = name.replacingAll("authority", by: "").replacingAll("authori", by: "auth")
            .replacingAll("author", by: "")
        // `X-Tokens-Used: 120` counts what a language model reads and writes.
        if value.allSatisfy(\.isASCIIDigit) { words = words.replacingAll("tokens", by: "") }
        return MaskingPolicy.headerWords.contains(where: words.contains) ? .suspected : .plain
    }

    /// Whether the query parameter `name` is a credential; `name` is percent-decoded.
    func isSensitive(query name: String) -> Bool {
        let name = name.lowercased().filter { !"-_.[]".contains($0) }
        if MaskingPolicy.harmlessQueryNames.contains(name) { return false }
        return MaskingPolicy.queryNames.contains(name)
            || MaskingPolicy.queryEndings.contains(where: name.hasSuffix)
    }
}

extension MaskingPolicy {
    /// Whether what stands under `key` in a client's configuration or in a label is a credential.
    func isSensitive(key: String) -> Bool {
        let name = key.lowercased()
        return isSensitive(query: key)
            || ["password", "passphrase", "secret", "credential"].contains(where: name.contains)
    }
}

extension String {
    /// This text with `other` in each place of `part`; Foundation's own is not at hand here.
    fileprivate func replacingAll(_ part: String, by other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}

extension UInt8 {
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
