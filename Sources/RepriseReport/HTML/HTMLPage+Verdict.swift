internal import RepriseAnalysis
internal import RepriseSession

extension HTMLPage {
    /// The verdict, and what it rests on.
    var header: Markup {
        let isPassed = report.verdict.isPassed
        return """
            <header class="\(isPassed ? "good" : "bad")">
            <p class="kicker">Session report · <bdi>\(subject)</bdi></p>
            <h1><span class="sign" aria-hidden="true">\(isPassed ? "✓" : "✕")</span> \
            \(tables.word)</h1>
            <p class="lead">\(tables.verdict)</p>
            \(reasons)<p class="note">A report passes where no violation is an error, no turn \
            failed and every file could be read.</p>
            </header>

            """
    }

    /// Errors and failed turns: why the verdict is what it is.
    private var reasons: Markup {
        let errors = report.findings.enumerated().filter { $0.element.severity == .error }
        let failures = failedTurns
        guard !report.verdict.isPassed else { return "" }
        let files = Markup.each(report.unreadable) { file in
            "<li><bdi>\(file.name)</bdi>: \(file.reason)</li>\n"
        }
        let rules = Markup.each(errors) { index, finding in
            """
            <li><a href="#finding-\(index + 1)"><code>\(finding.rule.id)</code> \
            \(finding.rule.title)</a>\(HTMLPage.times(finding.count))</li>

            """
        }
        let shown = Markup.each(failures.prefix(10)) { tape, turn in
            """
            <li><a href="#session-\(tape)-turn-\(turn.number)"><bdi>\(report.tapes[tape - 1].name)\
            </bdi>, turn \(turn.number)</a>: <bdi>\(turn.outcome.words)</bdi></li>

            """
        }
        let rest = failures.count - min(failures.count, 10)
        let more: Markup =
            rest > 0 ? "<li>and \(ReportTables.count(rest, "failed turn")) more</li>\n" : ""
        return "<ul class=\"reasons\">\n\(files)\(rules)\(shown)\(more)</ul>\n"
    }

    /// Turns that failed, with the number of their session.
    private var failedTurns: [(tape: Int, turn: TurnResult)] {
        report.tapes.enumerated().flatMap { index, tape in
            tape.session.turns.filter(\.outcome.isFailure).map { (index + 1, $0) }
        }
    }

    /// How often something is, where that is more than once.
    static func times(_ count: Int) -> Markup {
        count > 1 ? " <span class=\"times\">\(Quantity.count(count)) times</span>" : ""
    }
}

extension HTMLPage {
    /// How much there is of what.
    var summary: Markup {
        let summary = report.summary
        let stalls = summary.byteStalls + summary.eventStalls
        return """
            <dl class="tiles">
            \(tile("turns", report.verdict.turns, HTMLPage.counts(summary.turns)))\
            \(tile("streams", total(summary.streams), HTMLPage.counts(summary.streams)))\
            \(tile("exchanges", summary.exchanges, connections))\
            \(tile("events", summary.events, tables.content))\
            \(tile("bytes of text", summary.textBytes, "UTF-8"))\
            \(tile("bytes received", summary.wireBytes, decoded))\
            \(tile("stalls", stalls, silence))\
            \(tile("recordings", summary.tapes, "\(Quantity.time(summary.duration)) in all"))</dl>
            \(proportions)
            """
    }

    private var connections: String {
        "\(report.summary.reusedConnections) over a connection used before"
    }

    private var decoded: String { "\(Quantity.count(report.summary.bytes)) decoded" }

    private var silence: String {
        let summary = report.summary
        return "\(summary.byteStalls) without a byte, \(summary.eventStalls) with heartbeats only"
    }

    private func total(_ counts: [Report.Summary.Count]) -> Int {
        counts.reduce(0) { $0 + $1.count }
    }

    private func tile(_ name: String, _ count: Int, _ note: String) -> Markup {
        """
        <div><dt>\(name)</dt><dd><b>\(Quantity.count(count))</b> <small>\(note)</small></dd></div>

        """
    }

    static func counts(_ counts: [Report.Summary.Count]) -> String {
        let parts = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    /// The turns by outcome, side by side.
    private var proportions: Markup {
        let counts = report.summary.turns.filter { $0.count > 0 }
        guard !counts.isEmpty else { return "" }
        let parts = Markup.each(counts) { part in
            "<i class=\"\(part.name)\" style=\"flex-grow:\(part.count)\"></i>"
        }
        return "<p class=\"share\" aria-hidden=\"true\">\(parts)</p>\n"
    }
}
