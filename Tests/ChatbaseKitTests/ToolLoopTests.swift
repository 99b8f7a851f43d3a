import ChatbaseKit
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The loop of tools, rule by rule.
@Suite struct ToolLoopTests {
    struct Broken: Error, CustomStringConvertible {
        var description: String { "it broke" }
    }

    /// Two tools of the app, one of which throws, and one of the service, over three streams.
    static func threeStreams() -> Scene {
        var scene = Scene()
        scene.stream(
            Part.hi, Part.start, Part.text("Let me look."), Part.call("k1", "get"),
            Part.call("k2", "put"), Part.call("s1", "own"), Part.output("s1", #"{"n":1}"#),
            Part.finish(
                #""messageId":"m-1","userMessageId":"u-1","finishReason":"tool-calls","#
                    + #""usage":{"credits":1}"#))
        scene.submission("k1", #"{"a":2,"b":1}"#)
        scene.submission("k2", #"{"error":"it broke"}"#)
        scene.stream(
            Part.on, #"{"type":"start","messageId":"m-2"}"#, Part.text(" One"),
            Part.text(" more."), Part.call("k3", "get"),
            Part.finish(#""messageId":"m-2","finishReason":"tool-calls","usage":{"credits":2}"#))
        scene.submission("k3", #"{"a":2,"b":1}"#)
        scene.stream(
            Part.on, #"{"type":"start","messageId":"m-3"}"#, Part.text(" Done."),
            Part.finish(#""messageId":"m-3","finishReason":"stop","usage":{"credits":0.5}"#))
        return scene
    }

    static func withTools(_ stage: Stage) -> Stage {
        let diary = stage.diary
        stage.client.tool("get") { input in
            diary.note("run \(input["for"]?.stringValue ?? "")")
            return ["b": 1, "a": 2]
        }
        stage.client.tool("put") { _ in
            diary.note("run put")
            throw Broken()
        }
        return stage
    }

    static let diary = [
        "text Let me look.", "call s1 own", #"result s1 own {"n":1}"#,
        "call k1 get", "run k1", #"result k1 get {"a":2,"b":1}"#,
        "call k2 put", "run put", #"result k2 put {"error":"it broke"}"#,
        "text  One", "text  more.", "call k3 get", "run k3", #"result k3 get {"a":2,"b":1}"#,
        "text  Done.",
    ]

    @Test func runsOverThreeStreams() async throws {
        let stage = Self.withTools(try Self.threeStreams().play())
        let response = try await stage.send()
        #expect(stage.isPlayed)
        #expect(stage.diary.lines == Self.diary)
        #expect(response.message.text == "Let me look. One more. Done.")
        #expect(response.message.id == "m-3")
        #expect(response.conversationId == "cv")
        #expect(response.userMessageId == "u-1")
        #expect(response.finishReason == .stop)
        #expect(response.usage == Usage(credits: 0.5))
        #expect(
            response.message.parts == [
                .text("Let me look."),
                .toolCall(toolCallId: "k1", toolName: "get", input: ["for": "k1"]),
                .toolCall(toolCallId: "k2", toolName: "put", input: ["for": "k2"]),
                .toolCall(toolCallId: "s1", toolName: "own", input: ["for": "s1"]),
                .toolResult(toolCallId: "s1", toolName: "own", output: ["n": 1]),
                .toolResult(toolCallId: "k1", toolName: "get", output: ["a": 2, "b": 1]),
                .toolResult(toolCallId: "k2", toolName: "put", output: ["error": "it broke"]),
                .text(" One more."),
                .toolCall(toolCallId: "k3", toolName: "get", input: ["for": "k3"]),
                .toolResult(toolCallId: "k3", toolName: "get", output: ["a": 2, "b": 1]),
                .text(" Done."),
            ])
        #expect(
            stage.tools == [
                #"started get {"for":"k1"}"#, #"finished get value {"a":2,"b":1}"#,
                #"started put {"for":"k2"}"#, #"finished put threw {"error":"it broke"}"#,
                #"started get {"for":"k3"}"#, #"finished get value {"a":2,"b":1}"#,
            ])
        #expect(stage.client.currentConversationId == "cv")
        #expect(stage.journal.outcomes == ["ok"])
    }

    @Test func givesTheEventsToo() async throws {
        let stage = Self.withTools(try Self.threeStreams().play())
        var events: [String] = []
        for try await event in stage.client.stream("Hi") {
            switch event {
            case .messageStarted(let id): events.append("started \(id)")
            case .textChunk(let text): events.append("text \(text)")
            case .toolCall(let call): events.append("call \(call.toolCallId)")
            case .toolOutput(let id, _): events.append("output \(id)")
            case .finished(let info): events.append("finished \(info.messageId ?? "")")
            }
        }
        #expect(
            events == [
                "started m", "text Let me look.", "call k1", "call k2", "call s1", "output s1",
                "finished m-1", "output k1", "output k2", "started m-2", "text  One",
                "text  more.", "call k3", "finished m-2", "output k3", "started m-3",
                "text  Done.", "finished m-3",
            ])
        #expect(stage.isPlayed)
    }

    @Test func ignoresCallbacksThatAreNotSet() async throws {
        let stage = Self.withTools(try Self.threeStreams().play())
        #expect(try await stage.client.send("Hi").message.id == "m-3")
        #expect(stage.isPlayed)
    }

    /// A call without a handler, one that the service says it runs, one that it tells again.
    @Test func leavesOutWhatIsNotTheApps() async throws {
        var scene = Scene()
        let own =
            #"{"type":"tool-input-available","toolCallId":"s","toolName":"own","#
            + #""providerExecuted":true}"#
        scene.stream(Part.hi, Part.start, Part.call("k", "none"), own, Part.finish())
        let missing = #"{"error":"the app has no handler for the tool 'none'"}"#
        scene.submission("k", missing)
        scene.stream(Part.on, Part.start, Part.output("k", missing), Part.finish())
        let stage = try scene.play()
        try await stage.send()
        #expect(stage.isPlayed)
        #expect(stage.diary.lines == ["call k none", "result k none \(missing)"])
        #expect(stage.tools.last == "finished none missing \(missing)")
    }

    @Test func needsAConversationForTools() async throws {
        let stream = [Part.start, Part.call("k", "get"), Part.finish(conversation: nil)]
        var scene = Scene()
        scene.stream(Part.hi, stream[0], stream[1], stream[2])
        let stage = Self.withTools(try scene.play())
        await #expect(throws: ChatError.noContent) { try await stage.send() }
        #expect(stage.diary.lines.isEmpty)
        #expect(stage.journal.outcomes == ["chatbase.noContent"])
        // The one that was asked for does as well.
        scene = Scene()
        scene.stream(
            #"{"message":"Hi","conversationId":"cv","stream":true}"#, stream[0], stream[1],
            stream[2])
        scene.submission("k", #"{"a":2,"b":1}"#)
        scene.stream(Part.on, Part.start, Part.finish())
        let other = Self.withTools(try scene.play())
        #expect(try await other.send(conversationId: "cv").conversationId == "cv")
        #expect(other.isPlayed)
    }

    @Test(arguments: [0, 1, 2])
    func stopsAtTheLimit(limit: Int) async throws {
        var scene = Scene()
        for index in 0..<limit {
            scene.stream(
                index == 0 ? Part.hi : Part.on, Part.start, Part.call("k\(index)", "get"),
                Part.finish())
            scene.submission("k\(index)", #"{"a":2,"b":1}"#)
        }
        let stage = Self.withTools(try scene.play(steps: limit))
        await #expect(throws: ChatError.toolLoopLimitExceeded(limit: limit)) {
            try await stage.send()
        }
        // What the last stream asked for was still submitted.
        #expect(stage.isPlayed)
        #expect(stage.diary.lines.count { $0.hasPrefix("result") } == limit)
    }

    /// Statuses of the submissions, whether it comes through, how long it waits in all.
    @Test(arguments: [
        ([200], true, 0), ([404, 200], true, 300), ([404, 503, 200], true, 900),
        ([404, 404, 404], false, 900), ([400], false, 0), ([429, 500, 401], false, 900),
    ])
    func submitsAgain(statuses: [Int], succeeds: Bool, wait: Int64) async throws {
        var scene = Scene()
        scene.stream(Part.hi, Part.start, Part.call("k", "get"), Part.finish())
        for status in statuses { scene.submission("k", #"{"a":2,"b":1}"#, status: status) }
        if succeeds { scene.stream(Part.on, Part.start, Part.finish()) }
        let delays = statuses.count - 1
        for ordinal in 0..<delays {
            scene.add(
                "entropy",
                [
                    "call": 1, "purpose": "backoff", "ordinal": .integer(ordinal),
                    "value": .string("\(300_000_000 * (ordinal + 1))"),
                ])
        }
        let stage = Self.withTools(try scene.play())
        if succeeds {
            try await stage.send()
            #expect(stage.diary.lines.last?.hasPrefix("result k") == true)
        } else {
            let error = await #expect(throws: APIError.self) { try await stage.send() }
            #expect(error?.statusCode == statuses.last)
            #expect(stage.diary.lines.last == "run k")
        }
        #expect(stage.isPlayed)
        #expect(stage.transport.entropy.missing.isEmpty)
        let waited = stage.transport.clock.now() / 1_000_000
        #expect((wait...wait + 10).contains(waited))
    }

    @Test func submitsAgainWhatWasLost() async throws {
        var scene = Scene()
        let path = "/conversations/cv/tool-result"
        let body = #"{"toolCallId":"k","output":{"a":2,"b":1}}"#
        scene.stream(Part.hi, Part.start, Part.call("k", "get"), Part.finish())
        scene.failure(path, body, code: "transport.connect")
        scene.failure(path, body, code: "transport.reset")
        scene.submission("k", #"{"a":2,"b":1}"#)
        scene.stream(Part.on, Part.start, Part.finish())
        let stage = Self.withTools(try scene.play())
        try await stage.send()
        #expect(stage.isPlayed)
        #expect(stage.diary.lines.count { $0.hasPrefix("run") } == 1)
    }

    @Test func decidesOnCallsAndNotOnTheReason() async throws {
        var scene = Scene()
        scene.stream(
            Part.hi, Part.start, Part.call("k", "get"), Part.finish(#""finishReason":"stop""#))
        scene.submission("k", #"{"a":2,"b":1}"#)
        scene.stream(Part.on, Part.start, Part.finish(#""finishReason":"tool-calls""#))
        let stage = Self.withTools(try scene.play())
        #expect(try await stage.send().finishReason == .toolCalls)
        #expect(stage.isPlayed)
    }

    /// Rule 9: what the result has where the service leaves things out.
    @Test func fillsInWhatIsMissing() async throws {
        var scene = Scene()
        scene.stream(Part.hi, Part.start, Part.text("a"), #"{"type":"finish"}"#)
        let response = try await scene.play().send()
        #expect(response.message.id == "m")
        #expect(response.conversationId == "")
        #expect(response.finishReason == .stop)
        #expect(response.usage == Usage(credits: 0))
        #expect(response.userMessageId == nil)
        scene = Scene()
        scene.stream(Part.hi, Part.text("a"), done: false)
        let bare = try await scene.play().send(conversationId: nil)
        #expect(bare.message == Message(id: "", text: "a", sender: .agent, parts: [.text("a")]))
    }

    @Test func endsWhereAHandlerIsCancelled() async throws {
        var scene = Scene()
        scene.stream(Part.hi, Part.start, Part.call("k", "get"), Part.finish())
        let stage = try scene.play()
        stage.client.tool("get") { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await stage.send() }
        #expect(stage.tools == [#"started get {"for":"k"}"#, "finished get cancelled"])
        #expect(stage.journal.outcomes == ["cancelled"])
        #expect(stage.isPlayed)
    }

    @Test func endsWhereItsTaskIsCancelled() async throws {
        var scene = Scene()
        scene.stream(Part.hi, Part.start, Part.call("k", "get"), Part.finish())
        let stage = try scene.play()
        let (entered, gate) = AsyncStream<Void>.makeStream()
        stage.client.tool("get") { _ in
            gate.yield()
            try await Task.sleep(for: .seconds(600))
            return .null
        }
        let task = Task { try await stage.send() }
        for await _ in entered { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(stage.tools.last == "finished get cancelled")
        #expect(stage.journal.outcomes == ["cancelled"])
    }
}
