import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct ReplayTransportTests {
    @Test func answersWithRecordedCutsAndTimes() async throws {
        let events = [delivery("He", at: 20), delivery("llo", at: 20), delivery("!", at: 70)]
        let transport = ReplayTransport(
            recording: try recording(
                exchange(at: 5, events: events.joined(separator: "\n"))))
        let response = try await transport.send(get())
        #expect(response.head.status == 200)
        #expect(transport.clock.now() == 15)
        let (deliveries, error) = await read(response.body)
        #expect(
            deliveries == [
                Delivery(bytes: Array("He".utf8), time: 20),
                Delivery(bytes: Array("llo".utf8), time: 20),
                Delivery(bytes: Array("!".utf8), time: 70),
            ])
        #expect(error == nil)
        #expect(transport.clock.now() == 95)
        #expect(transport.unconsumed.isEmpty)
    }

    @Test func timeIsMovedByThePull() async throws {
        let events = [delivery("a", at: 20), delivery("b", at: 70)].joined(separator: "\n")
        let transport = ReplayTransport(recording: try recording(exchange(events: events)))
        var body = try await transport.send(get()).body.makeAsyncIterator()
        #expect(transport.clock.now() == 10)
        _ = try await body.next()
        #expect(transport.clock.now() == 20)
        try await transport.clock.sleep(for: 30)
        #expect(transport.clock.now() == 50)
        _ = try await body.next()
        #expect(transport.clock.now() == 70)
    }

    @Test(
        arguments: [
            (
                #""how":"reset","code":"transport.reset","message":"cut""#, EndRecord.How.reset,
                "transport.reset", "cut"
            ),
            (
                #""how":"cancelled""#, .cancelled, "transport.cancelled",
                "the exchange ended: cancelled"
            ),
            (
                #""how":"timedOut","code":"transport.idleTimeout","message":"silence""#, .timedOut,
                "transport.idleTimeout", "silence"
            ),
            (
                #""how":"failed","code":"transport.malformed","message":"odd""#, .failed,
                "transport.malformed", "odd"
            ),
            (nil, .failed, "replay.recorderDied", nil),
        ] as [(String?, EndRecord.How, String, String?)])
    func endsAsRecorded(
        end: String?, how: EndRecord.How, code: String, message: String?
    ) async throws {
        let observer = KeptEvents()
        let transport = ReplayTransport(
            recording: try recording(exchange(events: delivery("He", at: 20), end: end)))
        let response = try await transport.send(get(), observer: observer)
        let (deliveries, error) = await read(response.body)
        #expect(deliveries.map(\.bytes) == [Array("He".utf8)])
        #expect(error?.how == how)
        #expect(error?.code.rawValue == code)
        if let message { #expect(error?.message == message) }
        let again = await read(response.body)
        #expect(again.error == error)
        #expect(again.deliveries.isEmpty)
        #expect(
            observer.kinds == [.request, .requestEnd, .response, .responseBody, .end])
    }

    @Test(
        arguments: [
            (
                #""how":"failed","code":"transport.connect","message":"refused""#,
                "transport.connect"
            ),
            (nil, "replay.recorderDied"),
            (#""how":"complete""#, "transport.malformed"),
        ] as [(String?, String)])
    func aFailureBeforeTheHeadThrowsFromSend(end: String?, code: String) async throws {
        let observer = KeptEvents()
        let transport = ReplayTransport(
            recording: try recording(exchange(status: nil, end: end)))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get(), observer: observer)
        }
        #expect(error?.code.rawValue == code)
        #expect(observer.kinds == [.request, .requestEnd, .end])
    }

    @Test func anObserverHearsWhatWasRecorded() async throws {
        let observer = KeptEvents()
        let text = exchange(
            method: "POST", headers: #",["Content-Length","2"],["X-A","1"]"#, body: "hi",
            events: delivery("ok", at: 20), end: #""how":"complete","framing":"length""#)
        let tape = try recording(text)
        let transport = ReplayTransport(recording: tape)
        let request = Request(
            method: "POST", url: "https://a.example/x", headers: ["X-A": "1"],
            body: Array("hi".utf8))
        let response = try await transport.send(request, observer: observer)
        _ = await read(response.body)
        let recorded = tape.exchanges[0]
        #expect(observer.events.first?.content == .request(recorded.request))
        #expect(observer.events.dropFirst().map(\.content) == recorded.events.map(\.content))
        #expect(observer.events.dropFirst().map(\.time) == recorded.events.map(\.time))
    }

    @Test func droppingTheBodyCancels() async throws {
        let observer = KeptEvents()
        let transport = ReplayTransport(
            recording: try recording(exchange(events: delivery("He", at: 20))))
        do { _ = try await transport.send(get(), observer: observer) }
        #expect(observer.kinds == [.request, .requestEnd, .response, .end])
        guard case .end(let end) = observer.events.last?.content else { return }
        #expect(end.how == .cancelled)
    }

    @Test func aCancelledTaskIsToldSo() async throws {
        let tape = try recording(exchange(events: delivery("He", at: 20)))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            _ = try await ReplayTransport(recording: tape).send(get())
        }
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func strictlyInOrder() async throws {
        let transport = ReplayTransport(
            recording: try recording(
                exchange(1, at: 100, path: "/second") + exchange(2, at: 0, path: "/first")
                    + exchange(3, at: 200, path: "/third")))
        _ = try await transport.send(get("/first"))
        _ = try await transport.send(get("/second"))
        #expect(transport.unconsumed.map(\.id) == [3])
        _ = try await transport.send(get("/third"))
        #expect(transport.unconsumed.isEmpty)
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get("/third"))
        }
        #expect(error?.code == .consumed)
        #expect(
            error?.message
                == "GET /third comes once more than recorded: it was recorded once, as exchange 3, which "
                + "has answered a request")
    }

    @Test func concurrentCallsDoNotTripEachOther() async throws {
        let transport = ReplayTransport(
            recording: try recording(
                exchange(1, call: 1, at: 0, path: "/a1") + exchange(2, call: 2, at: 5, path: "/b1")
                    + exchange(3, call: 1, at: 9, path: "/a2")
                    + exchange(4, at: 10, path: "/free")))
        _ = try await transport.send(get("/b1", call: 2))
        _ = try await transport.send(get("/free"))
        _ = try await transport.send(get("/a1", call: 1))
        _ = try await transport.send(get("/a2", call: 1))
        #expect(transport.misses.isEmpty)
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get("/b2", call: 2))
        }
        #expect(error?.code == .noSuchRequest)
        let told = try #require(transport.misses.first).description
        #expect(told.hasSuffix("nothing more was recorded in this operation, call 2"))
    }

    @Test func numbersCountNotWhereNoneWereRecorded() async throws {
        let transport = ReplayTransport(
            recording: try recording(exchange(1, path: "/a") + exchange(2, path: "/b")))
        _ = try await transport.send(get("/a", call: 7))
        _ = try await transport.send(get("/b", call: 8))
        #expect(transport.unconsumed.isEmpty)
    }

    @Test func anotherRequestMisses() async throws {
        let observer = KeptEvents()
        let transport = ReplayTransport(
            recording: try recording(exchange(1, path: "/a?n=1") + exchange(2, path: "/b")))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get("/a?n=2"), observer: observer)
        }
        #expect(error?.code == .noSuchRequest)
        #expect(
            error?.message == """
                GET /a was not recorded; the nearest is exchange 1: the URL's query differs at \
                parameter 1: recorded "n=1", now "n=2"
                """)
        #expect(observer.kinds == [.request, .end])
        _ = try await transport.send(get("/b"))
        #expect(transport.unconsumed.isEmpty)
        #expect(transport.misses.map(\.exchange) == [1])
    }
}
