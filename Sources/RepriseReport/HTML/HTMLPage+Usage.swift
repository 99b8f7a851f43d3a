internal import RepriseAnalysis
internal import RepriseSession

extension HTMLPage {
    /// The most turns of which the usage is listed.
    private static var usageLimit: Int { 200 }

    /// What the servers reported.
    var usage: Markup {
        guard let usage = report.usage else {
            return "<p>No server reported tokens or credits.</p>\n"
        }
        let tiles = Markup.each(HTMLPage.figures(of: usage)) { name, figure in
            guard let figure else { return "" }
            return "<div><dt>\(name)</dt><dd><b>\(figure)</b></dd></div>\n"
        }
        return """
            <dl class="tiles">
            \(tiles)</dl>
            <p class="note">As the servers reported them, summed over the turns.</p>
            \(usageByTurn)
            """
    }

    /// Tokens and credits, those that nobody reported included.
    private static func figures(of usage: Usage) -> [(name: String, figure: String?)] {
        let tokens = ReportTables.counts(of: usage).map { item in
            (name: "\(item.name) tokens", figure: item.count.map { Quantity.count($0) })
        }
        return tokens + [
            ("credits, all streams", usage.credits.map(Credits.text)),
            ("credits, by the vendor’s client", usage.clientCredits.map(Credits.text)),
        ]
    }

    private var usageByTurn: Markup {
        let rows = report.tapes.flatMap { tape in
            tape.session.turns.compactMap { turn in turn.usage.map { (tape.name, turn, $0) } }
        }
        let names = HTMLPage.figures(of: Usage()).map(\.name)
        var table = ReportTable(["recording", "turn"] + names, numbersFrom: 1)
        for (name, turn, usage) in rows.prefix(HTMLPage.usageLimit) {
            table.rows.append(
                [name, String(turn.number)]
                    + HTMLPage.figures(of: usage).map { $0.figure ?? "–" })
        }
        let rest = rows.count - table.rows.count
        let more: Markup = rest > 0 ? "<p>And \(ReportTables.count(rest, "turn")) more.</p>\n" : ""
        return self.table(table.compact, "Usage by turn") + more
    }

    /// The tools, by name.
    var tools: Markup {
        guard !report.tools.isEmpty else { return "<p>No tool was called.</p>\n" }
        return """
            \(table(tables.tools.compact, "Tools", code: ["tool"]))<ul class="notes">
            <li>arguments: milliseconds from a call’s start to its complete arguments; \
            execution: from there to its result.</li>
            <li>success: calls that succeeded, of those whose outcome is known; retries: results \
            that were submitted again.</li>
            </ul>

            """
    }
}
