import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite("reprise cometchat")
struct CometChatCommandTests {
    @Test("A run with tools and cards is shown as it comes, and ends with what is kept")
    func run() async throws {
        let sessions = try await VendorSessions.cometchat()
        let result = try await sessions.run(
            [
                "send", "--agent", "agent-7", "Look",
                "peer:tools=get_weather,cards=2,text=around,chunks=8",
            ], tape: "run.tape")
        #expect(result.status == 0, "\(result.errorText)")
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(2).first
                == "Kept: tool-arguments 102, tool-result 103, assistant 104")
        #expect(lines.last?.hasPrefix("Run: 9001, thread th-") == true)
        let beside = result.errorText.split(separator: "\n").map(String.init)
        #expect(
            beside.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }.prefix(4)
                == ["→ get_weather", "← get_weather", "▣ card", "▣ card"])
        let recording = try sessions.recording("run.tape")
        #expect(recording.calls.map(\.op) == ["login", "sendTextMessage", "run", "logout"])
        guard case .result(let run)? = recording.calls[2].outcome else {
            Issue.record("no run")
            return
        }
        let text = try #require(run["text"]?.string)
        #expect(result.text.replacing("\n", with: "").hasPrefix(text.replacing("\n", with: "")))
    }

    @Test(
        "What may come of a message instead",
        arguments: [
            ("messages=none", "persisted messages did not come within the limit: assistant"),
            ("moderation=disapproved", "moderation holds the message back"),
            ("at=middle,drop=rst", "the socket was lost while the run went on; 1 message of it is"),
        ])
    func failures(wish: String, words: String) async throws {
        let sessions = try await VendorSessions.cometchat()
        let result = try await sessions.run(
            [
                "send", "--agent", "agent-7", "--messages-timeout", "1", "Look",
                "peer:chunks=6,\(wish)",
            ], tape: "run.tape")
        #expect(result.status == 1)
        #expect(result.errorText.contains(words), "\(result.errorText)")
        #expect(result.errorText.contains("Recovered") == wish.contains("drop"))
    }

    @Test(
        "A service that refuses is told in its own words",
        arguments: [
            ("next status=401", "the service answered 401: AUTH_ERR_AUTH_TOKEN_NOT_FOUND"),
            ("next status=429", "It asks to wait for 1 s."),
            ("socket auth=refused", "the service did not let the socket in (code 401)"),
        ])
    func refusals(line: String, words: String) async throws {
        let sessions = try await VendorSessions.cometchat()
        try await sessions.peer.tell(line)
        let result = try await sessions.run(
            ["send", "--agent", "agent-7", "Look"], tape: "refused.tape")
        #expect(result.status == 1)
        #expect(result.errorText.contains(words), "\(result.errorText)")
    }

    @Test("The copilot answers in lines")
    func copilot() async throws {
        let sessions = try await VendorSessions.cometchat()
        let replies = try await sessions.run(["smart-replies", "agent-7"], tape: "replies.tape")
        #expect(
            replies.text.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
                "negative", "neutral", "positive",
            ])
        let starters = try await sessions.run(
            ["conversation-starter", "agent-7"], tape: "starters.tape")
        #expect(starters.text.split(separator: "\n").count == 2)
        let summary = try await sessions.run(
            ["conversation-summary", "agent-7"], tape: "summary.tape")
        #expect(summary.text.contains("weather"))
    }

    @Test(
        "What it is told wrongly",
        arguments: [
            ("--socket-url=http://h", "--socket-url is no absolute ws or wss URL"),
            ("--base-url=ws://h", "--base-url is no absolute http or https URL"),
            ("--messages-timeout=0", "--messages-timeout is a number of seconds"),
            ("--auth-token-env=NO_SUCH_TOKEN", "--auth-token-env: there is no environment"),
            ("--agent", "the agent's id"), ("--app-id", "the app"),
        ])
    func misuse(option: String, words: String) async throws {
        let name = option.prefix { $0 != "=" }
        let right = [
            "--base-url=http://127.0.0.1:9", "--socket-url=ws://127.0.0.1:9", "--app-id=a",
            "--auth-token-env=TOKEN", "--agent=a",
        ]
        var command = Command(
            try Workspace.command,
            ["cometchat", "send"] + right.filter { $0.prefix { $0 != "=" } != name }
                + (option.contains("=") ? [option] : []) + ["Hi"])
        command.environment = ["TOKEN": "a-token"]
        let result = try await command.run()
        #expect(result.status == 2)
        #expect(result.errorText.contains(words), "\(result.errorText)")
    }
}
