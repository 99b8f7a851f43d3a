internal import CCurl
internal import RepriseSupport

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A failure as libcurl tells it, and what it means.
///
/// libcurl's own words change from version to version and go nowhere; they are looked through for
/// what no code tells.
struct CurlFailure {
    var code: CURLcode
    /// libcurl's words.
    var text: String
    /// The error number of the connection that could not be made; 0 for none.
    var systemError: Int32 = 0
    /// What is wrong with the peer's certificate, by OpenSSL's numbers (`X509_V_ERR_…`); 0 for
    /// nothing, and where another library does TLS.
    var verification = 0

    /// What happened, and what to do about it.
    struct Words {
        var what: String
        var advice: String
    }

    /// Its number, for what is said of it elsewhere.
    var number: String { "(libcurl \(code.rawValue))" }

    /// Of a connection that could not be made.
    var connecting: Words {
        switch systemError {
        case ECONNREFUSED:
            Words(
                what: "nothing listens there",
                advice: "check the address, and that the service runs")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN:
            Words(what: "no way leads there", advice: "check the address, and the network")
        case ETIMEDOUT:
            Words(what: "it does not answer", advice: "check the address, and the network")
        case EACCES, EPERM:
            Words(what: "this machine does not allow it", advice: "check its firewall")
        case EMFILE, ENFILE:
            Words(what: SystemText.message(systemError), advice: "close some, or raise the limit")
        default:
            Words(
                what: "it could not be reached \(number)",
                advice: "check that it runs, and the network")
        }
    }

    /// Of TLS.
    var tls: Words {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: certificate
        case CURLE_SSL_CACERT_BADFILE:
            Words(
                what: "there is no certificate to trust in the CA file",
                advice: "name a file that can be read, with certificates in PEM form")
        default: handshake
        }
    }

    private var certificate: Words {
        if text.contains("target host name") {
            return Words(
                what: "its certificate is for another name", advice: "check the host name")
        }
        switch verification {
        case 9:
            return Words(what: "its certificate is not valid yet", advice: Self.clock)
        case 10:
            return Words(what: "its certificate has expired", advice: Self.clock)
        case 18:
            return Words(
                what: "its certificate is signed by itself",
                advice: "if it is the right one, name it in a CA file")
        case 2, 19, 20, 21:
            return Words(
                what: "its certificate is from an authority that is not trusted",
                advice: "if it is the right one, name the authority in a CA file")
        case 23:
            return Words(what: "its certificate was revoked", advice: "do not trust it")
        default:
            return Words(
                what: "its certificate is not trusted \(number)",
                advice: "check it, or name the authority to trust in a CA file")
        }
    }

    private static let clock = "have it renewed, or set this machine's clock"

    private var handshake: Words {
        if ["wrong version number", "packet length too long", "http request"].contains(
            where: text.contains)
        {
            return Words(
                what: "it does not speak TLS there",
                advice: "check the port, or whether http is meant")
        }
        if text.contains("certificate required") || text.contains("bad certificate") {
            return Words(
                what: "it wants a certificate of the client",
                advice: "that is not supported: ask for another way in")
        }
        if ["handshake failure", "protocol version", "unsupported protocol"].contains(
            where: text.contains)
        {
            return Words(
                what: "there is no version of TLS or cipher that both know",
                advice: "check the server's settings")
        }
        if text.contains("reset") || text.contains("SSL_ERROR_SYSCALL") || text.contains("EOF") {
            return Words(
                what: "it closed the connection",
                advice: "check the port, and whether something in between interferes")
        }
        return Words(
            what: "the handshake failed \(number)",
            advice: "check the server's certificate and settings")
    }
}

extension EasyHandle {
    /// What is known of a failure.
    func failure(_ code: CURLcode) -> CurlFailure {
        // The peer that failed first: a proxy comes before the server.
        let verification = [CURLINFO_PROXY_SSL_VERIFYRESULT, CURLINFO_SSL_VERIFYRESULT].map(long)
        return CurlFailure(
            code: code, text: message(for: code), systemError: Int32(long(CURLINFO_OS_ERRNO)),
            verification: verification.first { $0 != 0 } ?? 0)
    }
}
