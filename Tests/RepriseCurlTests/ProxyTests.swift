import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct ProxyTests {
    @Test(
        arguments: [
            ([:], nil, nil, ""),
            (["http_proxy": "a:1"], "a:1", nil, ""),
            (["HTTP_PROXY": "a:1"], nil, nil, ""),
            (["https_proxy": "b:2", "HTTPS_PROXY": "c:3"], nil, "b:2", ""),
            (["HTTPS_PROXY": "c:3"], nil, "c:3", ""),
            (["all_proxy": "d:4"], "d:4", "d:4", ""),
            (["ALL_PROXY": "d:4", "http_proxy": "a:1", "https_proxy": ""], "a:1", "d:4", ""),
            (["no_proxy": "x,.y", "NO_PROXY": "z"], nil, nil, "x,.y"),
            (["NO_PROXY": "*"], nil, nil, "*"),
        ] as [([String: String], String?, String?, String)])
    func theEnvironmentIsReadAsCurlDoes(
        _ variables: [String: String], _ http: String?, _ https: String?, _ except: String
    ) {
        let settings = ProxySettings(.environment) { variables[$0] }
        #expect(settings.http == http)
        #expect(settings.https == https)
        #expect(settings.except == except)
    }

    private func transport(
        through proxy: Peer, credentials: String = "", except: [String] = [], caFile: String? = nil
    ) -> CurlTransport {
        let url = "http://\(credentials)127.0.0.1:\(proxy.port)"
        return CurlTransport(
            options: CurlOptions(caFile: caFile, proxy: .url(url, except: except)))
    }

    @Test func plainRequestsGoInAbsoluteForm() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        let proxy = try await Peer.start("raw_proxy.py", "--require", "user:secret")
        let visit = try await Visit.make(
            Request(method: "GET", url: peer.url(), headers: ["A": "b"]),
            through: transport(through: proxy, credentials: "user:secret@"))
        #expect(visit.error == nil)
        #expect(visit.text == "ok")
        let entry = try #require(try proxy.readLog().entries.first)
        #expect(entry.target == peer.url())
        #expect(entry.headers?.map { $0[0] } == ["Host", "Proxy-Authorization", "A"])
        #expect(visit.witness.request?.url.description == peer.url())
        #expect(visit.witness.request?.headers.fields.count == 3)
    }

    @Test func tlsGoesThroughATunnelThatIsNotTheRequest() async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        let proxy = try await Peer.start("raw_proxy.py")
        let visit = try await Visit.make(
            Request(method: "POST", url: peer.url(), body: [1, 2]),
            through: transport(through: proxy, caFile: authority.file))
        #expect(visit.error == nil)
        #expect(visit.text == "ok")
        let entry = try #require(try proxy.readLog().entries.first)
        #expect(entry.method == "CONNECT")
        #expect(entry.headers?.map { $0[0] } == ["Host"])
        let told = try #require(visit.witness.request)
        #expect(told.method == "POST")
        #expect(visit.witness.entries.filter { $0.content.kind == .request }.count == 1)
        let wire = WireTests.head(told, target: "/") + [1, 2]
        #expect(try peer.peer.readLog().received(on: 1) == wire)
    }

    @Test(arguments: [["--refuse"], ["--require", "other:secret"]])
    func aRefusalIsTheProxys(_ arguments: [String]) async throws {
        let proxy =
            arguments.count == 1
            ? try await Peer.start("raw_proxy.py", arguments[0])
            : try await Peer.start("raw_proxy.py", arguments[0], arguments[1])
        let visit = try await Visit.make(
            Request(method: "GET", url: "https://127.0.0.1:1/?token=hidden"),
            through: transport(through: proxy, credentials: "user:secret@"))
        let error = try #require(visit.error)
        #expect(error.code == .proxy)
        #expect(error.how == .failed)
        #expect(error.isBeforeRequest)
        #expect(error.message.contains("127.0.0.1:\(proxy.port)"))
        #expect(!error.message.contains("secret") && !error.message.contains("hidden"))
        #expect(visit.witness.request?.method == "GET")
    }

    @Test func exceptionsGoDirectly() async throws {
        let peer = try await RawPeer.shared()
        try await peer.script(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")], at: "/proxy-except")
        let options = CurlOptions(
            proxy: .url("http://127.0.0.1:1", except: ["localhost", "127.0.0.1"]))
        let visit = try await Visit.make(
            Request(method: "GET", url: peer.url("/proxy-except")),
            through: CurlTransport(options: options))
        #expect(visit.text == "ok")
    }

    @Test(arguments: ["http://user:secret@127.0.0.1:1", "user:secret@127.0.0.1:1"])
    func aDeadProxyIsNamedWithoutCredentials(_ url: String) async throws {
        let visit = try await Visit.make(
            Request(method: "GET", url: "http://127.0.0.1:9/"),
            through: CurlTransport(options: CurlOptions(proxy: .url(url))))
        #expect(visit.error?.code == .proxy)
        #expect(visit.error?.message.contains("127.0.0.1:1") == true)
        #expect(visit.error?.message.contains("secret") == false)
    }

    @Test(arguments: ["bad scheme://user:secret@x", "gopher://user:secret@127.0.0.1:1"])
    func aBadProxyIsSaidWithoutCredentials(_ url: String) async throws {
        let visit = try await Visit.make(
            Request(method: "GET", url: "http://127.0.0.1:9/"),
            through: CurlTransport(options: CurlOptions(proxy: .url(url))))
        #expect(visit.error?.how == .failed)
        #expect(visit.error?.message.contains("secret") == false)
    }
}
