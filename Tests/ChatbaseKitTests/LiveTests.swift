import ChatbaseKit
import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The client against a stand-in, over the live transport, recorded and run again.
@Suite struct LiveTests {
    /// A stand-in for all tests of a process, which ends with it.
    private static let peer = Task { try await Peer.start("chatbase", "--pace", "0") }

    /// What a session gave.
    private struct Session {
        let recording: Recording
        let diary: [String]
        let outcome: Result<ChatResponse, any Error>
    }

    /// Sends `message`, records it, and sees that the tape does the same again.
    private func send(
        _ message: String, mode: ChatbaseOptions.Mode = .lenient, steps: Int = 10,
        tools: [String: ToolHandler] = LiveTests.tools
    ) async throws -> Session {
        let folder = try TemporaryFolder()
        let recorder = try TapeRecorder(path: folder.file("a.tape"))
        let base = CurlTransport(options: CurlOptions(proxy: .none))
        let file = InstallationIdFile(path: folder.file("device"))
        let client = ChatbaseClient(
            agentId: "a1", baseURL: try await Self.peer.value.chatbaseURL,
            transport: RecordingTransport(base: base, recorder: recorder),
            options: ChatbaseOptions(mode: mode, deviceId: .installation(file), retry: .never),
            maxToolLoopSteps: steps)
        for (name, handler) in tools { client.tool(name, handler: handler) }
        let diary = Diary()
        let outcome: Result<ChatResponse, any Error>
        do {
            outcome = .success(try await client.send(message, configure: diary.keep))
        } catch {
            outcome = .failure(error)
        }
        try recorder.close()
        let recording = try Recording(path: folder.file("a.tape"))
        #expect(recording.isSealed)
        #expect(recording.entropy.first?.value == client.deviceId)
        #expect(try await RecordedTests.check(recording) == [])
        return Session(recording: recording, diary: diary.lines, outcome: outcome)
    }

    static let tools: [String: ToolHandler] = [
        "get_weather": { input in ["sky": "clear", "city": input["city"] ?? .null] },
        "find_order": { _ in throw ToolLoopTests.Broken() },
    ]

    private func kinds(_ diary: [String]) -> [String] {
        diary.compactMap { line in
            let words = line.split(separator: " ")
            return words[0] == "text" ? nil : "\(words[0]) \(words[2])"
        }
    }

    @Test(arguments: ["", ",coding=gzip", ",cuts=hard", ",input=whole,text=bare", ",names"])
    func aTurnWithTools(form: String) async throws {
        let session = try await send(
            "Look peer:tools=get_weather+find_order+search!/get_weather,chunks=5\(form)")
        let response = try session.outcome.get()
        #expect(
            kinds(session.diary) == [
                "call search", "result search", "call get_weather", "result get_weather",
                "call find_order", "result find_order", "call get_weather", "result get_weather",
            ])
        let texts = session.diary.filter { $0.hasPrefix("text ") }.map { $0.dropFirst(5) }
        #expect(response.message.text == texts.joined())
        #expect(texts.count == 15)
        #expect(response.finishReason == .stop)
        #expect(response.usage == Usage(credits: 1))
        #expect(response.userMessageId != nil)
        #expect(
            session.recording.tools.map { $0.finished?.outcome?.rawValue } == [
                "value", "threw", "value",
            ])
        let paths = session.recording.exchanges.map {
            $0.request.url.description.split(separator: "/").last ?? ""
        }
        #expect(
            paths == ["chat", "tool-result", "tool-result", "chat", "tool-result", "chat"])
        #expect(session.recording.exchanges.allSatisfy { $0.request.call == 1 })
    }

    @Test(arguments: [0, 1, 2])
    func waitsUntilAResultIsWanted(refusals: Int) async throws {
        let session = try await send(
            "Look peer:tools=get_weather,chunks=2,not-ready=\(refusals)")
        _ = try session.outcome.get()
        #expect(
            session.recording.entropy.filter { $0.purpose == "backoff" }.map(\.value)
                == Array(["300000000", "600000000"].prefix(refusals)))
    }

    /// What the stand-in does, and the outcome in both modes: the text's length or an error.
    @Test(arguments: [
        ("start=message-start", "ok", "ok"), ("start=no-id", "ok", "chatbase.decodingFailed"),
        ("start=none", "ok", "ok"), ("unknown", "ok", "ok"),
        ("no-type", "ok", "chatbase.decodingFailed"),
        ("no-delta", "ok", "chatbase.decodingFailed"),
        ("wrong-type", "ok", "chatbase.decodingFailed"),
        ("finish=bare", "ok", "chatbase.decodingFailed"),
        ("finish=metadata", "ok", "chatbase.decodingFailed"), ("finish=top", "ok", "ok"),
        ("finish=flat", "ok", "chatbase.decodingFailed"), ("done=none", "ok", "ok"),
        ("late-metadata", "ok", "ok"), ("after-finish", "ok", "ok"),
        ("crlf", "ok", "ok"), ("status=402", "chatbase.http.402", "chatbase.http.402"),
        ("tools=get_weather,no-call-id", "ok", "chatbase.decodingFailed"),
        ("tools=get_weather,no-conversation", "chatbase.noContent", "chatbase.noContent"),
        ("tools=get_weather,args=none", "ok", "ok"), ("tools=get_weather,twice-call", "ok", "ok"),
        ("tools=search!,twice-output", "ok", "ok"), ("lone-output", "ok", "ok"),
        ("tools=get_weather,result-refused", "ok", "ok"),
        ("tools=get_weather,result-lost", "ok", "ok"),
        ("tools=get_weather,result-status=400", "chatbase.http.400", "chatbase.http.400"),
        ("tools=get_weather,other-conversation", "chatbase.http.404", "chatbase.http.404"),
        ("text=none", "ok", "ok"), ("error", "ok", "ok"),
    ])
    func copes(wish: String, lenient: String, strict: String) async throws {
        for (mode, expected) in [(ChatbaseOptions.Mode.lenient, lenient), (.strict, strict)] {
            let session = try await send("Hi peer:chunks=3,\(wish)", mode: mode)
            switch session.outcome {
            case .success: #expect(expected == "ok", "\(mode)")
            case .failure(let error): #expect(CallFailure(error).code == expected, "\(mode)")
            }
        }
    }

    @Test(arguments: ErrorTests.table.flatMap { row in row.codes.map { (row.status, $0) } })
    func tellsEachErrorOfTheService(status: Int, code: String) async throws {
        let session = try await send("Hi peer:code=\(code),retry-after=7")
        guard case .failure(let error as APIError) = session.outcome,
            case .httpError(status, let detail) = error
        else {
            Issue.record("\(session.outcome)")
            return
        }
        #expect(detail.code == code)
        #expect(detail.retryAfter == 7)
        #expect(detail.requestId?.hasPrefix("req") == true)
        #expect(
            error.errorDescription
                == "the service answered \(status): \(code): This error was asked for")
        // A status is an answer: nothing is sent again.
        #expect(session.recording.exchanges.count == 1)
    }

    @Test func findsDetailsWhereverTheyAre() async throws {
        for form in ["metadata", "flat", "top", "nested"] {
            let response = try await send("Hi peer:chunks=2,credits=0.5,finish=\(form)")
                .outcome.get()
            #expect(response.usage.credits == 0.5, "\(form)")
            #expect(response.conversationId.hasPrefix("cv"), "\(form)")
        }
    }

    @Test func endsAnEndlessLoop() async throws {
        let session = try await send("Hi peer:tools=get_weather,loop,chunks=2", steps: 3)
        guard case .failure(ChatError.toolLoopLimitExceeded(limit: 3)) = session.outcome else {
            Issue.record("\(session.outcome)")
            return
        }
        #expect(session.recording.tools.count == 3)
        #expect(session.recording.exchanges.count == 6)
    }

    @Test func aLargeOutputIsRefused() async throws {
        let session = try await send(
            "Hi peer:tools=big,chunks=2",
            tools: ["big": { _ in .string(String(repeating: "x", count: 21_000)) }])
        guard case .failure(let error as APIError) = session.outcome else {
            Issue.record("\(session.outcome)")
            return
        }
        #expect(error.apiCode == "VALIDATION_INVALID_BODY")
        #expect(error.statusCode == 400)
    }
}
