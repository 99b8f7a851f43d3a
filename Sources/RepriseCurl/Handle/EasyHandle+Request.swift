internal import CCurl
internal import RepriseTransport
internal import RepriseWire

extension EasyHandle {
    /// Sets everything but the callbacks.
    func configure(_ exchange: Exchange, settings: Settings) {
        setConnection(exchange, url: exchange.request.url, settings: settings)
        setMessage(exchange.request)
    }

    /// Sets everything but the callbacks for a connection on which libcurl sends nothing itself.
    func configureConnection(_ socket: SocketExchange, settings: Settings) {
        setConnection(socket.exchange, url: socket.url, settings: settings)
        set(CURLOPT_CONNECT_ONLY, 1)
        // Without it, a proxy for plain HTTP would be taken for the server.
        set(CURLOPT_HTTPPROXYTUNNEL, 1)
        set(CURLOPT_PROXYHEADER, lines: [Array("Proxy-Connection:".utf8)])
    }

    private func setConnection(_ exchange: Exchange, url: String, settings: Settings) {
        set(CURLOPT_NOSIGNAL, 1)
        // Without it, ending a transfer that looks up a name blocks the thread until that is done.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_HTTP_TRANSFER_DECODING, 1)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_VERBOSE, 1)
        set(CURLOPT_URL, url)
        // The path as given: no segment is removed from it.
        set(CURLOPT_PATH_AS_IS, 1)
        // Empty means none; unset would mean libcurl's own look into the environment.
        set(CURLOPT_PROXY, exchange.target.proxyURL ?? "")
        set(CURLOPT_NOPROXY, exchange.target.proxyExceptions)
        setAuthorities(settings.caFile)
        let limits = exchange.request.timeouts
        // Zero would mean libcurl's default of five minutes.
        set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connect) ?? Int(Int32.max))
        set(CURLOPT_TIMEOUT_MS, Self.milliseconds(limits.total) ?? 0)
    }

    /// Names the authorities by one file wherever there is one: with a folder beside it, libcurl
    /// reads all of them anew for each connection, tens of milliseconds in which the thread does
    /// nothing else. Distributions make the file from what is in the folder.
    private func setAuthorities(_ file: String?) {
        if let file {
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { set(option, file) }
        }
        if file != nil || string(CURLINFO_CAINFO) != nil {
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { set(option, nil) }
        }
    }

    /// Rounded up, and at least 1.
    private static func milliseconds(_ limit: Int64?) -> Int? {
        guard let limit else { return nil }
        return Int(max(1, min(limit / 1_000_000 + (limit % 1_000_000 > 0 ? 1 : 0), 2_147_483_647)))
    }

    private func setMessage(_ request: Request) {
        // POST, PUT and PATCH say the length of an empty body too (RFC 9110 section 8.6).
        let hasBody = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
        if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        } else if hasBody {
            set(CURLOPT_POST, 1)
            setBody(request.body)
            if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        } else {
            set(CURLOPT_HTTPGET, 1)
            if request.method != "GET" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        }
        set(CURLOPT_HTTPHEADER, lines: Self.headerLines(request.headers))
        set(CURLOPT_PROXYHEADER, lines: [Array("Proxy-Connection:".utf8)])
    }

    /// The header lines in libcurl's form, where `Name:` keeps it from adding a field of its own
    /// and `Name;` sends one without a value.
    static func headerLines(_ headers: Headers) -> [[UInt8]] {
        var lines = headers.fields.map { field in
            let value = FieldLine.trimmed(field.value.bytes[...])
            let name = field.name.bytes
            return value.isEmpty ? name + Array(";".utf8) : name + Array(": ".utf8) + value
        }
        for name in ["Accept", "Content-Type", "Expect"] where headers.first(name) == nil {
            lines.append(Array("\(name):".utf8))
        }
        return lines
    }
}
