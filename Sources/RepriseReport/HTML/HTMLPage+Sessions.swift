internal import RepriseAnalysis
internal import RepriseSession

extension HTMLPage {
    /// The recordings: first at a glance, then one by one.
    var sessions: Markup {
        guard !report.tapes.isEmpty else { return "<p>None.</p>\n" }
        let overview = report.tapes.count > 1 ? overview : ""
        let hasTurns = report.tapes.contains { !$0.session.turns.isEmpty }
        let note: Markup = """
            <p class="note">The axis of a turn begins at its t0; the times below a row count from \
            where the row begins.</p>

            """
        return (hasTurns ? note : "") + overview
            + Markup.each(report.tapes.enumerated()) { session($1, number: $0 + 1) }
    }

    private var overview: Markup {
        let columns = ReportTable(
            ["recording", "turns", "exchanges", "errors", "warnings", "infos", "duration"],
            numbersFrom: 2
        ).columns
        let rows = Markup.each(report.tapes.enumerated()) { index, tape in
            let session = tape.session
            let count = { (severity: Severity) in
                session.violations.count { $0.severity == severity }
            }
            let numbers = [session.exchanges.count] + [.error, .warning, .info].map(count)
            let cells = Markup.each(zip(columns.dropFirst(2), numbers)) { column, number in
                HTMLPage.cell(column, number == 0 ? "<span class=\"none\">0</span>" : "\(number)")
            }
            return """
                <tr><th scope="row"><a href="#session-\(index + 1)"><bdi>\(tape.name)</bdi></a>\
                </th>\
                \(HTMLPage.cell(columns[1], outcomes(session)))\(cells)\
                \(HTMLPage.cell(columns[6], "\(Quantity.time(session.duration))"))</tr>

                """
        }
        return HTMLPage.frame(
            "Sessions", HTMLPage.head(columns), "<tbody>\n\(rows)</tbody>\n")
    }

    /// The outcomes of a session's turns.
    private func outcomes(_ session: SessionResult) -> Markup {
        guard !session.turns.isEmpty else { return "<span class=\"none\">–</span>" }
        let groups = Dictionary(grouping: session.turns, by: \.outcome.name)
        let names = ["finished", "paused", "cancelled", "failed"]
        return Markup.join(
            names.compactMap { name in
                guard let turns = groups[name], let first = turns.first else { return nil }
                return HTMLPage.chip("\(turns.count) \(name)", .init(first.outcome))
            }, " ")
    }

    private func session(_ tape: AnalyzedTape, number: Int) -> Markup {
        let session = tape.session
        let turns = Markup.each(session.turns) { turn($0, of: session, number: number) }
        let isOpen: Markup = session.turns.isEmpty ? " open" : ""
        let exchanges = tables.exchanges(tape).compact
        let calls = tables.calls(tape).compact
        return """
            <article class="session" id="session-\(number)">
            <h3><bdi>\(tape.name)</bdi></h3>
            <p class="meta">Recorded: <bdi>\(ReportTables.origin(tape))</bdi>. \
            Dialect: \(ReportTables.dialects(tape)). \
            Length: \(Quantity.time(session.duration)).</p>
            \(turns)\(details("tool call", calls, ["call", "tool"], ""))\
            \(details("exchange", exchanges, ["method", "path"], isOpen))</article>

            """
    }

    /// A table that can be opened.
    private func details(
        _ noun: String, _ table: ReportTable, _ code: Set<String>, _ isOpen: Markup
    ) -> Markup {
        guard !table.rows.isEmpty else { return "" }
        let title = ReportTables.count(table.rows.count, noun)
        return """
            <details\(isOpen)><summary>\(title)</summary>
            \(self.table(table, "Each \(noun); times in milliseconds", code: code))</details>

            """
    }
}
