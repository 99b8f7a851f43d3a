import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// A replay that is recorded gives the tape that was replayed, and so on for ever.
@Suite struct ReplayRecordedTests {
    static let original =
        #"{"kind":"call","t":5,"call":1,"op":"ask","args":{"n":1}}"# + "\n"
        + #"{"kind":"entropy","t":6,"call":1,"purpose":"id","ordinal":0,"value":"drawn"}"# + "\n"
        + exchange(
            1, call: 1, at: 10, method: "POST", path: "/ask?token=**********",
            headers:
                #",["Authorization","Bearer ***********"],["X-Id","drawn"],["Content-Length","2"]"#,
            body: "hi", responseHeaders: #"["Content-Type","text/event-stream"],["X-B","1"]"#,
            events: #"{"kind":"phases","x":1,"t":21,"lookup":1,"reused":false}"# + "\n"
                + [delivery("data: a", at: 30), delivery("\n\n", at: 30), delivery("x", at: 61)]
                .joined(separator: "\n"),
            end: #""how":"reset","code":"transport.reset","message":"cut","framing":"chunked""#)
        + #"{"kind":"call","t":140,"call":1,"error":{"code":"transport.reset","message":"cut"}}"#
        + "\n"
        + exchange(2, at: 200, path: "/free", status: 204, end: #""how":"complete","proven":true"#)
        + exchange(3, at: 400, path: "/dead", events: delivery("half", 3, at: 450), end: nil)

    /// The app: makes the requests of the recording.
    private func run(over transport: any Transport) async throws {
        let context = transport.context
        try await context.clock.sleep(for: 5)
        _ = try? await context.withCall(op: "ask", args: ["n": 1]) { call in
            let id = context.entropy.draw("id", call: call) { "live" }
            let request = Request(
                method: "POST", url: "https://a.example/ask?token=hunter2hunter2",
                headers: ["Authorization": "Bearer secret-of-today", "X-Id": id],
                body: Array("hi".utf8), call: call)
            _ = try await transport.send(request).collected()
        }
        _ = try await transport.send(get("/free")).collected()
        _ = await read(try await transport.send(get("/dead")).body)
    }

    private func recorded(_ recording: Recording, in folder: TemporaryFolder, _ name: String)
        async throws -> Recording
    {
        let replay = ReplayTransport(recording: recording)
        let path = folder.path + "/" + name
        let recorder = try TapeRecorder(path: path, clock: replay.clock)
        try await run(over: RecordingTransport(base: replay, recorder: recorder))
        try recorder.close()
        #expect(replay.misses == [])
        #expect(replay.unconsumed.isEmpty)
        #expect(replay.entropy.missing == [])
        return try Recording(path: path)
    }

    @Test func recordingAReplayIsAFixedPoint() async throws {
        let folder = try TemporaryFolder()
        let first = try recording(Self.original)
        let second = try await recorded(first, in: folder, "second.tape")
        let third = try await recorded(second, in: folder, "third.tape")
        #expect(second.frames.dropFirst() == third.frames.dropFirst())
        #expect(second.damages.isEmpty)

        #expect(second.entropy == first.entropy)
        #expect(second.calls.map(\.args) == first.calls.map(\.args))
        #expect(second.calls.map(\.outcome) == first.calls.map(\.outcome))
        #expect(second.exchanges.map(\.time) == first.exchanges.map(\.time))
        for (old, new) in zip(first.exchanges, second.exchanges) {
            let died = TransportError.Code.recorderDied.rawValue
            let events = new.events.filter { event in
                if case .end(let end) = event.content { end.code != died } else { true }
            }
            #expect(events.map(\.content) == old.events.map(\.content))
            #expect(events.map(\.time) == old.events.map(\.time))
            #expect(
                new.request.headers.fields.map(\.name) == old.request.headers.fields.map(\.name))
        }
        let end = second.exchanges[2].end
        #expect(end?.code == TransportError.Code.recorderDied.rawValue)
    }

    @Test func theTapeOfAReplayHasNoSecretOfToday() async throws {
        let folder = try TemporaryFolder()
        let tape = try await recorded(try recording(Self.original), in: folder, "a.tape")
        for frame in tape.frames {
            let text = String(decoding: frame.payload, as: UTF8.self)
            #expect(!text.contains("hunter2") && !text.contains("secret-of"))
        }
    }
}
