import TestSupport
import Testing

/// What a result that cannot be written does.
@Suite struct OutputTests {
    private func shell(_ line: String) async throws -> Command.Result {
        let quoted = "'\(try Workspace.command)'"
        return try await Command("/bin/sh", ["-c", "\(quoted) \(line)"]).run()
    }

    @Test(arguments: [
        ("--help > /dev/full", "No space left on device"),
        ("--version > /dev/full", "No space left on device"),
        ("show --help > /dev/full", "No space left on device"),
        ("--version >&-", "Bad file descriptor"),
    ])
    func isNoSuccess(line: String, reason: String) async throws {
        let result = try await shell(line)
        #expect(result.status == 1)
        #expect(result.errorText == "reprise: cannot write to standard output: \(reason)\n")
    }

    @Test func aReaderThatLeavesIsNoFailure() async throws {
        let result = try await shell("--help | head -n 1")
        #expect(
            result.text
                == "Records, replays and analyzes AI-agent chat sessions as they cross the wire.\n")
        #expect(result.errors.isEmpty)
    }

    /// Else the first file that is opened would take the place of a closed stream.
    @Test func closedStreamsAreNotTakenByFiles() async throws {
        let folder = try TemporaryFolder()
        let lines =
            #"{"kind":"session","t":0,"version":1,"session":"0011223344556677","wall":"","recorder":"t"}"#
        let path = try folder.write("a.jsonl", Array(lines.utf8))
        let result = try await shell("import '\(path)' -o '\(folder.file("a.tape"))' <&- >&- 2>&-")
        #expect(result.status == 1, "the tape is made, its name cannot be told")
        let verified = try await Command.reprise("verify", folder.file("a.tape")).run()
        #expect(verified.status == 0, "\(verified.text)\(verified.errorText)")
    }
}
