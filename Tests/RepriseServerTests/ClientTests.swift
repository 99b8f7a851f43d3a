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

/// Clients that others made against what ships in `Recordings/`.
@Suite struct ClientTests {
    private func recording(_ name: String) throws -> Recording {
        try Recording(path: "\(Workspace.root)/Recordings/\(name).tape")
    }

    private static let clients = ["httpx", "aiohttp"]

    @Test("A stream: status, bytes and coding, and through aiohttp the cuts", arguments: clients)
    func stream(client: String) async throws {
        for name in ["ago-jwt-send", "ago-jwt-send-gzip", "chatbase-send-gzip"] {
            let recording = try recording(name)
            let exchange = try #require(recording.exchanges.first)
            let serving = try Serving.start(recording)
            let seen = try await Seen.client(
                client, url(exchange, serving),
                String(decoding: exchange.requestBody, as: UTF8.self))
            #expect(seen.status == 200)
            #expect(seen.error == nil)
            let recorded = exchange.deliveries.map(\.bytes)
            #expect(Array(seen.cuts.joined()) == Array(recorded.joined()), "\(name)")
            if client == "aiohttp" { #expect(seen.cuts == recorded, "\(name)") }
            #expect(values("content-encoding", seen) == exchange.response?.headers.contentCodings)
            #expect(serving.server.isAllConsumed)
            await serving.server.stop()
        }
    }

    @Test("A stream that died dies", arguments: clients)
    func cut(client: String) async throws {
        let recording = try recording("ago-cut")
        let exchange = try #require(recording.exchanges.first)
        let serving = try Serving.start(recording)
        let seen = try await Seen.client(
            client, url(exchange, serving), String(decoding: exchange.requestBody, as: UTF8.self))
        #expect(seen.status == 200)
        #expect(seen.error == (client == "httpx" ? "ReadError" : "ClientPayloadError"))
        #expect(Array(seen.cuts.joined()) == exchange.deliveries.flatMap(\.bytes))
        await serving.server.untilConsumed()
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test("An error with its status and length", arguments: clients)
    func refused(client: String) async throws {
        let recording = try recording("ago-401")
        let exchange = try #require(recording.exchanges.first)
        let serving = try Serving.start(recording)
        let seen = try await Seen.client(client, url(exchange, serving))
        #expect(seen.status == 401)
        #expect(values("content-length", seen) == ["94"])
        #expect(values("date", seen) == exchange.response?.headers.all("Date"))
        #expect(Array(seen.cuts.joined()) == exchange.deliveries.flatMap(\.bytes))
        await serving.server.stop()
    }

    @Test("curl sees the end as it was", arguments: [("ago-jwt-send", 0), ("ago-cut", 56)])
    func curl(name: String, status: Int32) async throws {
        let recording = try recording(name)
        let exchange = try #require(recording.exchanges.first)
        let serving = try Serving.start(recording)
        let result = try await Command(
            "/usr/bin/env",
            [
                "curl", "-sN", "-H", "Content-Type: application/json", "--data-binary",
                String(decoding: exchange.requestBody, as: UTF8.self), url(exchange, serving),
            ]
        ).run()
        #expect(result.status == status)
        #expect(result.output == exchange.deliveries.flatMap(\.bytes))
        await serving.server.stop()
    }

    @Test("What was not recorded is answered with what is wrong, and counts")
    func miss() async throws {
        let recording = try recording("ago-jwt-send")
        let exchange = try #require(recording.exchanges.first)
        let serving = try Serving.start(recording)
        let seen = try await Seen.client("httpx", url(exchange, serving), #"{"content":"Bye"}"#)
        #expect(seen.status == 501)
        let message =
            "POST /api/sdk/v1/messages was not recorded; the nearest is exchange 1 of t: in the "
            + #"body, $.content differs: recorded "How do I reset my password?", now "Bye""#
        #expect(serving.misses.withLock { $0 } == [message])
        let body = try JSON.parse(Array(seen.cuts.joined())).value
        #expect(body["error"]?["code"]?.string == "replay.noSuchRequest")
        #expect(body["error"]?["message"]?.string == message)
        #expect(!serving.server.isAllConsumed)
        #expect(serving.server.exchanges.map(\.state) == [.unasked])
        await serving.server.stop()
    }

    @Test(
        "An id that the client makes for itself comes back as that, in a coded body too",
        arguments: ["", "gzip"], clients)
    func identifiers(coding: String, client: String) async throws {
        let header = coding.isEmpty ? "" : #"["Content-Encoding","gzip"]"#
        let lines = (1...2).map { number in
            let request =
                #""transport":"http","method":"POST","url":"http://a.example/m/\#(number)","#
                + #""headers":[["Content-Type","application/json"]]"#
            let sent = ["id", "of"][number - 1]
            var coded: [UInt8] = []
            let plain = #"data: {"echo":"client-aaaa"}"# + "\n\n"
            if coding.isEmpty {
                coded = Array(plain.utf8)
            } else {
                Deflate(.gzip).push(Array(plain.utf8), flush: .finish, into: &coded)
            }
            return [
                #"{"kind":"request","t":1000,\#(request)}"#,
                Serving.body(#"{\"\#(sent)\":\"client-aaaa\"}"#).replacing(
                    "responseBody", with: "requestBody"),
                #"{"kind":"requestEnd","t":1000}"#,
                Serving.response(header),
                #"{"kind":"responseBody","t":1000,"base64":"\#(Data(coded).base64EncodedString())"}"#,
                Serving.end(at: 1000),
            ].map { #"{"x":\#(number),"# + $0.dropFirst() }.joined(separator: "\n")
        }
        let recording = try Recording(bytes: Array(lines.joined(separator: "\n").utf8))
        let serving = try Serving.start(
            recording, matching: .flexible.mapping(.json("$.id")))
        for (number, name) in [(1, "id"), (2, "of")] {
            let seen = try await Seen.client(
                client, "\(serving.server.url)/m/\(number)", #"{"\#(name)":"made-by-\#(client)"}"#)
            #expect(seen.status == 200)
            let decoder = try ContentDecoder(codings: coding.isEmpty ? [] : [coding])
            let body = try decoder.push(Array(seen.cuts.joined()))
            #expect(
                String(decoding: body, as: UTF8.self)
                    == #"data: {"echo":"made-by-\#(client)"}"# + "\n\n")
        }
        #expect(serving.server.isAllConsumed)
        await serving.server.stop()
    }

    @Test("A client that leaves is noticed at once, while nothing is due")
    func leaving() async throws {
        let serving = try Serving.start(
            [
                Serving.response(#"["A","b"]"#), Serving.body("hello"),
                Serving.body("never", at: 3_600_000_000_000),
                Serving.end(at: 3_600_000_000_000),
            ], pace: .original)
        let request = Request(method: "GET", url: serving.server.url + "/x")
        // It has to live as long as the body is read.
        let transport = CurlTransport(options: CurlOptions(proxy: .none))
        let response = try await transport.send(request)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next()?.bytes == Array("hello".utf8))
        withExtendedLifetime(transport) {}
        let start = Workspace.monotonic
        response.body.cancel()
        await serving.server.untilConsumed()
        #expect(serving.server.exchanges.map(\.state) == [.left(bytes: 5)])
        #expect(Workspace.monotonic - start < 30_000_000_000)
        await serving.server.stop()
    }

    @Test("A server that stops ends what is under way, and does not wait for it")
    func stopping() async throws {
        let serving = try Serving.start(
            [
                Serving.response(#"["A","b"]"#), Serving.body("hello"),
                Serving.end(at: 3_600_000_000_000),
            ], count: 3, pace: .original)
        let transport = CurlTransport(options: CurlOptions(proxy: .none))
        var bodies: [ResponseBody.AsyncIterator] = []
        for _ in 0..<3 {
            let request = Request(method: "GET", url: serving.server.url + "/x")
            bodies.append(try await transport.send(request).body.makeAsyncIterator())
        }
        for index in bodies.indices { _ = try await bodies[index].next() }
        await serving.server.stop()
        for index in bodies.indices {
            await #expect(throws: TransportError.self) { try await bodies[index].next() }
        }
    }

    private func url(_ exchange: Recording.Exchange, _ serving: Serving) -> String {
        let path = exchange.request.url.description.split(separator: "/").dropFirst(2)
        return serving.server.url + "/" + path.joined(separator: "/")
    }

    private func values(_ name: String, _ seen: Seen) -> [String] {
        (seen.headers ?? []).filter { $0[0].lowercased() == name }.map { $0[1] }
    }
}
