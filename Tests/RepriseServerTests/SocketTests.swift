import RepriseCurl
import RepriseServer
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// WebSockets of the package websockets, recorded, served, and met by its client and by our own.
@Suite struct SocketTests {
    /// What a client says; it reads a message behind each, and then to the end unless it closes.
    struct Talk: Sendable, CustomTestStringConvertible {
        var name: String
        var says: [String]
        var closes = false
        var testDescription: String { name }
    }

    static let talks: [Talk] = [
        Talk(name: "The client closes", says: ["Hello", "Hello Hello", "Hello"], closes: true),
        Talk(name: "The server closes", says: ["Hello", "peer:close 4001 enough"]),
        Talk(name: "The server is gone", says: ["Hello", "peer:die"]),
        Talk(
            name: "Fragments", says: [String(repeating: "0123456789", count: 300), "Hello"],
            closes: true),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(_ talk: Talk, at url: String, as name: String) async throws -> Recording {
        let recorder = try TapeRecorder(path: folder.file(name))
        let transport = RecordingTransport(
            base: CurlTransport(options: CurlOptions(proxy: .none)), recorder: recorder)
        let socket = try await WebSocket.open(Request(method: "GET", url: url), over: transport)
        var messages = socket.messages.makeAsyncIterator()
        do {
            for text in talk.says {
                try await socket.send(text: text)
                _ = try await messages.next()
            }
            if talk.closes { try? await socket.close() }
            while try await messages.next() != nil {}
        } catch {}
        try recorder.close()
        return try Recording(path: folder.file(name))
    }

    private func recorded(_ talk: Talk) async throws -> Recording {
        let peer = try await Peer.start("websockets_peer.py")
        return try await record(talk, at: "ws://127.0.0.1:\(peer.port)/", as: "first.tape")
    }

    private func socketURL(_ serving: Serving) -> String { "ws://127.0.0.1:\(serving.port)/" }

    @Test("Record, serve, record again: the second tape equals the first", arguments: talks)
    func fixedPoint(talk: Talk) async throws {
        let first = try await recorded(talk)
        let serving = try Serving.start(first)
        let second = try await record(talk, at: socketURL(serving), as: "second.tape")
        await serving.server.untilConsumed()
        #expect(serving.misses.withLock { $0 } == [])
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
        let (old, new) = (try #require(first.exchanges.first), try #require(second.exchanges.first))
        #expect(frames(new).count > 2)
        #expect(frames(new) == frames(old))
        #expect(new.response?.status == 101)
        #expect(kept(new.response?.headers) == kept(old.response?.headers))
        #expect(kept(new.request.headers) == kept(old.request.headers))
        #expect(new.end?.how == old.end?.how)
        #expect(new.end?.code == old.end?.code)
    }

    /// The order of the two sides among each other is the network's.
    private func frames(_ exchange: Recording.Exchange) -> [SocketFrameRecord] {
        let all = exchange.events.compactMap { event -> SocketFrameRecord? in
            if case .socketFrame(let record) = event.content { record } else { nil }
        }
        return all.filter { $0.sender == .server } + all.filter { $0.sender == .client }
    }

    private func kept(_ headers: Headers?) -> [String] {
        let drawn = ["host", "date", "connection", "sec-websocket-key", "sec-websocket-accept"]
        return (headers?.fields ?? [])
            .filter { !drawn.contains($0.name.description.lowercased()) }
            .map { "\($0.name): \($0.value)" }
    }

    struct Heard: Decodable {
        var messages: [String]
        var code: Int?
        var reason: String?
        var extensions: String?
        var status: Int
    }

    private func python(
        _ serving: Serving, _ compression: String, _ says: [String]
    ) async throws -> Heard {
        let output = try await Seen.output(
            ["websockets", socketURL(serving), compression] + says)
        return try JSONDecoder().decode(Heard.self, from: output)
    }

    @Test(
        "Messages and the close code, deflated as recorded or not at all",
        arguments: ["deflate", "none"])
    func closed(compression: String) async throws {
        let serving = try Serving.start(try await recorded(Self.talks[1]))
        let heard = try await python(serving, compression, Self.talks[1].says)
        #expect(heard.messages == ["Hello"])
        #expect(heard.code == 4001)
        #expect(heard.reason == "enough")
        #expect((heard.extensions != nil) == (compression == "deflate"))
        await serving.server.untilConsumed()
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test("Fragments of a deflated message, deflated or not", arguments: ["deflate", "none"])
    func fragments(compression: String) async throws {
        let talk = Self.talks[3]
        let serving = try Serving.start(try await recorded(talk))
        let heard = try await python(serving, compression, talk.says + ["close"])
        #expect(heard.messages == talk.says)
        #expect(heard.code == 1000)
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test("A connection that died dies")
    func died() async throws {
        let serving = try Serving.start(try await recorded(Self.talks[2]))
        let heard = try await python(serving, "deflate", Self.talks[2].says)
        #expect(heard.messages == ["Hello"])
        #expect(heard.code == 1006)
        await serving.server.untilConsumed()
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test(
        "An id that the client makes for itself comes back as that, deflated or not",
        arguments: ["deflate", "none"])
    func identifiers(compression: String) async throws {
        let says = { (id: String) in
            [#"{"id":"\#(id)","n":1}"#, #"{"n":2,"of":"\#(id)"}"#, "peer:close 4001 enough"]
        }
        let talk = Talk(name: "ids", says: says("client-aaaa"))
        let recording = try await recorded(talk)
        for (id, isMapped) in [
            ("another-id-of-mine", true), ("client-aaaa", true), ("other", false),
        ] {
            let serving = try Serving.start(
                recording, matching: isMapped ? .flexible.mapping(.json("$.id")) : .flexible)
            let heard = try await python(serving, compression, says(id))
            #expect(heard.messages == (isMapped ? Array(says(id).prefix(2)) : []))
            #expect(heard.code == (isMapped ? 4001 : 1008))
            #expect(serving.misses.withLock { $0.isEmpty } == isMapped)
            await serving.server.stop()
        }
    }

    @Test("A message that was not recorded ends it, and is told")
    func miss() async throws {
        let serving = try Serving.start(try await recorded(Self.talks[0]))
        let heard = try await python(serving, "deflate", ["Hello", "Bye"])
        #expect(heard.messages == ["Hello"])
        #expect(heard.code == 1008)
        #expect(heard.reason == "this was not recorded")
        await serving.server.untilConsumed()
        #expect(
            serving.misses.withLock { $0 } == [
                "GET /, message 2 was not recorded; the nearest is message 2 of exchange 1 of t: the "
                    + "message differs from byte 0 on: recorded 11 bytes, now 3"
            ])
        #expect(!serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test("A client that leaves is noticed at once, and so is a server that stops")
    func leaving() async throws {
        let recording = try await recorded(Self.talks[0])
        let transport = CurlTransport(options: CurlOptions(proxy: .none))
        for isServerStopped in [false, true] {
            let serving = try Serving.start(recording)
            let socket = try await WebSocket.open(
                Request(method: "GET", url: socketURL(serving)), over: transport)
            try await socket.send(text: "Hello")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next()?.text == "Hello")
            if isServerStopped {
                await serving.server.stop()
                await #expect(throws: WebSocketError.self) { try await messages.next() }
            } else {
                socket.cancel()
                await serving.server.untilConsumed()
                await serving.server.stop()
            }
            guard case .left = serving.server.exchanges[0].state else {
                Issue.record("\(serving.server.exchanges[0].state)")
                return
            }
        }
    }

    @Test("A refusal comes as it was")
    func refused() async throws {
        let text = """
            {"kind":"session","t":0,"version":1,"session":"00000000000000aa","wall":"2026-11-30T06:06:00.000000000Z","recorder":"reprise/0.1.0"}
            {"kind":"request","x":1,"t":1,"transport":"websocket","method":"GET","url":"wss://a.example/","headers":[]}
            {"kind":"requestEnd","x":1,"t":2}
            {"kind":"response","x":1,"t":3,"status":403,"version":"1.1","headers":[["Content-Length","4"]]}
            {"kind":"responseBody","x":1,"t":4,"text":"nope"}
            {"kind":"end","x":1,"t":5,"how":"complete","framing":"length"}
            """
        let serving = try Serving.start(try Recording(bytes: Array(text.utf8)))
        let heard = try await python(serving, "none", ["Hello"])
        #expect(heard.status == 403)
        #expect(heard.reason == "nope")
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }
}
