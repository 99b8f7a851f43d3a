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
        (["check", "a", "--dialect", "morse"], 2, "--dialect is one of ago, chatbase, generic"),
        (["check", "-", "-"], 2, "only once"),
        (["check", "/no/such/file"], 1, "there is no file or folder /no/such/file"),
        (["check", "in/log.jsonl"], 1, "in/log.jsonl: "),
        (["check", "in/a.jsonl", "--config", "none.json"], 1, "cannot read none.json"),
    ])
    func saysWhatIsWrong(arguments: [String], status: Int32, problem: String) async throws {
        let folder = try recordings()
        let result = try await reprise(arguments, in: folder.path)
        #expect(result.status == status)
        #expect(result.errorText.contains(problem))
    }
}
