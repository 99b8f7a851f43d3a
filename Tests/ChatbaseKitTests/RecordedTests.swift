import ChatbaseKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Sessions recorded and run again from their tapes, on scenes.
@Suite struct RecordedTests {
    /// Records what `body` does with a client that plays `scene`; the tape.
    static func record(
        _ scene: Scene, options: ChatbaseOptions = Scene.options, steps: Int = 10,
        _ body: (ChatbaseClient) async throws -> Void
    ) async throws -> Recording {
        let folder = try TemporaryFolder()
        let base = try scene.play(options: options).transport
        let recorder = try TapeRecorder(path: folder.file("a.tape"), clock: base.clock)
        let client = ChatbaseClient(
            agentId: "ag", baseURL: Scene.base,
            transport: RecordingTransport(base: base, recorder: recorder), options: options,
            maxToolLoopSteps: steps)
        try await body(client)
        try recorder.close()
        #expect(base.misses.isEmpty)
        return try Recording(path: folder.file("a.tape"))
    }

    static func check(
        _ recording: Recording, tools: ReplayTools = .recorded
    ) async throws -> [String] {
        try await ReplayCheck(recording, clients: [ChatbaseReplayer.self], tools: tools).run()
            .map { "\($0.kind) \($0.description)" }
    }

    static func recordTools() async throws -> Recording {
        try await record(ToolLoopTests.threeStreams()) { client in
            let stage = Stage(
                client: client, transport: try Scene().play().transport, journal: Notebook())
            _ = ToolLoopTests.withTools(stage)
            try await client.send("Hi")
        }
    }

    @Test func aTurnWithToolsRunsAgainWithoutThem() async throws {
        let recording = try await Self.recordTools()
        #expect(recording.clients.map(\.record.client) == ["chatbase"])
        #expect(
            recording.tools.map { "\($0.started.id) \($0.finished?.outcome?.rawValue ?? "")" } == [
                "k1 value", "k2 threw", "k3 value",
            ])
        #expect(recording.tools.allSatisfy { $0.started.call == 1 })
        #expect(try await Self.check(recording) == [])
    }

    /// In a replay an app's own handlers do not run either, and its requests are the recorded ones
    /// to the byte.
    @Test func anAppsHandlersDoNotRun() async throws {
        let recording = try await Self.recordTools()
        let transport = ReplayTransport(recording: recording)
        let client = ChatbaseClient(
            agentId: "ag", baseURL: Scene.base, transport: transport, options: Scene.options)
        let diary = Diary()
        client.tool("get") { _ in
            diary.note("run")
            return .null
        }
        let response = try await client.send("Hi", configure: diary.keep)
        #expect(response.message.text == "Let me look. One more. Done.")
        #expect(diary.lines == ToolLoopTests.diary.filter { !$0.hasPrefix("run") })
        #expect(transport.misses.isEmpty)
        #expect(transport.unconsumed.isEmpty)
    }

    @Test func handlersRunOnDemand() async throws {
        let recording = try await Self.recordTools()
        let diary = Diary()
        let get: ToolBody = { input in
            diary.note(input.serialized)
            return ["a": 2, "b": 1]
        }
        let put: ToolBody = { _ in throw ToolLoopTests.Broken() }
        #expect(
            try await Self.check(recording, tools: .live(["get": get, "put": put])) == [])
        #expect(diary.lines == [#"{"for":"k1"}"#, #"{"for":"k3"}"#])
        // One that gives something else sends something else.
        let other: ToolBody = { _ in ["a": 3, "b": 1] }
        let differences = try await Self.check(
            recording, tools: .live(["get": other, "put": put]))
        #expect(differences.first?.hasPrefix("request call 1: POST ") == true, "\(differences)")
        #expect(differences.first?.contains("output.a") == true, "\(differences)")
    }

    @Test func tellsAToolThatIsAskedForSomethingElse() async throws {
        var recording = try await Self.recordTools()
        recording.tools[0].started.id = "k9"
        let differences = try await Self.check(recording)
        #expect(
            differences.contains { $0.hasPrefix("tool call 1: the tool \"get\" ran when") },
            "\(differences)")
    }

    @Test func everyOperationRunsAgain() async throws {
        var scene = Scene()
        scene.answer("POST", "/verify", #"{"token":"*"}"#, #"{"data":{}}"#)
        scene.isSignedIn = true
        scene.call = 2
        scene.stream(Part.hi, Part.start, Part.text("a"), Part.finish())
        scene.call = 3
        scene.answer(
            "POST", "/chat", #"{"message":"Hi","stream":false}"#,
            #"{"data":{"id":"m","parts":[],"metadata":{"conversationId":"cv"}}}"#)
        scene.call = 4
        scene.stream(
            #"{"messageId":"m","stream":true}"#, Part.start, Part.finish(),
            to: "/conversations/cv/retry")
        let list = #"{"data":[],"pagination":{"cursor":null,"hasMore":false}}"#
        scene.call = 5
        scene.answer("GET", "/conversations?limit=3", "", list)
        scene.call = 6
        scene.answer("GET", "/conversations/cv/messages?cursor=x", "", list)
        scene.call = 8
        scene.isSignedIn = false
        scene.answer("POST", "/chat", Part.hi, status: 500, "{}")
        let recording = try await Self.record(scene) { client in
            try await client.identify(token: "t0ken-of-ann")
            for try await _ in client.stream("Hi") {}
            _ = try await client.sendNonStreaming("Hi")
            try await client.retry(conversationId: "cv", messageId: "m")
            _ = try await client.listConversations(limit: 3)
            _ = try await client.listMessages(conversationId: "cv", cursor: "x")
            client.logout()
            await #expect(throws: APIError.self) { try await client.send("Hi") }
        }
        #expect(try await Self.check(recording) == [])
        let frames = recording.frames.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(!frames.contains { $0.contains("t0ken-of-ann") })
    }

    /// A tool that gives the token away: the tape does not, and still runs again.
    @Test func aToolsSecretsAreMasked() async throws {
        let token = "t0ken-of-ann"
        var scene = Scene()
        scene.answer("POST", "/verify", #"{"token":"*"}"#, #"{"data":{}}"#)
        scene.isSignedIn = true
        scene.call = 2
        scene.stream(Part.hi, Part.start, Part.call("k", "leak"), Part.finish())
        scene.submission("k", #"{"token":"\#(String(repeating: "*", count: 12))"}"#)
        scene.stream(Part.on, Part.start, Part.finish())
        let recording = try await Self.record(scene) { client in
            client.tool("leak") { _ in ["token": .string(token)] }
            try await client.identify(token: token)
            try await client.send("Hi")
        }
        #expect(recording.tools.first?.finished?.output?["token"]?.string == "************")
        #expect(try await Self.check(recording) == [])
        let frames = recording.frames.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(!frames.contains { $0.contains(token) })
    }

    /// The recorder died while a handler ran: the replay says so and no more.
    @Test func aTapeThatEndsInsideATool() async throws {
        var recording = try await Self.recordTools()
        recording.tools = [recording.tools[0]]
        recording.tools[0].finished = nil
        let transport = ReplayTransport(recording: recording)
        let client = ChatbaseClient(
            agentId: "ag", baseURL: Scene.base, transport: transport, options: Scene.options)
        let error = await #expect(throws: APIError.self) { try await client.send("Hi") }
        #expect(error?.errorCode == "replay.recorderDied")
    }

    /// Modes and limits come back with the client.
    @Test func theClientIsBuiltAsItWas() async throws {
        var options = Scene.options
        options.mode = .strict
        var scene = Scene()
        scene.stream(Part.hi, #"{"type":"start"}"#)
        let recording = try await Self.record(scene, options: options) { client in
            await #expect(throws: ChatError.self) { try await client.send("Hi") }
        }
        #expect(try await Self.check(recording) == [])
        scene = Scene()
        scene.stream(Part.hi, Part.start, Part.call("k", "none"), Part.finish())
        scene.submission("k", #"{"error":"the app has no handler for the tool 'none'"}"#)
        let limited = try await Self.record(scene, steps: 1) { client in
            await #expect(throws: ChatError.toolLoopLimitExceeded(limit: 1)) {
                try await client.send("Hi")
            }
        }
        #expect(try await Self.check(limited) == [])
    }

    @Test(arguments: ["nonsense", "newConversation"])
    func runsNothingThatItDoesNotKnow(op: String) async throws {
        let client = try ChatbaseReplayer(
            config: ["baseURL": "http://127.0.0.1", "agentId": "a"],
            transport: try Scene().play().transport)
        await #expect(throws: ChatError.self) { try await client.perform(op: op, args: [:]) }
        await #expect(throws: ChatError.self) { try await client.perform(op: "send", args: [:]) }
        #expect(throws: ChatError.self) {
            try ChatbaseReplayer(config: [:], transport: try Scene().play().transport)
        }
    }
}
