import TestSupport
import Testing

/// What a person reads when a service cannot be reached.
@Suite("Services out of reach", .timeLimit(.minutes(5)))
struct FailureTextTests {
    private static let token = ["AUTH": "planted-token-1234567890"]

    static let commands: [[String]] = [
        ["ago", "send", "--origin", "https://a.example", "--jwt-env", "AUTH", "--widget-id", "w"],
        ["chatbase", "send", "--agent", "a"],
        [
            "cometchat", "send", "--app-id", "a", "--agent", "b", "--auth-token-env", "AUTH",
            "--socket-url", "ws://127.0.0.1:1",
        ],
    ]

    @Test(
        "It says what, where, and what to do, and nothing else", arguments: commands,
        [
            (
                "http://127.0.0.1:1",
                "no connection to 127.0.0.1:1: nothing listens there; check the address, and "
                    + "that the service runs"
            ),
            (
                "https://nowhere.invalid",
                "the host name nowhere.invalid cannot be resolved: check it, and the network"
            ),
        ])
    func unreachable(_ words: [String], _ failure: (url: String, text: String)) async throws {
        let folder = try TemporaryFolder()
        var command = Command(
            try Workspace.command,
            words + ["--base-url", failure.url, "--tape", "failed.tape", "Hello"])
        command.environment = Self.token
        command.folder = folder.path
        let result = try await command.run()
        #expect(result.status == 1)
        #expect(result.text == "")
        #expect(
            result.errorText
                == "reprise: \(words[0]) \(words[1]): \(failure.text)\nRecorded in failed.tape\n")
    }
}
