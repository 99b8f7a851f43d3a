import RepriseWire
import TestSupport
import Testing

@Suite("Chatbase at the command line, to its report", .timeLimit(.minutes(10)))
struct ChatbaseEndToEndTests {
    static let tools = [
        "--tool", #"get_weather=echo '{"celsius":21.5}'"#, "--tool", "find_order=exit 3",
    ]

    @Test("Tools that are commands run live, and the report says how each came out")
    func tools() async throws {
        let sessions = try await VendorSessions.chatbase()
        let message = "Rain? peer:tools=search!+get_weather/find_order,not-ready=1,cuts=hard"
        let live = try await sessions.run(["send"] + Self.tools + [message], tape: "tools.tape")
        #expect(live.status == 0, "\(live.errorText)")

        let report = try await report(sessions, "tools.tape")
        let tools = report["sessions"]?[0]?["tools"]?.array ?? []
        #expect(tools.map { $0["name"] } == ["search", "get_weather", "find_order"])
        #expect(tools.map { $0["side"] } == ["server", "client", "client"])
        #expect(tools.map { $0["outcome"] } == ["succeeded", "succeeded", "threw"])
        #expect(tools.map { $0["submissions"] } == [0, 2, 2])
        #expect(report["usage"]?["credits"] == 3)
        #expect(report["usage"]?["clientCredits"] == 1)
        #expect(rules(report) == ["chatbase.B10a", "chatbase.B11c"])

        let text = try await reprise(sessions, "report", "tools.tape", "--format", "text").text
        let row = text.split(separator: "\n").first { $0.contains("find_order ") } ?? ""
        #expect(row.contains("client  1 threw") && row.contains("0/1"), "\(text)")
        #expect(text.contains("credits: 3 (1 by the vendor's client)"))
        let check = try await reprise(sessions, "check", "tools.tape")
        #expect(check.status == 0, "\(check.text)")
    }

    @Test("A user's token is in no form of the report, though the service tells it again")
    func token() async throws {
        let sessions = try await VendorSessions.chatbase()
        var send = try sessions.command([
            "send", "--user-token-env", "CHATBASE_TOKEN", "--tape", "user.tape",
            "Who am I? peer:echo,cuts=every:3",
        ])
        send.timeout = 60
        let live = try await send.run()
        #expect(live.status == 0, "\(live.errorText)")
        let wire = try sessions.peer.readLog().received(on: 1)
        #expect(String(decoding: wire, as: UTF8.self).contains(VendorSessions.token))
        for form in ["text", "json", "markdown", "html"] {
            let report = try await reprise(sessions, "report", "user.tape", "--format", form)
            #expect(report.status == 0)
            #expect(!report.text.contains(VendorSessions.token), "\(form)")
        }
        let frames = try await reprise(sessions, "cat", "user.tape")
        #expect(!frames.text.contains(VendorSessions.token))
    }

    @Test("An agent that calls tools without end is given up on, and the turn has failed")
    func limit() async throws {
        let sessions = try await VendorSessions.chatbase()
        let words = ["send", "--max-steps", "2"] + Self.tools
        let live = try await sessions.run(
            words + ["Try peer:tools=get_weather,loop"], tape: "limit.tape")
        #expect(live.status == 1)
        let report = try await report(sessions, "limit.tape")
        let turn = report["sessions"]?[0]?["turns"]?[0]
        #expect(turn?["outcome"] == "failed")
        #expect(turn?["toolCalls"] == 2)
        #expect(turn?["exchanges"]?.array?.count == 4)
        #expect(rules(report) == [])
    }

    private func report(_ sessions: VendorSessions, _ tape: String) async throws -> JSON {
        try JSON.parse(try await reprise(sessions, "report", tape, "--format", "json").output).value
    }

    /// The rules that are broken, but for the one about streams that a busy machine breaks.
    private func rules(_ report: JSON) -> [String] {
        let findings = report["violations"]?["findings"]?.array ?? []
        return findings.compactMap { $0["rule"]?.string }.filter { $0 != "http.H6" }
    }

    private func reprise(
        _ sessions: VendorSessions, _ words: String...
    ) async throws -> Command.Result {
        var command = Command(try Workspace.command, words)
        command.folder = sessions.folder.path
        return try await command.run()
    }
}
