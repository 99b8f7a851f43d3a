import RepriseCurl
import RepriseTransport
import TestSupport
import Testing

/// A way to fail, and what is said of it. In the texts SERVER and PROXY stand for the places.
struct FailureCase: Sendable, CustomTestStringConvertible {
    enum Server: Sendable { case none, plain, secure, expired, selfSigned }
    enum Proxy: Sendable { case none, dead, refusing, wanting, url(String), at(scheme: String) }

    var name: String
    var server = Server.none
    var isSecure = false
    /// What the URL names; the server's place otherwise.
    var place: String?
    /// Whether the server's authority is trusted.
    var isTrusted = false
    var steps: [Step] = []
    var proxy = Proxy.none
    var timeouts = Timeouts()
    var code: TransportError.Code
    var text: String
    /// Over a WebSocket, where it is another one there.
    var socketText: String?

    var testDescription: String { name }

    private static let ms: Int64 = 1_000_000

    static let direct: [FailureCase] = [
        FailureCase(
            name: "an unknown name", place: "nowhere.invalid", code: .resolve,
            text: "the host name nowhere.invalid cannot be resolved: check it, and the network"),
        FailureCase(
            name: "nobody listens", place: "127.0.0.1:1", code: .connect,
            text: "no connection to 127.0.0.1:1: nothing listens there; check the address, and "
                + "that the service runs"),
        FailureCase(
            name: "silence", server: .plain, steps: [.hang], timeouts: Timeouts(idle: 150 * ms),
            code: .idleTimeout,
            text: "nothing came from SERVER after 150 ms: try again, or allow more time"),
        FailureCase(
            name: "no connection", server: .plain, isSecure: true,
            timeouts: Timeouts(connect: 150 * ms), code: .connectTimeout,
            text: "the exchange with SERVER has no connection after 150 ms: try again, or allow "
                + "more time"),
        FailureCase(
            name: "no answer", server: .plain, steps: [.fin], code: .closed,
            text: "SERVER closed the connection without an answer; try again"),
        FailureCase(
            name: "a reset", server: .plain, steps: [.reset], code: .reset,
            text: "SERVER broke the connection; try again"),
        FailureCase(
            name: "no HTTP", server: .plain, steps: [.send("220 mail.example ESMTP\r\n"), .fin],
            code: .malformed,
            text: "what came from SERVER is not HTTP; check the port, and what listens there",
            socketText: "what came from SERVER is not HTTP: there is no status line"),
    ]

    static let secure: [FailureCase] = [
        FailureCase(
            name: "an authority unknown", server: .secure, isSecure: true, code: .tls,
            text: "no TLS connection to SERVER: its certificate is from an authority that is not "
                + "trusted; if it is the right one, name the authority in a CA file"),
        FailureCase(
            name: "signed by itself", server: .selfSigned, isSecure: true, code: .tls,
            text: "no TLS connection to SERVER: its certificate is signed by itself; if it is the "
                + "right one, name it in a CA file"),
        FailureCase(
            name: "another name", server: .secure, isSecure: true, place: "localhost",
            isTrusted: true, code: .tls,
            text: "no TLS connection to localhost:PORT: its certificate is for another name; check "
                + "the host name"),
        FailureCase(
            name: "expired", server: .expired, isSecure: true, isTrusted: true, code: .tls,
            text: "no TLS connection to SERVER: its certificate has expired; have it renewed, or "
                + "set this machine's clock"),
    ]

    static let proxied: [FailureCase] = [
        FailureCase(
            name: "a proxy's name", server: .plain, proxy: .url("http://nowhere.invalid:3128"),
            code: .proxy,
            text: "the proxy's name nowhere.invalid:3128 cannot be resolved: check the proxy "
                + "setting"),
        FailureCase(
            name: "a dead proxy", server: .plain, proxy: .dead, code: .proxy,
            text: "no connection to the proxy 127.0.0.1:1: nothing listens there; check the "
                + "address, and that the service runs"),
        FailureCase(
            name: "a proxy that refuses", server: .plain, isSecure: true, proxy: .refusing,
            code: .proxy,
            text: "the proxy PROXY answered 403 when asked for SERVER: check its address and "
                + "credentials"),
        FailureCase(
            name: "a proxy that wants credentials", server: .plain, isSecure: true,
            proxy: .wanting, code: .proxy,
            text: "the proxy PROXY answered 407 when asked for SERVER: check its address and "
                + "credentials"),
        FailureCase(
            name: "no SOCKS at the proxy", server: .plain, isSecure: true,
            proxy: .at(scheme: "socks5"), code: .proxy,
            text: "no way through the proxy PROXY to SERVER: check its address, and that it lets "
                + "such connections through (libcurl 97)"),
        FailureCase(
            name: "an odd proxy", server: .plain, proxy: .url("gopher://127.0.0.1:1"),
            code: .badRequest,
            text: "the proxy's scheme cannot be used: it is one of http, https, socks4, socks4a, "
                + "socks5, socks5h"),
    ]
}

/// A case with its server and proxy running.
struct FailureScene {
    let url: String
    let transport: CurlTransport
    private let server: RawPeer?
    private let proxy: Peer?
    private let authority: Authority?

    init(_ test: FailureCase, scheme: String) async throws {
        authority =
            switch test.server {
            case .secure, .selfSigned: try await Authority.make()
            case .expired: try await Authority.make(days: -1)
            case .none, .plain: nil
            }
        server =
            switch (test.server, authority) {
            case (.none, _): nil
            case (.selfSigned, let authority?):
                try await RawPeer.start(certificate: authority.file, key: authority.ownKey)
            case (_, let authority?):
                try await RawPeer.start(certificate: authority.certificate, key: authority.key)
            default: try await RawPeer.start()
            }
        try await server?.script(test.steps, at: "/path")
        var place = test.place ?? server?.place ?? ""
        if let server, test.place != nil { place += ":\(server.peer.port)" }
        url = "\(scheme)\(test.isSecure ? "s" : "")://\(place)/path"
        var setting = ProxyPolicy.none
        (proxy, setting) = try await Self.proxy(test.proxy)
        transport = CurlTransport(
            options: CurlOptions(caFile: test.isTrusted ? authority?.file : nil, proxy: setting))
    }

    private static func proxy(_ proxy: FailureCase.Proxy) async throws -> (Peer?, ProxyPolicy) {
        switch proxy {
        case .none: return (nil, .none)
        case .dead: return (nil, .url("http://127.0.0.1:1"))
        case .url(let url): return (nil, .url(url))
        case .refusing:
            let peer = try await Peer.start("raw_proxy.py", "--refuse")
            return (peer, .url("http://user:secret@127.0.0.1:\(peer.port)"))
        case .wanting:
            let peer = try await Peer.start("raw_proxy.py", "--require", "other:secret")
            return (peer, .url("http://user:secret@127.0.0.1:\(peer.port)"))
        case .at(let scheme):
            // It answers whatever comes as an HTTP server does.
            let peer = try await Peer.start("ago")
            return (peer, .url("\(scheme)://127.0.0.1:\(peer.port)"))
        }
    }

    /// A message without what differs from run to run.
    func plain(_ message: String) -> String {
        var text = message
        if let proxy { text = text.replacing("127.0.0.1:\(proxy.port)", with: "PROXY") }
        if let server {
            text = text.replacing(server.place, with: "SERVER")
                .replacing("localhost:\(server.peer.port)", with: "localhost:PORT")
        }
        return text
    }
}
