import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a client gets over a transport that cuts anew.
@Suite struct RecutTransportTests {
    static let texts = [
        "data: {\"content\":\"Grü", "ße 😀\"}\r", "\n\r\nevent: done\ndata: 1\n", "\n: beat\n\n",
    ]

    @Test(arguments: Cuts.all + (2..<20).map { .random(seed: $0) }, [nil, "gzip", "deflate"])
    func eventsAreTheSame(cuts: Cuts, coding: String?) async throws {
        let recording = try Self.body(Self.texts, coding)
        let expected = try await items(ReplayTransport(recording: recording))
        #expect(expected.contains { $0.contains("Grüße 😀") } && expected.count >= 3)
        let replay = ReplayTransport(recording: recording)
        #expect(try await items(RecutTransport(base: replay, cuts: cuts)) == expected)
    }

    @Test(arguments: Cuts.all, [nil, "gzip", "deflate"])
    func documentsAreTheSame(cuts: Cuts, coding: String?) async throws {
        let recording = try Self.body([#"{"a":"ü"#, "\r\n\", \"b\": [1,2]}"], coding)
        let transport = RecutTransport(base: ReplayTransport(recording: recording), cuts: cuts)
        let bytes = try await transport.send(get()).collected()
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"a\":\"ü\r\n\", \"b\": [1,2]}")
    }

    /// The observer is told the pieces that the app gets, and the same end.
    @Test(arguments: Cuts.all, [nil, #""how":"complete""#, #""how":"reset""#])
    func theObserverIsToldThePieces(cuts: Cuts, end: String?) async throws {
        let recording = try Self.body(Self.texts, "gzip", end: end)
        let plain = KeptEvents()
        let old = await read(
            try await ReplayTransport(recording: recording).send(get(), observer: plain).body)
        let observer = KeptEvents()
        let transport = RecutTransport(base: ReplayTransport(recording: recording), cuts: cuts)
        let now = await read(try await transport.send(get(), observer: observer).body)
        #expect(now.deliveries.flatMap(\.bytes) == old.deliveries.flatMap(\.bytes))
        #expect(now.error == old.error)
        #expect(observer.events.last == plain.events.last)
        let told = observer.events.compactMap { event -> Delivery? in
            guard case .responseBody(let bytes) = event.content else { return nil }
            return Delivery(bytes: bytes, time: event.time)
        }
        #expect(told == now.deliveries)
        #expect(
            observer.kinds.filter { $0 != .responseBody }
                == plain.kinds.filter { $0 != .responseBody })
    }

    /// A server plays the pieces that a client in the same process gets.
    @Test(arguments: Cuts.all, [nil, #""how":"complete""#])
    func aServedExchangeHasThePieces(cuts: Cuts, end: String?) async throws {
        let recording = try Self.body(Self.texts, "gzip", end: end)
        let transport = RecutTransport(base: ReplayTransport(recording: recording), cuts: cuts)
        let (deliveries, _) = await read(try await transport.send(get()).body)
        let exchange = recording.exchanges[0].cut(cuts, member: 1)
        #expect(exchange.deliveries == deliveries)
        #expect(exchange.end == recording.exchanges[0].end)
    }

    @Test func oneBlobComesWithTheTimeOfItsEnd() async throws {
        let replay = ReplayTransport(recording: try Self.body(Self.texts, nil))
        let body = try await RecutTransport(base: replay, cuts: .oneBlob).send(get()).body
        let (deliveries, error) = await read(body)
        #expect(deliveries == [Delivery(bytes: Array(Self.texts.joined().utf8), time: 23)])
        #expect(error == nil)
    }

    @Test func whoStopsGetsNothingMore() async throws {
        let replay = ReplayTransport(recording: try Self.body(Self.texts, nil))
        let observer = KeptEvents()
        let body = try await RecutTransport(base: replay, cuts: .everyByte)
            .send(get(), observer: observer).body
        var source = body.makeAsyncIterator()
        #expect(try await source.next()?.bytes == [0x64])
        body.cancel()
        let error = await #expect(throws: TransportError.self) {
            try await body.first { _ in true }
        }
        #expect(error?.how == .cancelled)
        guard case .end(let end) = observer.events.last?.content else {
            Issue.record("no end")
            return
        }
        #expect(end.how == .cancelled)
    }

    @Test func whoIsCancelledGetsNothingMore() async throws {
        let replay = ReplayTransport(recording: try Self.body(Self.texts, nil))
        let body = try await RecutTransport(base: replay, cuts: .everyByte).send(get()).body
        var source = body.makeAsyncIterator()
        _ = try await source.next()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await read(body)
        }
        let (deliveries, error) = await task.value
        #expect(deliveries.isEmpty && error?.how == .cancelled)
    }

    /// Recording what is cut anew gives a tape with the new cuts, which replays so.
    @Test(arguments: [Cuts.everyByte, .oneBlob, .random(seed: 3)])
    func aRecordingOfItHasTheNewCuts(cuts: Cuts) async throws {
        let folder = try TemporaryFolder()
        let replay = ReplayTransport(recording: try Self.body(Self.texts, nil))
        let recorder = try TapeRecorder(path: folder.path + "/a.tape", clock: replay.clock)
        let transport = RecordingTransport(
            base: RecutTransport(base: replay, cuts: cuts), recorder: recorder)
        let (deliveries, _) = await read(try await transport.send(get()).body)
        try recorder.close()
        let tape = try Recording(path: folder.path + "/a.tape")
        #expect(tape.exchanges[0].deliveries == deliveries)
    }

    // MARK: Help

    /// A recorded body at the times 20, 21…
    static func body(
        _ texts: [String], _ coding: String?, end: String? = #""how":"complete""#
    ) throws -> Recording {
        var parts = texts.map { Array($0.utf8) }
        if let coding {
            let deflate = Deflate(coding == "gzip" ? .gzip : .zlib)
            for index in parts.indices {
                var coded: [UInt8] = []
                let isLast = index == parts.count - 1
                deflate.push(parts[index], flush: isLast ? .finish : .sync, into: &coded)
                parts[index] = coded
            }
        }
        let lines = parts.enumerated().map { index, bytes in
            let text = WireText(bytes: bytes).json
            let value = text["base64"].map { #""base64":\#($0.serialized)"# }
            return #"{"kind":"responseBody","x":1,"t":\#(20 + index),"#
                + (value ?? #""text":\#(text.serialized)"#) + "}"
        }
        let header = coding.map { #"["Content-Encoding","\#($0)"]"# } ?? ""
        return try recording(
            exchange(responseHeaders: header, events: lines.joined(separator: "\n"), end: end))
    }

    /// The items of the stream, without offsets.
    private func items(_ transport: some Transport) async throws -> [String] {
        var items: [String] = []
        for try await element in try await transport.send(get()).events {
            if case .event(let event) = element.item { items.append(event.data) }
            items.append("\(element.item)")
        }
        return items
    }
}
