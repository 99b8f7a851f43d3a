import ChatbaseKit
import Foundation
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What becomes of streams that are not as they should be, in both modes.
@Suite struct ReadingTests {
    struct Row: Sendable {
        let parts: [String]
        var done = true
        /// The text, or `!` and the error.
        let lenient: String
        let strict: String

        init(_ parts: String..., done: Bool = true, lenient: String, strict: String? = nil) {
            self.parts = parts
            self.done = done
            self.lenient = lenient
            self.strict = strict ?? lenient
        }
    }

    static let broken = "!chatbase.decodingFailed"

    static let rows = [
        Row(Part.start, Part.text("a"), Part.finish(), lenient: "a"),
        Row(Part.start, Part.text("a"), Part.finish(), done: false, lenient: "a"),
        Row(#"{"type":"message-start","messageId":"m"}"#, Part.text("a"), lenient: "a"),
        Row(Part.text("a"), #"{"type":"sparkles"}"#, Part.text("b"), lenient: "ab"),
        Row(Part.text("a"), #"{"delta":"x"}"#, Part.text("b"), lenient: "ab", strict: broken),
        Row(Part.text("a"), #"{"type":7}"#, lenient: "a", strict: broken),
        Row(Part.text("a"), "[1]", lenient: "a", strict: broken),
        Row(Part.text("a"), #"{"type":"text-delta""#, Part.text("b"), lenient: broken),
        Row(#"{"type":"start"}"#, Part.text("a"), lenient: "a", strict: broken),
        Row(Part.text("a"), #"{"type":"text-delta","id":"t"}"#, lenient: "a", strict: broken),
        Row(Part.text("a"), #"{"type":"text-delta","delta":7}"#, lenient: "a", strict: broken),
        Row(
            Part.text("a"), #"{"type":"tool-input-available","toolName":"n"}"#, lenient: "a",
            strict: broken),
        Row(
            Part.text("a"), #"{"type":"tool-output-available","output":{}}"#, lenient: "a",
            strict: broken),
        Row(Part.text("a"), #"{"type":"finish"}"#, lenient: "a", strict: broken),
        Row(
            Part.text("a"), #"{"type":"finish","metadata":{"conversationId":"cv"}}"#,
            lenient: "a", strict: broken),
        // Nothing behind the end of the stream counts.
        Row(Part.text("a"), "[DONE]", Part.text("b"), "{", lenient: "a"),
        Row(lenient: "!chatbase.noContent"),
        Row(done: false, lenient: "!chatbase.noContent"),
        Row(#"{"type":"sparkles"}"#, lenient: "!chatbase.noContent"),
    ]

    @Test(arguments: rows, [ChatbaseOptions.Mode.lenient, .strict])
    func reads(row: Row, mode: ChatbaseOptions.Mode) async throws {
        let data = (row.parts + (row.done ? ["[DONE]"] : [])).map { "data: \($0)\n\n" }
        var scene = Scene()
        scene.raw(Part.hi, data)
        var options = Scene.options
        options.mode = mode
        let stage = try scene.play(options: options)
        #expect(await outcome(stage) == (mode == .strict ? row.strict : row.lenient))
        #expect(stage.journal.calls.count == 2)
    }

    private func outcome(_ stage: Stage) async -> String {
        do {
            return try await stage.send().message.text
        } catch {
            return "!" + CallFailure(error).code
        }
    }

    /// How lines make events: the kit wants `data: ` with its blank, one text a line.
    @Test(arguments: [
        ("data: A\n\n", "A", "A"), ("data:A\n\ndata: B\n\n", "AB", "B"),
        ("event: x\ndata: A\nid: 1\n\n", "A", "A"), ("data: A\r\n\r\ndata: B\r\r", "AB", "AB"),
        ("data: A\n\ndata: B", "A", "AB"), (": hi\n\ndata: A\n\n", "A", "A"),
        ("data: A\ndata: B\n\n", "!chatbase.decodingFailed", "AB"),
    ])
    func readsLines(text: String, lenient: String, strict: String) async throws {
        let body =
            text
            .replacing("A", with: Part.text("A")).replacing("B", with: Part.text("B"))
        for (mode, expected) in [(ChatbaseOptions.Mode.lenient, lenient), (.strict, strict)] {
            for pieces in [[body], body.map { String($0) }] {
                var scene = Scene()
                scene.raw(Part.hi, pieces)
                var options = Scene.options
                options.mode = mode
                #expect(await outcome(try scene.play(options: options)) == expected)
            }
        }
    }

    @Test func takesATypeFromTheEventsName() async throws {
        var scene = Scene()
        scene.raw(Part.hi, ["event: text-delta\ndata: {\"delta\":\"a\"}\n\n"])
        #expect(await outcome(try scene.play()) == "a")
    }

    @Test func refusesWhatIsNoStream() async throws {
        var scene = Scene()
        scene.raw(Part.hi, ["<html>"], type: "text/html")
        #expect(await outcome(try scene.play()) == Self.broken)
    }

    @Test func tellsACutStream() async throws {
        var scene = Scene()
        scene.raw(
            Part.hi, ["data: \(Part.text("a"))\n\n"],
            end: ["how": "reset", "code": "transport.reset"])
        let stage = try scene.play()
        let error = await #expect(throws: APIError.self) { try await stage.send() }
        #expect(error?.errorCode == "transport.reset")
        #expect(error?.statusCode == nil)
        #expect(stage.diary.lines == ["text a"])
        #expect(stage.journal.outcomes == ["transport.reset"])
    }

    /// A stream that says what failed and not why it ended has not just stopped.
    @Test func tellsAFailureOfTheAgent() async throws {
        for (finish, isStrict) in [(true, false), (false, false), (true, true)] {
            var scene = Scene()
            let error = #"{"type":"error","errorText":"no"}"#
            let end = finish ? Part.finish(#""messageId":"m""#) : #"{"type":"finish-step"}"#
            scene.stream(Part.hi, Part.start, error, end)
            var options = Scene.options
            if isStrict { options.mode = .strict }
            let response = try await scene.play(options: options).send()
            #expect(response.finishReason == (isStrict ? .stop : .error))
        }
    }

    @Test func mergesLateDetails() async throws {
        var scene = Scene()
        scene.stream(
            Part.hi, Part.start, Part.finish(),
            #"{"type":"message-metadata","messageMetadata":{"userMessageId":"u","userId":"w"}}"#)
        let stage = try scene.play()
        #expect(try await stage.send().userMessageId == "u")
        #expect(stage.client.currentUserId == "w")
    }

    /// Callbacks hold the reading: what the next part does is not seen before one returns.
    @Test func waitsForCallbacks() async throws {
        var scene = Scene()
        scene.stream(Part.hi, Part.start, Part.text("a"), Part.text("b"), Part.finish())
        let stage = try scene.play()
        let diary = stage.diary
        try await stage.client.send("Hi") { callbacks in
            callbacks.onTextDelta = { text in
                diary.note("begin \(text)")
                for _ in 0..<50 { await Task.yield() }
                diary.note("end \(text)")
            }
        }
        #expect(diary.lines == ["begin a", "end a", "begin b", "end b"])
    }

    @MainActor @Test func callsBackBesideTheMainThread() async throws {
        let stage = ToolLoopTests.withTools(try ToolLoopTests.threeStreams().play())
        let diary = stage.diary
        let note: @Sendable () -> Void = { diary.note(Thread.isMainThread ? "main" : "other") }
        stage.client.tool("get") { _ in
            note()
            return ["a": 2, "b": 1]
        }
        try await stage.client.send("Hi") { callbacks in
            callbacks.onTextDelta = { _ in note() }
            callbacks.onToolCall = { _ in note() }
            callbacks.onToolResult = { _ in note() }
        }
        #expect(!diary.lines.contains("main"))
        #expect(diary.lines.count { $0 == "other" } == 14)
    }

    /// Whoever leaves early ends the exchange, and the journal says so.
    @Test func endsWhereItIsLeft() async throws {
        var scene = Scene()
        scene.stream(Part.hi, Part.start, Part.text("a"), Part.text("b"), Part.finish())
        let stage = try scene.play()
        for try await event in stage.client.stream("Hi") where event == .textChunk("a") { break }
        #expect(stage.journal.outcomes == ["cancelled"])
    }
}
