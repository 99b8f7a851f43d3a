import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The recordings that ship", .timeLimit(.minutes(10)))
struct ShippedRecordingsTests {
    /// Their names, without `.tape`.
    static let names: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: "\(Workspace.root)/Recordings")
        return (all ?? []).filter { $0.hasSuffix(".tape") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test(
        """
        Each is sealed unless its recorder was killed, has its provenance, and replays as it went, \
        however it is cut
        """,
        arguments: names)
    func replays(name: String) async throws {
        let tape = "\(Workspace.root)/Recordings/\(name).tape"
        let verify = try await Command.reprise("verify", tape).run()
        #expect(verify.status == 0)
        #expect(verify.text.contains(name == "ago-killed" ? "unsealed" : "whole"), "\(verify.text)")
        let check = try await Command.reprise("replay", tape, "--check", "--cuts", "all").run()
        #expect(check.status == 0, "\(check.text)\(check.errorText)")
        let readme = try Data(
            contentsOf: URL(fileURLWithPath: "\(Workspace.root)/Recordings/README.md"))
        #expect(String(decoding: readme, as: UTF8.self).contains("| `\(name)` |"))
    }

    @Test("Their reports are the same in another folder, time zone and language")
    func reports() async throws {
        try #require(!Self.names.isEmpty)
        let shipped = "\(Workspace.root)/Reports"
        let folder = try TemporaryFolder()
        let recordings = folder.file("Recordings")
        try FileManager.default.copyItem(atPath: "\(Workspace.root)/Recordings", toPath: recordings)
        var report = Command(
            try Workspace.command,
            ["report"] + Self.names.map { "Recordings/\($0).tape" }
                + ["-o", "Reports", "--format", "text,json,markdown,html"])
        report.folder = folder.path
        report.environment = [
            "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8",
        ]
        let made = try await report.run()
        #expect(made.status == 0, "\(made.errorText)")

        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("Reports"))
            .sorted()
        #expect(!files.isEmpty)
        for file in files {
            let old = try Data(contentsOf: URL(fileURLWithPath: "\(shipped)/\(file)"))
            let new = try Data(contentsOf: URL(fileURLWithPath: folder.file("Reports/\(file)")))
            #expect(old == new, "\(file) differs; `make reports` renews it")
        }
    }
}
