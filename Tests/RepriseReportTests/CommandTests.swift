import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ReportCommandTests {
    /// A folder with two recordings, one below the other, and a file that is none.
    private func recordings() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["in", "in/deep"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        _ = try folder.write("in/deep/b.jsonl", Array(Sample.jsonl.utf8))
        let whole = Sample.jsonl.split(separator: "\n").prefix(15)
            .filter { !$0.contains("oops") && !$0.contains("client_function") }
        _ = try folder.write("in/a.jsonl", Array((whole.joined(separator: "\n") + "\n").utf8))
        _ = try folder.write("in/log.jsonl", Array("{\"event\":\"opened\"}\n".utf8))
        _ = try folder.write("in/readme.txt", Array("no recording".utf8))
        return folder
    }

    private func reprise(
        _ arguments: [String], in folder: String? = nil, _ environment: [String: String] = [:]
    ) async throws -> Command.Result {
        var command = Command(try Workspace.command, arguments)
        command.folder = folder
        command.environment = environment
        return try await command.run()
    }

    @Test func reportsAreEqualWhereverAndWheneverTheyAreMade() async throws {
        let first = try recordings()
        let second = try recordings()
        let one = try await reprise(
            ["report", "in", "-o", "out"], in: first.path, ["TZ": "UTC", "LC_ALL": "C"])
        let other = try await reprise(
            ["report", second.file("in"), "-o", second.file("elsewhere")], in: "/",
            ["TZ": "Pacific/Auckland", "LC_ALL": "de_DE.UTF-8", "COLUMNS": "60"])
        #expect(one.status == 0 && other.status == 0)
        for name in ["report.txt", "report.json", "report.md", "report.html"] {
            let bytes = try first.bytes("out/\(name)")
            #expect(!bytes.isEmpty)
            #expect(try second.bytes("elsewhere/\(name)") == bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(first.path))
        }
        let json = String(decoding: try first.bytes("out/report.json"), as: UTF8.self)
        #expect(json.contains("\"tape\": \"deep/b.jsonl\""))
        #expect(json.contains("\"log.jsonl\""))
        #expect(one.errorText.contains("log.jsonl is no recording"))
    }

    @Test func checkTellsByItsExitStatus() async throws {
        let folder = try recordings()
        let good = try await reprise(["check", folder.file("in/a.jsonl")])
        #expect(good.status == 0)
        #expect(good.text.hasPrefix("PASSED"))
        let bad = try await reprise(["check", folder.file("in")])
        #expect(bad.status == 1)
        #expect(bad.text.contains("tape.R1"))
        #expect(bad.text.contains("deep/b.jsonl · exchange 2"))
        #expect(!bad.text.contains("secret-of"))
    }

    @Test func outputToAHyphenIsStandardOutput() async throws {
        let folder = try recordings()
        let path = folder.file("in/a.jsonl")
        for format in [[], ["--format", "json"], ["--format", "html"]] {
            let plain = try await reprise(["report", path] + format, in: folder.path)
            let hyphen = try await reprise(["report", path, "-o", "-"] + format, in: folder.path)
            #expect(plain.status == 0 && !plain.output.isEmpty)
            #expect(hyphen.output == plain.output)
            #expect(hyphen.status == 0)
        }
        let several = try await reprise(
            ["report", path, "-o", "-", "--format", "json,html"], in: folder.path)
        #expect(several.status == 2)
        #expect(several.errorText.contains("standard output takes one"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("-")))
    }

    @Test func standardInputIsATape() async throws {
        var command = Command(try Workspace.command, ["report", "-", "--format", "json"])
        command.input = Array(Sample.jsonl.utf8)
        let result = try await command.run()
        #expect(result.status == 0)
        #expect(result.text.contains("\"tape\": \"-\""))
    }

    @Test func aConfigurationGradesAndShowsWhy() async throws {
        let folder = try recordings()
        let config = #"{"rules":{"tape.R1":{"severity":"off","reason":"the demo is killed"}}}"#
        let path = try folder.write("rules.json", Array(config.utf8))
        let result = try await reprise(
            ["check", folder.file("in/deep/b.jsonl"), "--config", path])
        #expect(result.status == 0)
        #expect(result.text.contains("configured: tape.R1 off: the demo is killed"))
    }

    @Test(arguments: [
        (["report"], 2, "PATH is missing"),
        (["report", "a", "--format", "pdf"], 2, "--format is text, json, markdown, html"),
        (["report", "a", "--format", "text,json"], 2, "several formats need --output"),
        (
            ["check", "a", "--dialect", "morse"], 2,
            "--dialect is one of ago, chatbase, cometchat, generic"
        ),
        (["check", "-", "-"], 2, "only once"),
        (["check", "/no/such/file"], 1, "check: /no/such/file: there is no such file\n"),
        (["check", "in/log.jsonl"], 1, "check: in/log.jsonl: the line has no kind (line 1)\n"),
        (["check", "in/readme.txt"], 1, "in/readme.txt: this is neither a tape"),
        (["check", "in/deep/b.jsonl", "--config", "in"], 1, "cannot read in: it is a folder"),
        (["report", "in/a.jsonl", "-o", "in/a.jsonl"], 1, "in/a.jsonl: a file of that name is in"),
        (["report", "in/a.jsonl", "-o", "in/a.jsonl/x"], 1, "a part of the path is not a folder"),
        (
            ["check", "in/a.jsonl", "--config", "none.json"], 1,
            "cannot read none.json: there is no such file"
        ),
    ])
    func saysWhatIsWrong(arguments: [String], status: Int32, problem: String) async throws {
        let folder = try recordings()
        let result = try await reprise(arguments, in: folder.path)
        #expect(result.status == status)
        #expect(result.errorText.contains(problem))
    }

    @Test func whatCannotBeReadDoesNotEndTheRest() async throws {
        let folder = try recordings()
        _ = try folder.write("in/bin.tape", (0..<500).map { UInt8($0 * $0 % 251) })
        _ = try folder.write("in/blank.jsonl", Array("\n \n".utf8))
        let made = try await Command(
            "/bin/sh",
            ["-c", "cd \"$0\" && ln -s nowhere gone.tape && mkfifo pipe.tape", folder.file("in")]
        ).run()
        #expect(made.status == 0)
        for arguments in [["check", "in"], ["report", "in"], ["report", "in", "-o", "out"]] {
            let result = try await reprise(arguments, in: folder.path)
            #expect(result.status == 1)
            let text =
                arguments.count < 3
                ? result.text : String(decoding: try folder.bytes("out/report.txt"), as: UTF8.self)
            #expect(text.hasPrefix("FAILED"))
            #expect(text.contains("3 unreadable files"))
            #expect(text.contains("unreadable  bin.tape: this is neither a tape"))
            #expect(text.contains("unreadable  gone.tape: there is no such file"))
            #expect(text.contains("unreadable  pipe.tape: it is no file"))
            #expect(text.contains("at blank.jsonl"))
            #expect(text.contains("deep/b.jsonl · exchange 2"))
            #expect(result.errorText.contains("in/gone.tape: there is no such file\n"))
        }
        let named = try await reprise(
            ["check", "in/a.jsonl", "none", "in/bin.tape"], in: folder.path)
        #expect(named.status == 1)
        #expect(named.text.contains("2 unreadable files"))
        let json = String(decoding: try folder.bytes("out/report.json"), as: UTF8.self)
        #expect(json.contains("\"unreadable\": 3"))
        #expect(!json.contains(folder.path))
    }

    @Test func aFileIsReadOnceWhateverItsNames() async throws {
        let folder = try recordings()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.jsonl"), withDestinationPath: "in/a.jsonl")
        let paths = ["in/a.jsonl", "in/a.jsonl", "link.jsonl", "in"]
        let result = try await reprise(["report"] + paths + ["--format", "json"], in: folder.path)
        #expect(result.text.contains("\"tapes\": 2,"))
        #expect(result.errorText.split(separator: "\n").count { $0.contains("read once") } == 3)
    }

    @Test func aPipeIsARecording() async throws {
        let folder = try recordings()
        let result = try await Command(
            "/bin/bash",
            ["-c", "\"$0\" check <(cat \"$1\")", try Workspace.command, folder.file("in/a.jsonl")]
        ).run()
        #expect(result.text.hasPrefix("PASSED"))
    }

    /// A service that says that it failed breaks no rule.
    @Test func turnsThatFailedAreNoPass() async throws {
        let folder = try recordings()
        let failed = String(decoding: try folder.bytes("in/a.jsonl"), as: UTF8.self)
            .replacing("DONE", with: "ERROR")
        _ = try folder.write("e.jsonl", Array(failed.utf8))
        let check = try await reprise(["check", "e.jsonl"], in: folder.path)
        let report = try await reprise(["report", "e.jsonl"], in: folder.path)
        let verdict = "TURNS FAILED  0 errors, 0 warnings, 0 infos, 1 of 1 turn failed\n"
        #expect(check.status == 0)
        #expect(check.text.hasPrefix(verdict))
        #expect(check.text.contains("failed  e.jsonl · turn 1: the service reported a failure"))
        #expect(report.text.hasPrefix(verdict))
    }
}
