import RepriseTape
import RepriseTransport
import TestSupport
import Testing

@Suite("reprise ago")
struct AgoCommandTests {
    @Test("Every operation in both modes", arguments: [["--jwt-env", "AGO_JWT"], ["--widget"]])
    func operations(who: [String]) async throws {
        let sessions = try await VendorSessions.ago()
        let sent = try await sessions.run(
            ["send"] + who + ["How", "so?", "peer:chunks=6,coding=gzip"], tape: "send.tape")
        #expect(sent.status == 0)
        let lines = sent.text.split(separator: "\n").map(String.init)
        let thread = try #require(
            lines.last.flatMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        #expect(lines.contains("  - Getting started <https://help.example.com/start>"))
        #expect(lines.contains("  - And on Android?"))
        #expect(lines.contains("Title: How so?"))

        let listed = try await sessions.run(["conversations"] + who, tape: "list.tape")
        #expect(listed.text.hasPrefix(thread))
        #expect(listed.text.hasSuffix("How so?\n"))
        let shown = try await sessions.run(["conversation"] + who + [thread], tape: "one.tape")
        #expect(shown.text.contains("user: How so?\nhelper: \(lines[0])"))
        let ticket = try await sessions.run(
            ["ticket"] + who + [
                "--subject", "s", "--typology", "t", "--priority", "p", "--body", "b",
                "--conversation", thread,
            ], tape: "ticket.tape")
        #expect(ticket.text.contains("https://desk.example.com/tickets/"))
    }

    @Test(
        "A failure is told with its tape",
        arguments: [
            ("status=401", "set authToken"), ("status=429,retry-after=7", "to wait for 7 s"),
            ("cut=500,rst", "the answer's stream was cut"), ("empty", "answered with nothing"),
            ("error", "the service failed to answer"),
        ])
    func failures(wish: String, words: String) async throws {
        let sessions = try await VendorSessions.ago()
        let result = try await sessions.run(
            ["send", "--jwt-env", "AGO_JWT", "Hi", "peer:chunks=6,\(wish)"], tape: "x.tape")
        #expect(result.status == 1)
        #expect(result.errorText.contains(words))
    }

    @Test("A tape goes to Recordings where nothing else is said")
    func defaultTape() async throws {
        let sessions = try await VendorSessions.ago()
        let result = try await sessions.command(["conversations", "--widget"]).run()
        let pattern = /Recorded in (Recordings\/[-0-9]{10}T[-0-9]{8}Z-[0-9a-f]{6}\.tape)\n/
        let match = try #require(try pattern.wholeMatch(in: result.errorText))
        #expect(try Recording(path: sessions.folder.file(String(match.1))).isSealed)
    }

    @Test("Ctrl-C stops the answer and seals the tape")
    func interrupt() async throws {
        let sessions = try await VendorSessions.ago()
        let result = try await sessions.interrupt(
            ["send", "--widget", "--tape", "x.tape", "Hi", "peer:chunks=8,stall=0"], once: "out")
        #expect(result.status == 1)
        #expect(result.errorText.contains("cancelled"))
        let recording = try Recording(path: sessions.folder.file("x.tape"))
        #expect(recording.isSealed)
        #expect(recording.exchanges.first?.end?.how == .cancelled)
    }

    @Test(
        "A command line that cannot be understood",
        arguments: [
            (["--widget", "--jwt-env", "AGO_JWT", "x"], "exclude each other"),
            (["x"], "--jwt-env VAR or --widget"),
            (["--jwt-env", "NO_SUCH", "x"], "no environment variable of that name"),
            (["--jwt-env", "AGO_JWT", "--email", "a@b.c", "x"], "--email goes with --widget"),
            (["--widget"], "MESSAGE is missing"),
            (["--token", "t", "x"], "unknown option --token"),
        ])
    func usage(words: [String], complaint: String) async throws {
        let folder = try TemporaryFolder()
        var command = try Command.reprise()
        command.arguments = ["ago", "send", "--base-url", "http://h", "--origin", "o"] + words
        command.folder = folder.path
        command.environment = ["AGO_JWT": "t"]
        let result = try await command.run()
        #expect(result.status == 2)
        #expect(result.errorText.contains(complaint))
    }
}
