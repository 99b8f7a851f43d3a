import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Ids that an app makes anew.
@Suite struct IdentifierTests {
    static let events = delivery(#"{"echo":"client-aaaa","message":"srv-1"}"#, at: 20)

    static func message(_ x: Int, id: String, at t: Int, _ text: String = "hi") -> String {
        exchange(
            x, at: t, method: "POST", path: "/m", body: #"{"id":"\#(id)","text":"\#(text)"}"#,
            responseHeaders: #"["Location","/m/\#(id)"],["Content-Length","41"]"#,
            events: delivery(
                #"{"echo":"\#(id)","of":"x\#(id)","message":"srv-\#(x)"}"#, x, at: t + 20))
    }

    static let tape =
        message(1, id: "client-aaaa", at: 0) + message(2, id: "client-bbbb", at: 100, "ho")
        + exchange(3, at: 200, path: "/m/client-aaaa/of/srv-2?ref=client-bbbb")

    private static func send(
        _ id: String, _ transport: ReplayTransport, _ text: String = "hi"
    ) async throws(TransportError) -> (text: String, location: String?) {
        let response = try await transport.send(
            post(#"{"id":"\#(id)","text":"\#(text)"}"#, path: "/m"))
        let bytes = await read(response.body).deliveries.flatMap(\.bytes)
        return (
            String(decoding: bytes, as: UTF8.self), response.head.headers.first("Location")
        )
    }

    @Test("A new id stands for the recorded one, in later requests and in responses")
    func maps() async throws {
        let transport = ReplayTransport(
            recording: try recording(Self.tape), matching: .exact.mapping(.json("$.id")))
        let first = try await Self.send("new-1111-longer", transport)
        #expect(
            first.text
                == #"{"echo":"new-1111-longer","of":"xclient-aaaa","message":"srv-1"}"#)
        #expect(first.location == "/m/new-1111-longer")
        // Short ids are put into texts, too, but not looked for in them.
        let second = try await Self.send("n-2", transport, "ho")
        #expect(second.text == #"{"echo":"n-2","of":"xclient-bbbb","message":"srv-2"}"#)
        // The service's own id flows back.
        _ = try await transport.send(get("/m/new-1111-longer/of/srv-2?ref=n-2"))
        #expect(transport.misses.isEmpty && transport.unconsumed.isEmpty)
    }

    @Test("An id that was mapped is no other's")
    func isOneToOne() async throws {
        let transport = ReplayTransport(
            recording: try recording(Self.tape), matching: .exact.mapping(.json("$.id")))
        _ = try await Self.send("new-1111", transport)
        let error = await #expect(throws: TransportError.self) {
            try await Self.send("new-1111", transport, "ho")
        }
        #expect(
            error?.message
                == #"POST /m was not recorded; the nearest is exchange 2: in the body, $.id differs: "#
                + #"recorded "client-bbbb", now "new-1111""#)
    }

    @Test("Ids in the path, the query and header fields map, too")
    func elsewhere() async throws {
        let tape =
            exchange(
                1, path: "/c/conv-00001?run=run-00001", headers: #","# + #"["X-Id","head-00001"]"#)
            + exchange(
                2, at: 100, method: "POST", path: "/m",
                body: #"["conv-00001","run-00001","head-00001",{"a":"see conv-00001/x"}]"#)
        let transport = ReplayTransport(
            recording: try recording(tape),
            matching: .exact.mapping(.path("/c/*"), .query("run"), .header("X-Id")))
        _ = try await transport.send(
            get("/c/conv-99999?run=run-99999", ["X-Id": "head-99999"]))
        _ = try await transport.send(
            post(
                #"["conv-99999","run-99999","head-99999",{"a":"see conv-99999/x"}]"#, path: "/m"))
        #expect(transport.misses.isEmpty)
        #expect(transport.unconsumed.isEmpty)
    }

    @Test("An id may come in a request before the place where it is declared")
    func before() async throws {
        let tape = exchange(1, method: "POST", path: "/c/conv-00001", body: #"{"id":"conv-00001"}"#)
        let transport = ReplayTransport(
            recording: try recording(tape), matching: .exact.mapping(.json("$.id")))
        _ = try await transport.send(post(#"{"id":"conv-77777"}"#, path: "/c/conv-77777"))
        #expect(transport.misses.isEmpty)
    }

    @Test("What the recorded client drew may be drawn anew")
    func drawn() async throws {
        let tape =
            #"{"kind":"entropy","t":0,"call":0,"purpose":"message","ordinal":0,"value":"client-aaaa"}"#
            + "\n" + Self.message(1, id: "client-aaaa", at: 0)
        let transport = ReplayTransport(recording: try recording(tape), matching: .flexible)
        let answer = try await Self.send("client-zzzz", transport)
        #expect(
            answer.text == #"{"echo":"client-zzzz","of":"xclient-aaaa","message":"srv-1"}"#)
        let exact = ReplayTransport(recording: try recording(tape))
        await #expect(throws: TransportError.self) { try await Self.send("client-zzzz", exact) }
    }

    @Test(
        "In a coded body across every cut ids are put into their places, and the cuts stay",
        arguments: ["gzip", "deflate", ""], [4, 11, 40])
    func acrossCuts(coding: String, size: Int) async throws {
        let text = #"{"a":"client-aaaa"} client-aaaa-not client-aaaa."# + "\n"
        for cut in 0...text.utf8.count {
            let plain = [Array(text.utf8.prefix(cut)), Array(text.utf8.dropFirst(cut))]
            let new = "i" + String(repeating: "9", count: size)
            let answer = try await Self.renamed(plain, coding, to: new)
            let expected = #"{"a":"\#(new)"} client-aaaa-not \#(new)."# + "\n"
            #expect(String(decoding: answer.joined(), as: UTF8.self) == expected)
            #expect(answer.count == plain.count)
            // What is no id is where it was.
            if cut <= 6 { #expect(answer[0] == plain[0]) }
        }
    }

    /// The pieces of an answer that were so when recorded, decoded.
    private static func renamed(
        _ pieces: [[UInt8]], _ coding: String, to id: String
    ) async throws -> [[UInt8]] {
        var recording = try recording(
            exchange(
                method: "POST", path: "/m", body: #"{"id":"client-aaaa","text":"hi"}"#,
                responseHeaders: coding.isEmpty ? "" : #"["Content-Encoding","\#(coding)"]"#))
        let place = try #require(
            recording.exchanges[0].events.firstIndex { $0.content.kind == .end })
        let end = recording.exchanges[0].events[place]
        recording.exchanges[0].events.insert(
            contentsOf: coded(pieces, coding).map { bytes in
                var event = end
                event.content = .responseBody(bytes)
                return event
            }, at: place)
        let transport = ReplayTransport(
            recording: recording, matching: .exact.mapping(.json("$.id")))
        let request = post(#"{"id":"\#(id)","text":"hi"}"#, path: "/m")
        let response = try await transport.send(request)
        let decoder = try ContentDecoder(codings: coding.isEmpty ? [] : [coding])
        var plain: [[UInt8]] = []
        for delivery in await read(response.body).deliveries {
            plain.append(try decoder.push(delivery.bytes))
        }
        try decoder.finish()
        return plain
    }
}
