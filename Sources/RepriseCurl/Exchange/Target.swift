internal import CCurl

/// Where a request goes: the parts of its URL that options, and messages, need.
///
/// Only these parts go into messages, so that user info and queries never do.
struct Target: Sendable, Equatable {
    var scheme: String
    var host: String
    var port: String
    /// Host and port of the proxy, if the request goes through one.
    var proxy: String?
    /// The proxy as set, which may hold credentials.
    var proxyURL: String?
    /// Hosts without a proxy.
    var proxyExceptions: String

    /// Whether what is said to the proxy itself goes over TLS.
    var isProxySecure: Bool { proxyURL?.lowercased().hasPrefix("https://") ?? false }

    /// `host:port`.
    var place: String { "\(host):\(port)" }
}

extension Target {
    enum Failure: Error {
        case url(String)
        case proxy(String)
    }

    /// - Throws: What is wrong with the URL or the proxy, and what to do.
    init(url: String, proxies: ProxySettings) throws(Failure) {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .url(
                "the URL holds a blank, a control character or a letter beyond ASCII:"
                    + " percent-encode it")
        }
        guard let parts = Self.parts(of: url, guessingScheme: false) else {
            throw .url("the URL is not an absolute http or https URL: check it")
        }
        guard ["http", "https"].contains(parts.scheme) else {
            throw .url("the URL's scheme is \(parts.scheme): only http and https can be used")
        }
        scheme = parts.scheme
        host = parts.host
        port = parts.port
        proxyExceptions = proxies.except
        proxyURL = proxies.proxy(forScheme: scheme)
        guard let proxyURL else { return }
        let isPlain = proxyURL.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        guard isPlain, let place = Self.parts(of: proxyURL, guessingScheme: true) else {
            throw .proxy("the proxy's URL cannot be used: check the setting or the environment")
        }
        guard Self.proxySchemes.contains(place.scheme) else {
            throw .proxy(
                "the proxy's scheme cannot be used: it is one of "
                    + Self.proxySchemes.joined(separator: ", "))
        }
        proxy = "\(place.host):\(place.port)"
    }

    private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    private static func parts(
        of url: String, guessingScheme: Bool
    ) -> (scheme: String, host: String, port: String)? {
        let flags = guessingScheme ? CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME : 0
        guard let url = CurlURL(url, flags: flags), let scheme = url.part(CURLUPART_SCHEME),
            let host = url.part(CURLUPART_HOST), !host.isEmpty
        else { return nil }
        // libcurl takes 1080 for a proxy without a port.
        let port =
            guessingScheme
            ? url.part(CURLUPART_PORT) ?? "1080"
            : url.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT)
        return port.map { (scheme, host, $0) }
    }
}
