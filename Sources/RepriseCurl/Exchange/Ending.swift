internal import CCurl
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// How an exchange ended, judged from libcurl's result and from what was seen of the exchange.
///
/// libcurl calls some ends a success that are none (a head cut short) and gives one code to
/// different things, so the result alone is never enough.
struct Ending {
    /// libcurl's result, and what is known of it.
    var failure: CurlFailure
    /// What is no HTTP about the answer, where that was not left to libcurl.
    var flaw: String?
    var target: Target
    /// Whether a connection was ready for the request.
    var isConnected = false
    /// Whether the request's head went out.
    var isRequestOut = false
    /// Whether libcurl was kept from sending the request a second time.
    var isRepeatRefused = false
    var isHeadTooLarge = false
    /// What delimits the body; nil where no final head was seen to its blank line.
    var framing: EndRecord.Framing?
    /// Whether the peer said that it closes, so that a cut can be told from an end.
    var isClosureProven = false
    var trailers: Headers?
    /// The proxy's answer to `CONNECT`; 0 for none.
    var proxyStatus = 0
    /// Nanoseconds since the transfer began.
    var elapsed: Int64 = 0
    var timeouts = Timeouts()

    private var result: CURLcode { failure.code }

    /// What the observer and the app are told.
    var record: EndRecord {
        guard let error else {
            return EndRecord(
                how: .complete, framing: framing, proven: framing != .close || isClosureProven,
                trailers: trailers)
        }
        return EndRecord(
            how: error.how, framing: framing, code: error.code.rawValue, message: error.message,
            trailers: trailers)
    }

    /// The failure; nil where the exchange is complete.
    var error: TransportError? {
        if isRepeatRefused { return cut(.closed, "closed the kept connection before it answered") }
        if isHeadTooLarge {
            return failed(.malformed, "the head of the answer from \(target.place) is over 1 MiB")
        }
        switch result {
        case CURLE_OK where framing != nil: return nil
        case CURLE_OK: return cut(.closed, "closed the connection within the head of its answer")
        case CURLE_OPERATION_TIMEDOUT: return timeout
        case _ where isConnected || isRequestOut: return laterFailure
        default: return earlyFailure
        }
    }

    /// Failures before the request could be sent.
    private var earlyFailure: TransportError {
        switch result {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT:
            return failed(
                .badRequest, "the request cannot be sent: check its URL \(failure.number)")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return failed(
                .proxy, "the proxy's name \(proxy) cannot be resolved: check the proxy setting")
        case CURLE_COULDNT_RESOLVE_HOST:
            return failed(
                .resolve,
                "the host name \(target.host) cannot be resolved: check it, and the network")
        case _ where isTLS: return tls
        case _ where proxyStatus > 0 && !(200..<300).contains(proxyStatus):
            return failed(
                .proxy,
                "the proxy \(proxy) answered \(proxyStatus) when asked for \(target.place):"
                    + " check its address and credentials")
        case _ where target.proxy != nil && result != CURLE_COULDNT_CONNECT:
            return failed(
                .proxy,
                "no way through the proxy \(proxy) to \(target.place): check its address, and that"
                    + " it lets such connections through \(failure.number)")
        case CURLE_COULDNT_CONNECT:
            let words = failure.connecting
            return failed(
                target.proxy == nil ? .connect : .proxy,
                "no connection to \(firstHop): \(words.what); \(words.advice)")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING:
            return failed(
                .connect,
                "the connection to \(target.place) was lost before the request was out; try again")
        default: return failed(.failed, "the request to \(target.place) failed: \(unusual)")
        }
    }

    /// Failures once the request was on its way.
    private var laterFailure: TransportError {
        switch result {
        case CURLE_GOT_NOTHING: return cut(.closed, "closed the connection without an answer")
        case CURLE_PARTIAL_FILE:
            return cut(.closed, "closed the connection before the end of the body")
        case _ where isNotHTTP:
            return failed(.malformed, "what came from \(target.place) is not HTTP\(malformation)")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return cut(.reset, "broke the connection")
        case _ where isTLS: return tls
        default: return failed(.failed, "the exchange with \(target.place) failed: \(unusual)")
        }
    }

    private var isTLS: Bool {
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED,
        ].contains(result)
    }

    /// In parentheses libcurl's own words, of what has none here.
    private var unusual: String { "libcurl gave up (\(failure.code.rawValue): \(failure.text))" }

    /// The same code as for a reset; only the text tells.
    private var isBadChunk: Bool {
        result == CURLE_RECV_ERROR && failure.text.contains("chunked-encoding")
    }

    private var malformation: String {
        if let flaw { return ": \(flaw)" }
        return isBadChunk
            ? ": a chunk's size cannot be read" : "; check the port, and what listens there"
    }

    private var isNotHTTP: Bool {
        switch result {
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_OUT_OF_MEMORY:
            // The last is how libcurl says that a line of the head is too long.
            true
        case CURLE_RECV_ERROR:
            isBadChunk || failure.text.contains("Too large response headers")
        default: false
        }
    }

    private var tls: TransportError {
        let words = failure.tls
        let place = target.isProxySecure && proxyStatus == 0 ? firstHop : target.place
        return failed(.tls, "no TLS connection to \(place): \(words.what); \(words.advice)")
    }

    private var timeout: TransportError {
        let isTotal = timeouts.total.map { elapsed >= $0 } ?? false
        if isConnected || isTotal {
            return timedOut(.totalTimeout, "is not over", after: timeouts.total)
        }
        let through = target.proxy.map { " through the proxy \($0)" } ?? ""
        return timedOut(.connectTimeout, "has no connection\(through)", after: timeouts.connect)
    }

    private var proxy: String { target.proxy ?? "" }

    /// Where the connection goes.
    private var firstHop: String { target.proxy.map { "the proxy \($0)" } ?? target.place }

    private func cut(_ code: TransportError.Code, _ what: String) -> TransportError {
        TransportError(how: .reset, code, "\(target.place) \(what); try again")
    }

    private func failed(_ code: TransportError.Code, _ message: String) -> TransportError {
        TransportError(how: .failed, code, message)
    }

    private func timedOut(
        _ code: TransportError.Code, _ what: String, after limit: Int64?
    ) -> TransportError {
        .timedOut(code, "the exchange with \(target.place) \(what)", after: limit)
    }
}
