import RepriseCurl
import RepriseTape
import RepriseTransport
import TestSupport
import Testing

/// What is said of the usual failures: what, where, and what to do, in words that no version of
/// libcurl changes.
@Suite struct FailureWordsTests {
    private static let cases = FailureCase.direct + FailureCase.secure + FailureCase.proxied

    @Test(arguments: cases) func ofARequest(_ test: FailureCase) async throws {
        let scene = try await FailureScene(test, scheme: "http")
        let visit = try await Visit.make(
            Request(method: "GET", url: scene.url, timeouts: test.timeouts),
            through: scene.transport)
        let error = try #require(visit.error)
        #expect(scene.plain(error.message) == test.text)
        #expect(error.code == test.code)
        #expect(visit.end?.message == error.message)
    }

    @Test(arguments: cases) func ofAWebSocket(_ test: FailureCase) async throws {
        let scene = try await FailureScene(test, scheme: "ws")
        let dial = await Dial.make(
            scene.url, timeouts: test.timeouts, through: scene.transport)
        let error = try #require(dial.error)
        #expect(scene.plain(error.message) == test.socketText ?? test.text)
        #expect(error.code == test.code)
        #expect(dial.end?.message == error.message)
    }

    @Test func aPortWithoutTLS() async throws {
        // It says something else than TLS at once.
        let peer = try await Peer.start("ago")
        let visit = try await Visit.make(
            Request(method: "GET", url: "https://127.0.0.1:\(peer.port)/"))
        #expect(
            visit.error?.message
                == "no TLS connection to 127.0.0.1:\(peer.port): it does not speak TLS there; check "
                + "the port, or whether http is meant")
    }

    @Test func aProxyWithoutTLS() async throws {
        let peer = try await Peer.start("ago")
        let proxy = ProxyPolicy.url("https://127.0.0.1:\(peer.port)")
        let visit = try await Visit.make(
            Request(method: "GET", url: "https://127.0.0.1:1/"),
            through: CurlTransport(options: CurlOptions(proxy: proxy)))
        #expect(
            visit.error?.message
                == "no TLS connection to the proxy 127.0.0.1:\(peer.port): it does not speak TLS "
                + "there; check the port, or whether http is meant")
    }

    @Test(arguments: ["key", "missing"]) func aFileWithoutAuthorities(_ kind: String) async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        let file = kind == "key" ? authority.key : "/nonexistent/ca.pem"
        let visit = try await Visit.make(
            Request(method: "GET", url: peer.url()),
            through: CurlTransport(options: CurlOptions(caFile: file, proxy: .none)))
        #expect(
            visit.error?.message
                == "no TLS connection to \(peer.place): there is no certificate to trust in the CA "
                + "file; name a file that can be read, with certificates in PEM form")
    }
}
