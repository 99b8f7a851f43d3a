public import RepriseAnalysis
internal import RepriseSession
internal import RepriseTape

/// Writes the report as a page in Markdown (with the tables of GitHub's).
public struct MarkdownReport: Sendable {
    /// How many violations of a rule are shown.
    public var violationLimit: Int

    /// A writer; by default 20 violations of a rule.
    public init(violationLimit: Int = 20) { self.violationLimit = violationLimit }

    /// The page, each line ended.
    public func render(_ report: Report) -> String {
        let tables = ReportTables(report: report)
        var lines = ["# Session report", ""]
        let sign = report.verdict.isPassed ? "✅" : "❌"
        lines += ["\(sign) **\(tables.word)**: \(tables.verdict).", ""]
        let unreadable = report.unreadable.map { "- \(code($0.name)): \(escaped($0.reason))" }
        if !unreadable.isEmpty { lines += ["Cannot be read:", ""] + unreadable + [""] }
        lines += ["## Summary", ""] + pairs(tables.summary)
        lines += ["", "## Latency", ""] + latency(report, tables)
        lines += ["", "## Usage", "", capitalized(tables.usage) + "."]
        lines +=
            ["", "## Tools", ""] + (report.tools.isEmpty ? [] : ["Times in milliseconds.", ""])
        lines += table(tables.tools.compact, or: "No tool was called.")
        lines += ["", "## Violations", ""] + violations(report)
        lines += ["", "## Sessions"]
        for tape in report.tapes { lines += session(tape, tables) }
        lines += ["", "## Provenance", ""] + provenance(report)
        return lines.map { $0 + "\n" }.joined()
    }

    private func latency(_ report: Report, _ tables: ReportTables) -> [String] {
        let lines = table(tables.latency.compact, or: "No stream came to its end.")
        guard !tables.definitions.isEmpty else { return lines }
        let definitions = tables.definitions.map { "- `\($0.name)`: \(escaped($0.text))" }
        return ["Milliseconds, where nothing else is said.", ""] + lines + [""] + definitions
            + tables.latencyNotes.map { "- \(escaped(capitalized($0)))." }
    }

    private func violations(_ report: Report) -> [String] {
        var lines = report.findings.isEmpty ? ["None."] : []
        for (index, finding) in report.findings.enumerated() {
            if index > 0 { lines.append("") }
            lines += self.finding(finding)
        }
        guard !report.configured.isEmpty else { return lines }
        return lines + ["", "Configured:", ""]
            + report.configured.map { item in
                "- `\(item.rule)` \(item.entry.severity?.rawValue ?? "off"): "
                    + escaped(item.entry.reason)
            }
    }

    private func finding(_ finding: Report.Finding) -> [String] {
        let times = ReportTables.count(finding.count, "time")
        var lines = [
            "### \(finding.severity.sign) `\(finding.rule.id)` \(escaped(finding.rule.title))", "",
            "\(capitalized(finding.severity.rawValue)), \(times). "
                + "\(escaped(finding.rule.explanation)) *Source: \(escaped(finding.rule.source)).*",
            "",
        ]
        var table = ReportTable(["where", "expected", "seen"], numbersFrom: 3)
        for located in finding.violations.prefix(violationLimit) {
            table.rows.append([
                ReportTables.place(located), located.violation.expected, located.violation.seen,
            ])
        }
        lines += self.table(table, or: "")
        let rest = finding.count - min(finding.violations.count, violationLimit)
        return rest > 0 ? lines + ["", "And \(rest) more."] : lines
    }

    private func session(_ tape: AnalyzedTape, _ tables: ReportTables) -> [String] {
        var lines = [
            "", "### \(code(tape.name))", "",
            "Recorded: \(escaped(ReportTables.origin(tape))). "
                + "Dialect: \(escaped(ReportTables.dialects(tape))).",
        ]
        for table in [tables.turns(tape).compact, tables.exchanges(tape).compact]
        where !table.rows.isEmpty {
            lines += [""] + self.table(table, or: "")
        }
        return lines
    }

    private func provenance(_ report: Report) -> [String] {
        var table = ReportTable(
            ["tape", "format", "state", "SHA-256", "bytes", "frames"], numbersFrom: 4)
        for tape in report.tapes {
            table.rows.append([
                tape.name, tape.session.session.map { String($0.version) } ?? "–",
                tape.session.tape.isSealed ? "sealed" : "unsealed", tape.sha256,
                String(tape.size), String(tape.session.tape.frames),
            ])
        }
        let skipped = report.skipped.map { "- \(code($0)): no recording, passed over" }
        return self.table(table, or: "No tape.") + (skipped.isEmpty ? [] : [""] + skipped)
            + ["", "Analyzed by \(ReportTables.analyzer)."]
    }
}

extension MarkdownReport {
    private func pairs(_ pairs: [(name: String, text: String)]) -> [String] {
        ["| | |", "| --- | --- |"] + pairs.map { "| \($0.name) | \(escaped($0.text)) |" }
    }

    private func table(_ table: ReportTable, or nothing: String) -> [String] {
        guard !table.rows.isEmpty else { return [nothing] }
        let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |" }
        return [
            line(table.columns.map { escaped($0.title) }),
            line(table.columns.map { $0.isNumber ? "---:" : "---" }),
        ] + table.rows.map { line($0.map(escaped)) }
    }

    /// Recorded text must not make markup.
    private func escaped(_ text: String) -> String {
        var result = ""
        for character in SeenText.visible(text) {
            if "\\`*_[]<>|#~".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    private func code(_ text: String) -> String {
        "`\(SeenText.visible(text).replacing("`", with: "'"))`"
    }

    private func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension Severity {
    fileprivate var sign: String {
        switch self {
        case .error: "🛑"
        case .warning: "⚠️"
        case .info: "ℹ️"
        }
    }
}
