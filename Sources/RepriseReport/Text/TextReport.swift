public import RepriseAnalysis
internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape

/// Writes the report for a terminal: plain text in aligned columns.
public struct TextReport: Sendable {
    /// How many columns there are.
    public var width: Int
    /// Gives a piece of text its look; for a terminal that has colours.
    public var style: @Sendable (String, TextStyle) -> String
    /// How many violations of a rule are shown.
    public var violationLimit: Int

    /// A writer; by default 100 columns, no colours, ten violations of a rule.
    public init(
        width: Int = 100, violationLimit: Int = 10,
        style: @escaping @Sendable (String, TextStyle) -> String = { text, _ in text }
    ) {
        self.width = max(width, 40)
        self.violationLimit = violationLimit
        self.style = style
    }

    /// The report, each line ended.
    public func render(_ report: Report) -> String {
        let tables = ReportTables(report: report)
        var lines = verdict(report, tables)
        lines += section("Summary", pairs(tables.summary))
        lines += section("Latency (ms)", latency(report, tables))
        lines += section("Usage", ["  " + tables.usage])
        lines += section("Tools (ms)", table(tables.tools.compact, or: "no tool was called"))
        lines += section("Violations", violations(report))
        for tape in report.tapes {
            lines += section("Session \(ReportTables.name(tape.name))", session(tape, tables))
        }
        lines += section("Provenance", provenance(report))
        return lines.map { $0.trimmingEnd + "\n" }.joined()
    }

    /// The verdict and the violations alone, each line ended.
    public func renderViolations(_ report: Report) -> String {
        let tables = ReportTables(report: report)
        let failures = tables.failedTurns.prefix(violationLimit).flatMap { tape, turn in
            wrapped(
                "  failed  \(ReportTables.name(tape)) · turn \(turn.number): "
                    + (turn.outcome.reason ?? ""), hanging: 10)
        }
        let rest = tables.failedTurns.count - violationLimit
        let more = rest > 0 ? ["  and \(ReportTables.count(rest, "failed turn")) more"] : []
        let turns = failures.isEmpty ? [] : [""] + failures + more
        let lines = verdict(report, tables) + [""] + violations(report) + turns
        return lines.map { $0.trimmingEnd + "\n" }.joined()
    }

    private func verdict(_ report: Report, _ tables: ReportTables) -> [String] {
        let word = style(
            tables.word.uppercased(), report.verdict.isPassed ? TextStyle.good : .bad)
        return ["\(word)  \(tables.verdict)"]
            + report.unreadable.flatMap { file in
                wrapped(
                    "  unreadable  \(ReportTables.name(file.name)): \(file.reason)", hanging: 14)
            }
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", style(title, .heading)] + lines
    }

    private func pairs(_ pairs: [(name: String, text: String)]) -> [String] {
        let column = (pairs.map(\.name.count).max() ?? 0) + 4
        return pairs.flatMap { pair in
            let name = "  " + pair.name
            let pad = String(repeating: " ", count: column - name.count)
            return wrapped(name + pad + pair.text, hanging: column)
        }
    }

    private func latency(_ report: Report, _ tables: ReportTables) -> [String] {
        let lines = table(tables.latency.compact, or: "no stream came to its end")
        guard !tables.definitions.isEmpty else { return lines }
        let notes =
            tables.definitions.map { wrapped("  \($0.name): \($0.text)", hanging: 4) }
            + tables.latencyNotes.map { wrapped("  \($0)", hanging: 4) }
        return lines + [""] + notes.joined().map { style($0, .faint) }
    }
}

extension TextReport {
    private func violations(_ report: Report) -> [String] {
        var lines = report.findings.isEmpty ? ["  no violation"] : []
        for finding in report.findings { lines += self.finding(finding) }
        for item in report.configured {
            let grade = item.entry.severity?.rawValue ?? "off"
            lines += wrapped(
                "  configured: \(item.rule) \(grade): " + SeenText.visible(item.entry.reason),
                hanging: 4)
        }
        return lines
    }

    private func finding(_ finding: Report.Finding) -> [String] {
        let severity = style(finding.severity.rawValue, finding.severity.style)
        var lines = [
            "  \(severity)  \(style(finding.rule.id, .heading))  \(finding.rule.title)"
                + (finding.count > 1 ? "  (\(finding.count) times)" : "")
        ]
        lines += wrapped("    " + finding.rule.explanation, hanging: 4).map { style($0, .faint) }
        lines += wrapped("    Source: \(finding.rule.source)", hanging: 4).map { style($0, .faint) }
        for located in finding.violations.prefix(violationLimit) {
            lines += wrapped("    at " + ReportTables.place(located), hanging: 7)
            lines += wrapped("       expected \(located.violation.expected)", hanging: 9)
            lines += wrapped("       seen     \(located.violation.seen)", hanging: 9)
        }
        let rest = finding.count - min(finding.violations.count, violationLimit)
        if rest > 0 { lines.append("    and \(rest) more") }
        return lines
    }

    private func session(_ tape: AnalyzedTape, _ tables: ReportTables) -> [String] {
        var lines = pairs([
            ("recorded", ReportTables.origin(tape)), ("dialect", ReportTables.dialects(tape)),
        ])
        let turns = tables.turns(tape).compact
        if !turns.rows.isEmpty { lines += [""] + table(turns, or: "") }
        let exchanges = tables.exchanges(tape).compact
        if !exchanges.rows.isEmpty { lines += [""] + table(exchanges, or: "") }
        return lines
    }

    private func provenance(_ report: Report) -> [String] {
        var lines = report.tapes.flatMap { tape -> [String] in
            let format = tape.session.session.map { "format \($0.version)" } ?? "no format"
            let state = tape.session.tape.isSealed ? "sealed" : "unsealed"
            return wrapped(
                "  \(ReportTables.name(tape.name)): \(Counted.text(tape.size, "byte")), "
                    + "\(Counted.text(tape.session.tape.frames, "frame")), "
                    + "\(format), \(state), SHA-256 \(tape.sha256)", hanging: 4)
        }
        lines += report.skipped.map { "  \(ReportTables.name($0)): no recording, passed over" }
        lines.append("  analyzed by \(ReportTables.analyzer)")
        return lines
    }

    private func table(_ table: ReportTable, or nothing: String) -> [String] {
        guard !table.rows.isEmpty else { return ["  " + nothing] }
        let rows = [table.columns.map(\.title)] + table.rows
        let widths = table.columns.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.enumerated().map { index, row in
            let cells = row.indices.map { column in
                let pad = String(repeating: " ", count: widths[column] - row[column].count)
                return table.columns[column].isNumber ? pad + row[column] : row[column] + pad
            }
            let line = "  " + cells.joined(separator: "  ")
            return index == 0 ? style(line, .faint) : line
        }
    }

    /// Broken at blanks; a longer word stands alone.
    private func wrapped(_ text: String, hanging: Int) -> [String] {
        var lines: [String] = []
        var line = String(text.prefix { $0 == " " })
        var isEmpty = true
        // The blanks between a name and its text are kept: the first line is laid out already.
        for word in text.dropFirst(line.count).split(
            separator: " ", omittingEmptySubsequences: false)
        {
            if !isEmpty && line.count + 1 + word.count > max(width, hanging + 20) && !word.isEmpty {
                lines.append(line)
                line = String(repeating: " ", count: hanging)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

extension Severity {
    fileprivate var style: TextStyle {
        switch self {
        case .error: .bad
        case .warning: .doubtful
        case .info: .notable
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
