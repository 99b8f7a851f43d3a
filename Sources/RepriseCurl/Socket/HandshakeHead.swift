internal import CCurl
internal import RepriseTransport
internal import RepriseWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The head of a request for a WebSocket, as libcurl would write it for HTTP: `Host` first, then
/// `Authorization` where the URL has user info, then the request's own fields in order and case.
struct HandshakeHead: Sendable {
    /// The head with its blank line.
    let bytes: [UInt8]

    /// nil where the URL's parts cannot be used.
    ///
    /// - Parameter url: The request's URL with a scheme of HTTP.
    init?(_ request: Request, url: String) {
        guard let parts = CurlURL(url, flags: CURLU_PATH_AS_IS),
            let path = parts.part(CURLUPART_PATH), let host = Self.host(parts)
        else { return nil }
        let query = parts.part(CURLUPART_QUERY).map { "?\($0)" } ?? ""
        var bytes = Array("\(request.method) \(path)\(query) HTTP/1.1\r\n".utf8)
        let own = request.headers.fields.first(where: Self.isHost)
        bytes += Self.line(own ?? Headers.Field("Host", WireText(host)))
        if request.headers.first("Authorization") == nil {
            guard let line = Self.authorization(parts) else { return nil }
            bytes += line
        }
        for field in request.headers.fields where !Self.isHost(field) { bytes += Self.line(field) }
        self.bytes = bytes + [13, 10]
    }

    private static func isHost(_ field: Headers.Field) -> Bool {
        field.name.description.lowercased() == "host"
    }

    private static func line(_ field: Headers.Field) -> [UInt8] {
        let value = FieldLine.trimmed(field.value.bytes[...])
        return field.name.bytes + Array((value.isEmpty ? ":" : ": ").utf8) + value + [13, 10]
    }

    /// The host, and the port unless it is the scheme's own.
    private static func host(_ parts: CurlURL) -> String? {
        guard let host = parts.part(CURLUPART_HOST) else { return nil }
        guard let port = parts.part(CURLUPART_PORT, flags: CURLU_NO_DEFAULT_PORT) else {
            return host
        }
        return "\(host):\(port)"
    }

    /// The line for the URL's user info (RFC 7617); empty for none, nil where it holds a NUL.
    private static func authorization(_ parts: CurlURL) -> [UInt8]? {
        let (user, password) = (parts.part(CURLUPART_USER), parts.part(CURLUPART_PASSWORD))
        if user == nil && password == nil { return [] }
        let pair = decoded(user ?? "") + [UInt8(ascii: ":")] + decoded(password ?? "")
        if pair.contains(0) { return nil }
        return Array("Authorization: Basic \(Data(pair).base64EncodedString())\r\n".utf8)
    }

    /// The text without percent-encoding (RFC 3986 section 2.1).
    private static func decoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
                let high = BodyCuts.digit(bytes[at + 1]), let low = BodyCuts.digit(bytes[at + 2])
            {
                plain.append(UInt8(high * 16 + low))
                at += 3
            } else {
                plain.append(bytes[at])
                at += 1
            }
        }
        return plain
    }
}
