import AgoKit
import RepriseAnalysis
import RepriseReport
import RepriseSession
import RepriseWire
import Testing

@Suite struct RenderingTests {
    @Test func theJSONIsOrderedAndParses() throws {
        let text = try Sample.report().jsonText
        let value = try JSON.parse(Array(text.utf8)).value
        #expect(
            value.object?.members.map(\.key) == [
                "schema", "verdict", "summary", "latency", "usage", "tools", "violations",
                "sessions", "provenance",
            ])
        #expect(value["schema"] == "reprise.report/1")
        #expect(value["verdict"]?["passed"] == false)
        #expect(value["verdict"]?["failedTurns"] == 1)
        let ttft = value["latency"]?["metrics"]?.array?.first { $0["name"] == "ttft" }
        #expect(ttft?["n"] == 1)
        #expect(ttft?["values"]?["percentiles"]?["p50"] == 100)
        #expect(ttft?["adjusted"]?["failures"] == 1)
        #expect(ttft?["adjusted"]?["percentiles"]?["p99"] == .null)
        #expect(value["sessions"]?[0]?["turns"]?[0]?["latencyMs"] == 130)
        let findings = value["violations"]?["findings"]?.array ?? []
        #expect(findings.map { $0["rule"]?.string } == ["tape.R1", "ago.A9a"])
        #expect(value["provenance"]?["tapes"]?[0]?["sha256"]?.string?.count == 64)
    }

    @Test(arguments: ReportFormat.allCases)
    func noFormHoldsASecret(_ format: ReportFormat) throws {
        let text = format.render(try Sample.report())
        #expect(!text.contains("secret-of"))
        #expect(text.contains("token"))
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test(arguments: ReportFormat.allCases)
    func isTheSameEachTime(_ format: ReportFormat) throws {
        let first = format.render(try Sample.report())
        for _ in 0..<5 { #expect(format.render(try Sample.report()) == first) }
    }

    @Test(arguments: [60, 80, 100, 140])
    func textFitsWhereItCan(width: Int) throws {
        let text = TextReport(width: width).render(try Sample.report())
        // Explanations; tables are as wide as they are.
        for line in text.split(separator: "\n") where line.hasPrefix("    ") {
            let words = line.drop { $0 == " " }
            let isProse = words.contains(" ") && !words.contains("  ")
            if isProse { #expect(line.count <= width) }
        }
    }

    @Test func theTablesHaveRetriesAndCredits() throws {
        var report = try Sample.report()
        let plain = TextReport().render(report)
        #expect(!plain.contains("retries") && !plain.contains("credits: "))
        let usage = Usage(credits: 1_750_000, clientCredits: 250_000)
        report.usage = usage
        report.tapes[0].session.turns[0].usage = usage
        report.tapes[0].session.turns[1].usage = Usage(credits: 0, clientCredits: 0)
        report.tools[0].retries = 2
        let text = TextReport().render(report)
        #expect(text.contains("  credits: 1.75 (0.25 by the vendor's client) (reported)\n"))
        #expect(text.contains("  retries  "))
        #expect(text.contains("  1.75 (0.25 by the vendor's client)\n"))
    }

    @Test func textIsStyledOnlyByTheCaller() throws {
        let report = try Sample.report()
        #expect(!TextReport().render(report).contains("\u{1b}"))
        let styled = TextReport { text, style in style == .bad ? "<\(text)>" : text }
            .render(report)
        #expect(styled.hasPrefix("<FAILED>  1 error, 0 warnings, 1 info, 1 of 2 turns failed\n"))
    }

    @Test func markdownTablesKeepTheirColumns() throws {
        let lines = MarkdownReport().render(try Sample.report()).split(separator: "\n")
        var columns: Int?
        for line in lines {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let bars = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(bars == columns ?? bars)
            columns = bars
        }
    }

    @Test func whatFailedHasItsRow() throws {
        let lines = Sample.jsonl.replacing("DONE", with: "ERROR")
        let tape = try AnalyzedTape(
            name: "s.jsonl", bytes: Array(lines.utf8), dialects: [AgoDialect()])
        let text = TextReport().render(Report([tape], rules: Sample.rules))
        let row = text.split(separator: "\n").first { $0.hasPrefix("  ttft ") } ?? ""
        let cells = row.split(separator: " ")
        #expect(cells.prefix(2) == ["ttft", "0"] && cells.suffix(2) == ["∞", "2"])
        #expect(text.contains("  turns      2 failed\n"))
        #expect(text.contains("  adj.: "))
        let head = Sample.jsonl.split(separator: "\n").prefix(2).joined(separator: "\n")
        let empty = try AnalyzedTape(name: "e.jsonl", bytes: Array(head.utf8), dialects: [])
        #expect(!TextReport().render(Report([empty], rules: Sample.rules)).contains("adj."))
    }

    @Test func extremeTimesAreOutOfRange() throws {
        let lines = Sample.jsonl.replacing("\"t\":150000000", with: "\"t\":9223372036854775807")
            .replacing("\"t\":151000000", with: "\"t\":-9223372036854775808")
        let tape = try AnalyzedTape(
            name: "s.jsonl", bytes: Array(lines.utf8), dialects: [AgoDialect()])
        let report = Report([tape], rules: Sample.rules)
        for format in ReportFormat.allCases {
            let text = format.render(report)
            #expect(format == .json || text.contains("out of range"))
            #expect(!text.contains("1152921504606") && !text.contains("9223372036854"))
        }
        #expect(report.json["sessions"]?[0]?["durationMs"] == .null)
    }

    @Test(arguments: ReportFormat.allCases.filter { $0 != .json })
    func namesAreOneLineAndPlain(_ format: ReportFormat) throws {
        let name = "a\u{1b}[2J\nPASSED"
        let tape = try AnalyzedTape(
            name: name, bytes: Array(Sample.jsonl.utf8), dialects: [AgoDialect()])
        let unreadable = UnreadableFile(name: name, path: name, reason: "it is no file")
        let text = format.render(
            Report([tape], rules: Sample.rules, skipped: [name], unreadable: [unreadable]))
        #expect(!text.contains("\u{1b}"))
        #expect(!text.contains("\nPASSED"))
        #expect(text.contains("1 unreadable file"))
    }

    @Test func longListsAreCut() throws {
        let report = try Sample.report()
        var many = report
        var finding = try #require(report.findings.last)
        finding.violations = Array(repeating: finding.violations[0], count: 1_000)
        finding.count = 1_500
        many.findings = [finding]
        #expect(TextReport().render(many).contains("and 1490 more"))
        #expect(MarkdownReport().render(many).contains("And 1480 more."))
    }

    @Test func aReportOnNothingSaysSo() throws {
        let report = Report([], rules: Sample.rules)
        #expect(report.verdict.isPassed)
        for format in ReportFormat.allCases { #expect(!format.render(report).isEmpty) }
    }
}
