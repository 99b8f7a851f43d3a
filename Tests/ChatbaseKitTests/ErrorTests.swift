import ChatbaseKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Errors of the service and of the way to it.
@Suite struct ErrorTests {
    static let table: [(status: Int, codes: [String])] = [
        (
            400,
            ["VALIDATION_INVALID_BODY", "VALIDATION_INVALID_JSON", "CHAT_RETRY_NO_USER_MESSAGE"]
        ),
        (
            401,
            [
                "AUTH_INVALID_JWT", "AUTH_MISSING_API_KEY", "AUTH_INVALID_API_KEY",
                "AUTH_EXPIRED_API_KEY",
            ]
        ),
        (402, ["CHAT_CREDITS_EXHAUSTED", "CHAT_AGENT_CREDITS_EXHAUSTED"]),
        (
            403,
            [
                // The documents name these families by their beginning: the rest is made up.
                "AUTH_OWNERSHIP_MISMATCH", "SUBSCRIPTION_REQUIRED", "SUBSCRIPTION_EXPIRED",
                "SUBSCRIPTION_LIMIT_REACHED",
                "AUTH_INSUFFICIENT_PERMISSIONS", "CHAT_MODEL_NOT_ALLOWED",
            ]
        ),
        (
            404,
            [
                "RESOURCE_NOT_FOUND", "AGENT_NOT_FOUND", "RESOURCE_MESSAGE_NOT_FOUND",
                "RESOURCE_TOOL_CALL_NOT_FOUND", "CHAT_RETRY_MESSAGE_NOT_FOUND",
            ]
        ),
        (
            409,
            [
                "CHAT_CONVERSATION_MISMATCH", "CHAT_CONVERSATION_NOT_ONGOING",
                "RESOURCE_MESSAGE_NOT_ASSISTANT", "CHAT_STREAMING_ERROR",
            ]
        ),
        (429, ["RATE_LIMIT_TOO_MANY_REQUESTS"]), (500, ["INTERNAL_SERVER_ERROR"]),
    ]

    static func refused(_ status: Int, headers: [JSON] = [], _ body: String) throws -> Stage {
        var scene = Scene()
        scene.answer(
            "POST", "/chat", Part.hi, status: status,
            headers: .array([["Content-Type", "application/json"]] + headers), body)
        return try scene.play()
    }

    @Test(arguments: table.flatMap { row in row.codes.map { (row.status, $0) } })
    func tellsStatusAndCode(status: Int, code: String) async throws {
        let stage = try Self.refused(
            status, #"{"error":{"code":"\#(code)","message":"so it is"}}"#)
        let error = try #require(await #expect(throws: APIError.self) { try await stage.send() })
        #expect(error.statusCode == status)
        #expect(error.apiCode == code)
        #expect(error.errorDescription == "the service answered \(status): \(code): so it is")
        #expect(stage.journal.outcomes == ["chatbase.http.\(status)"])
    }

    @Test func tellsTheDetails() async throws {
        let stage = try Self.refused(
            429, headers: [["Retry-After", "7"], ["x-request-id", "req-1"]],
            #"{"error":{"code":"C","message":"m","details":{"message":"is too long","n":1}}}"#)
        let error = try #require(await #expect(throws: APIError.self) { try await stage.send() })
        guard case .httpError(429, let detail) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(detail.details == ["message": "is too long"])
        #expect(detail.retryAfter == 7)
        #expect(detail.requestId == "req-1")
    }

    @Test(arguments: ["", "<html>", "{}", #"{"error":"no"}"#, #"{"error":{"code":7}}"#])
    func isUnknownWhereTheBodyIsNone(body: String) async throws {
        let stage = try Self.refused(503, body)
        let error = await #expect(throws: APIError.self) { try await stage.send() }
        #expect(error?.apiCode == "UNKNOWN")
        #expect(error?.statusCode == 503)
        #expect(
            error?.errorDescription
                == "the service answered 503 without a code; check the base URL")
    }

    @Test func keepsTheTokenToItself() async throws {
        var scene = Scene()
        scene.isSignedIn = true
        scene.answer(
            "POST", "/chat", Part.hi, status: 401,
            #"{"error":{"code":"AUTH_INVALID_JWT","message":"not secret-token\nbut"}}"#)
        var options = Scene.options
        options.userToken = "secret-token"
        let stage = try scene.play(options: options)
        let error = await #expect(throws: APIError.self) { try await stage.send() }
        #expect(
            error?.errorDescription
                == "the service answered 401: AUTH_INVALID_JWT: not *** but")
        #expect(stage.journal.secrets == ["secret-token"])
        #expect(stage.journal.clients.first?.config["userToken"]?.string == "************")
    }

    @Test func tellsANetworkThatFails() async throws {
        var scene = Scene()
        scene.failure("/chat", Part.hi, code: "transport.connect")
        let error = await #expect(throws: APIError.self) { try await scene.play().send() }
        guard case .networkError(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((cause as? TransportError)?.code == .connect)
        scene = Scene()
        scene.failure("/chat", Part.hi, code: "transport.malformed")
        let other = await #expect(throws: APIError.self) { try await scene.play().send() }
        #expect(other?.errorCode == "chatbase.invalidResponse")
    }

    /// A message is sent again only where it certainly never reached the service.
    @Test func sendsAgainWhatWasNeverSent() async throws {
        var scene = Scene()
        scene.failure("/chat", Part.hi, code: "transport.connect")
        scene.stream(Part.hi, Part.start, Part.text("a"), Part.finish())
        scene.add(
            "entropy", ["call": 1, "purpose": "backoff", "ordinal": 0, "value": "200000000"])
        var options = Scene.options
        options.retry = RetryPolicy()
        let stage = try scene.play(options: options)
        #expect(try await stage.send().message.text == "a")
        #expect(stage.isPlayed)
        #expect(stage.transport.entropy.missing.isEmpty)
        scene = Scene()
        scene.failure("/chat", Part.hi, code: "transport.reset")
        await #expect(throws: APIError.self) { try await scene.play(options: options).send() }
    }

    @Test func refusesWhatMakesNoRequest() async throws {
        let stage = try Scene().play()
        for id in ["", ".", ".."] {
            await #expect(throws: ChatError.self) {
                _ = try await stage.client.listMessages(conversationId: id)
            }
            await #expect(throws: ChatError.self) {
                try await stage.client.retry(conversationId: id, messageId: "m")
            }
        }
        let bad = ChatbaseClient(
            agentId: "ag", baseURL: "https://chat.example.com/?x", transport: stage.transport,
            options: Scene.options)
        let error = await #expect(throws: ChatError.self) { try await bad.send("Hi") }
        #expect(error?.errorCode == "chatbase.invalidURL")
        var options = Scene.options
        options.deviceId = .fixed("a\r\nb: c")
        await #expect(throws: ChatError.self) {
            try await Scene().play(options: options).send()
        }
        #expect(stage.isPlayed)
    }
}
