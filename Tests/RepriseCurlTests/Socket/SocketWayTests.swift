import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The ways to a server: proxies, TLS, user info.
@Suite struct SocketWayTests {
    private static let echo: [Step] = [
        .bytes(Array(Dial.switching.utf8) + WebSocketFrame.text("hello").served), .hang,
    ]

    @Test(arguments: [
        ("us%65r:p%40ss", ["Host", "Authorization"], "Basic dXNlcjpwQHNz"),
        ("user", ["Host", "Authorization"], "Basic dXNlcjo="),
        (":", ["Host", "Authorization"], "Basic Og=="),
    ])
    func userInfoBecomesAuthorization(
        _ info: String, _ names: [String], _ value: String
    ) async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")], at: "/a")
        try await peer.script([.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")], at: "/b")
        let dial = await Dial.make("ws://\(info)@\(peer.place)/a#b")
        let told = try #require(dial.witness.request?.headers)
        #expect(told.fields.prefix(2).map(\.name.description) == names)
        #expect(told.first("Authorization") == value)
        // HTTP does the same.
        let visit = try await Visit.make(
            Request(method: "GET", url: "http://\(info)@\(peer.place)/b", headers: Dial.headers))
        #expect(visit.witness.request?.headers == told)
        let log = try peer.peer.readLog()
        #expect(
            log.received(on: 1)
                == WireTests.head(try #require(dial.witness.request), target: "/a"))
    }

    /// Fields of the app's own are not added to; Host comes first whatever its place.
    @Test func theAppsOwnFieldsAreTaken() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")])
        let headers: Headers = [
            "x-Odd": "  kept  ", "AUTHORIZATION": "Bearer token", "X-Empty": "",
            "host": "other.example",
        ]
        let dial = await Dial.make("ws://user:secret@\(peer.place)?q", headers: headers)
        let wire =
            "GET /?q HTTP/1.1\r\nhost: other.example\r\nx-Odd: kept\r\n"
            + "AUTHORIZATION: Bearer token\r\nX-Empty:\r\n\r\n"
        #expect(try peer.peer.readLog().received(on: 1) == Array(wire.utf8))
        #expect(dial.witness.request?.headers.fields.count == 4)
    }

    @Test(arguments: [false, true])
    func aProxyIsATunnel(_ isTLS: Bool) async throws {
        let authority = isTLS ? try await Authority.make() : nil
        let peer =
            if let authority {
                try await RawPeer.start(certificate: authority.certificate, key: authority.key)
            } else {
                try await RawPeer.start()
            }
        try await peer.script(Self.echo)
        let proxy = try await Peer.start("raw_proxy.py", "--require", "user:secret")
        let transport = CurlTransport(
            options: CurlOptions(
                caFile: authority?.file, proxy: .url("http://user:secret@127.0.0.1:\(proxy.port)")))
        let dial = await Dial.make(
            "\(isTLS ? "wss" : "ws")://\(peer.place)/", through: transport)
        let channel = try #require(dial.channel)
        #expect(try await channel.next()?.text == "hello")
        try await channel.send([.text("through")])
        channel.end(EndRecord(how: .complete))
        try await peer.peer.tell("gone 1")
        let entry = try #require(try proxy.readLog().entries.first)
        #expect(entry.method == "CONNECT")
        #expect(entry.target == peer.place)
        #expect(entry.headers?.map { $0[0] } == ["Host", "Proxy-Authorization"])
        let head = WireTests.head(try #require(dial.witness.request), target: "/")
        let wire = try peer.peer.readLog().received(on: 1)
        #expect(Array(wire.prefix(head.count)) == head)
        let frames = WebSocketFrame.all(ofClient: Array(wire.dropFirst(head.count)))
        #expect(frames == [.text("through")])
        #expect(dial.witness.entries.filter { $0.content.kind == .request }.count == 1)
        #expect((dial.witness.phases?.tls != nil) == isTLS)
    }

    @Test(arguments: [["--refuse"], ["--require", "other:secret"]])
    func aRefusalOfTheProxyIsTheProxys(_ arguments: [String]) async throws {
        let proxy = try await Peer.start("raw_proxy.py", arguments)
        let transport = CurlTransport(
            options: CurlOptions(proxy: .url("http://user:secret@127.0.0.1:\(proxy.port)")))
        let dial = await Dial.make("ws://127.0.0.1:1/?token=hidden", through: transport)
        let error = try #require(dial.error)
        #expect(error.code == .proxy)
        #expect(error.isBeforeRequest)
        #expect(error.message.contains("127.0.0.1:\(proxy.port)"))
        #expect(!error.message.contains("secret") && !error.message.contains("hidden"))
        #expect(dial.witness.kinds == ["request", "end"])
    }

    @Test func aServerIsTrustedOnlyThroughItsAuthority() async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await peer.script(Self.echo)
        let refused = await Dial.make("wss://\(peer.place)/")
        #expect(refused.error?.code == .tls)
        #expect(refused.error?.isBeforeRequest == true)
        let trusting = CurlTransport(options: CurlOptions(caFile: authority.file, proxy: .none))
        let dial = await Dial.make("wss://\(peer.place)/", through: trusting)
        let channel = try #require(dial.channel)
        #expect(try await channel.next()?.text == "hello")
        // Nothing is said to the peer by this, which must not take it for a cut.
        channel.finishSending()
        channel.end(EndRecord(how: .complete))
        try await peer.peer.tell("gone 2")
    }

    /// Over TLS the end of the bytes is one with and without a closure alert.
    @Test(arguments: [Step.fin, .cut])
    func theEndOfTLSEndsTheFrames(_ last: Step) async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await peer.script([.send(Dial.switching), last])
        let trusting = CurlTransport(options: CurlOptions(caFile: authority.file, proxy: .none))
        let dial = await Dial.make("wss://\(peer.place)/", through: trusting)
        let channel = try #require(dial.channel)
        #expect(try await channel.next() == nil)
        channel.end(EndRecord(how: .reset))
    }
}
