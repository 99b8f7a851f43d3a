import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite("reprise chatbase")
struct ChatbaseCommandTests {
    static let tools = [
        "--tool", #"get_weather=cat >input; echo '{"sky": "clear"}'"#, "--tool",
        "find_order=echo broken >&2; exit 3",
    ]

    @Test("Every operation, anonymous and signed in", arguments: [[], ["--user-token-env"]])
    func operations(who: [String]) async throws {
        let sessions = try await VendorSessions.chatbase()
        let who = who.isEmpty ? [] : who + ["CHATBASE_TOKEN"]
        let sent = try await sessions.run(
            ["send"] + who + ["How", "so?", "peer:chunks=6,coding=gzip"], tape: "send.tape")
        #expect(sent.status == 0)
        let lines = sent.text.split(separator: "\n").map(String.init)
        let ids = lines.suffix(2).map { $0.split(separator: " ")[1] }.map(String.init)
        let (message, conversation) = (ids[0], ids[1])
        let more = try await sessions.run(
            ["send"] + who + ["--conversation", conversation, "And then?", "peer:chunks=3"],
            tape: "more.tape")
        #expect(more.text.contains("Conversation: \(conversation)"))
        let listed = try await sessions.run(["conversations"] + who, tape: "list.tape")
        #expect(listed.text == "\(conversation)  ongoing  How so?\n")
        let paged = try await sessions.run(
            ["messages"] + who + [conversation, "--limit", "2"], tape: "page.tape")
        #expect(paged.text.hasPrefix("user "))
        #expect(paged.text.contains("agent \(message): \(lines[0])"))
        #expect(paged.errorText.contains("--cursor 2"))
        let again = try await sessions.run(
            ["retry"] + who + [conversation, message], tape: "retry.tape")
        #expect(again.status == 0)
        #expect(again.text.contains("Conversation: \(conversation)"))
    }

    @Test("Tools are commands: one answers, one fails, one is missing, one is the service's")
    func tools() async throws {
        let sessions = try await VendorSessions.chatbase()
        let result = try await sessions.run(
            ["send"] + Self.tools + [
                "Look", "peer:tools=get_weather+find_order+search!/other,chunks=4",
            ], tape: "tools.tape")
        #expect(result.status == 0, "\(result.errorText)")
        let told = result.errorText.split(separator: "\n").map(String.init)
        #expect(told.contains(#"← get_weather {"sky":"clear"}"#))
        #expect(told.contains("broken"))
        #expect(
            told.contains(
                #"✗ find_order {"error":"the tool's command ended with status 3"}"#))
        #expect(told.contains { $0.hasPrefix("← search {") })
        #expect(told.contains { $0.hasPrefix("✗ other {\"error\":") })
        let recording = try sessions.recording("tools.tape")
        #expect(
            recording.tools.map { $0.finished?.outcome?.rawValue } == ["value", "threw", "missing"])
        // Checking runs no command, unless it is asked for and given again.
        var look = Command("/bin/cat", ["input"])
        look.folder = sessions.folder.path
        #expect(try await look.run().text.contains(#""city":"Zürich""#))
        let live = try await sessions.check(
            "tools.tape", "--tools", "live", Self.tools[0], Self.tools[1], Self.tools[2],
            Self.tools[3])
        #expect(live.status == 0, "\(live.text)")
        let other = try await sessions.check("tools.tape", "--tools", "live")
        #expect(other.status == 1)
        #expect(other.text.contains("output"))
    }

    @Test(
        "What a tool's command may do wrong",
        arguments: [
            ("exit 1", "ended with status 1"), ("kill -9 $$", "ended by signal 9"),
            ("echo no", "printed no JSON"), ("true", "printed no JSON"),
            ("yes", "printed more than a tool may give"),
            ("exec 0<&-; sleep 0.1; echo '{\"error\":\"said so\"}'", "said so"),
        ])
    func brokenTools(command: String, words: String) async throws {
        let sessions = try await VendorSessions.chatbase()
        let result = try await sessions.run(
            ["send", "--tool", "t=\(command)", "Hi", "peer:tools=t,chunks=2"], tape: "x.tape")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains(words))
    }

    @Test("A tool gets much and gives much, and not the token")
    func largeTools() async throws {
        let sessions = try await VendorSessions.chatbase()
        let script =
            #"printf '{"token":"%s","x":"' "$CHATBASE_TOKEN"; head -c 15000 /dev/zero"#
            + #" | tr '\0' x; echo '"}'"#
        let result = try await sessions.run(
            [
                "send", "--user-token-env", "CHATBASE_TOKEN", "--tool", "t=\(script)", "Hi",
                "peer:tools=t,chunks=2",
            ], tape: "x.tape")
        #expect(result.status == 0)
        let output = try sessions.recording("x.tape").tools.first?.finished?.output
        #expect(output?["token"]?.string == "")
        #expect(output?["x"]?.string?.count == 15_000)
    }

    @Test("Ctrl-C ends the tool's command and seals the tape")
    func interrupt() async throws {
        let sessions = try await VendorSessions.chatbase()
        let result = try await sessions.interrupt(
            [
                "send", "--tape", "x.tape", "--tool", "t=echo $$ >pid; sleep 600 & wait", "Hi",
                "peer:tools=t,chunks=2",
            ], once: "pid")
        #expect(result.status == 1)
        #expect(result.errorText.contains("cancelled"))
        let recording = try sessions.recording("x.tape")
        #expect(recording.isSealed)
        #expect(recording.tools.first?.finished?.outcome == .cancelled)
        var alive = Command("/bin/sh", ["-c", "kill -0 $(cat pid)"])
        alive.folder = sessions.folder.path
        #expect(try await alive.run().status != 0)
        #expect(try await sessions.check("x.tape").status == 0)
    }

    @Test(
        "A failure is told with its tape",
        arguments: [
            ("status=402", "CHAT_CREDITS_EXHAUSTED"), ("status=429", "to wait for 1 s"),
            ("cut=500,rst", "broke the connection"), ("type=text/html", "cannot be read"),
        ])
    func failures(wish: String, words: String) async throws {
        let sessions = try await VendorSessions.chatbase()
        let result = try await sessions.run(
            ["send", "Hi", "peer:chunks=6,\(wish)"], tape: "x.tape")
        #expect(result.status == 1)
        #expect(result.errorText.contains(words), "\(result.errorText)")
    }

    @Test(
        "A command line that cannot be understood",
        arguments: [
            (["--user-token-env", "NO_SUCH", "x"], "no environment variable of that name"),
            ([], "MESSAGE is missing"),
            (["--tool", "x", "x"], "--tool is NAME=COMMAND"),
            (["--tool", "=x", "x"], "--tool is NAME=COMMAND"),
            (["--tool", "a=b", "--tool", "a=c", "x"], "--tool a is given twice"),
            (["--max-steps", "0", "x"], "--max-steps is a number from 1"),
            (["--token", "t", "x"], "unknown option --token"),
        ])
    func usage(words: [String], problem: String) async throws {
        let send = Command(
            try Workspace.command,
            ["chatbase", "send", "--base-url", "http://127.0.0.1:1", "--agent", "a"] + words)
        let result = try await send.run()
        #expect(result.status == 2)
        #expect(result.errorText.contains(problem), "\(result.errorText)")
    }

    @Test(
        "Tools in a replay are asked for in full",
        arguments: [
            (["--tools", "live"], "--tools goes with --check"),
            (["--check", "--tools", "some"], "--tools is recorded or live"),
            (["--check", "--tool", "a=b"], "--tool goes with --tools live"),
        ])
    func replayUsage(words: [String], problem: String) async throws {
        let result = try await Command(try Workspace.command, ["replay", "x.tape"] + words).run()
        #expect(result.status == 2)
        #expect(result.errorText.contains(problem), "\(result.errorText)")
    }
}
