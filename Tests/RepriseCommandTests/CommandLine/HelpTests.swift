import TestSupport
import Testing

/// The help pages, compared with golden files; `REPRISE_RECORD=1` writes them anew and fails.
@Suite struct HelpTests {
    @Test func everyVerbHasItsPage() async throws {
        let overview = try await help([])
        let verbs = Self.verbs(of: overview)
        #expect(verbs.count >= 9)
        var pages = "$ reprise --help\n" + overview
        for verb in verbs {
            let page = try await help(verb.split(separator: " ").map(String.init))
            #expect(page.contains("Usage: reprise \(verb)"))
            #expect(page.contains("\nExamples:\n"), "\(verb) has no example")
            pages += "\n$ reprise \(verb) --help\n" + page
        }
        try Snapshot.expect(pages, "help.txt", in: #filePath)
    }

    @Test func noLineIsWiderThanTheTerminal() async throws {
        for line in try await help([], columns: "60").split(separator: "\n") {
            // A paragraph of the overview is set for 100 columns; tables follow the terminal.
            #expect(line.count <= 100)
        }
    }

    private func help(_ words: [String], columns: String = "100") async throws -> String {
        var command = Command(try Workspace.command, words + ["--help"])
        command.environment = ["COLUMNS": columns]
        let result = try await command.run()
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        return result.text
    }

    /// The terms of the table of commands.
    private static func verbs(of overview: String) -> [String] {
        guard let start = overview.firstRange(of: "Commands:\n") else { return [] }
        return overview[start.upperBound...]
            .split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { line in
                line.dropFirst(2).ranges(of: "  ").first.map {
                    String(line.dropFirst(2)[..<$0.lowerBound])
                }
            }
    }
}
