internal import RepriseAnalysis
internal import RepriseSession

extension HTMLPage {
    /// What is wrong, most severe first.
    var violations: Markup {
        let findings = Markup.each(report.findings.enumerated()) { index, finding in
            self.finding(finding, number: index + 1)
        }
        let body: Markup = report.findings.isEmpty ? "<p>None.</p>\n" : findings
        guard !report.configured.isEmpty else { return body }
        var table = ReportTable(["rule", "severity", "reason"], numbersFrom: 3)
        table.rows = report.configured.map { item in
            [item.rule, item.entry.severity?.rawValue ?? "off", item.entry.reason]
        }
        let caption = "Rules that the configuration grades otherwise"
        return body + "<h3>\(caption)</h3>\n" + self.table(table, caption, code: ["rule"])
    }

    private func finding(_ finding: Report.Finding, number: Int) -> Markup {
        let shown = finding.violations.prefix(violationLimit)
        let rest = finding.count - shown.count
        let more: Markup = rest > 0 ? "<p class=\"note\">And \(rest) more.</p>\n" : ""
        return """
            <article class="finding \(finding.severity.rawValue)" id="finding-\(number)">
            <h3><span class="severity">\(finding.severity.rawValue)</span> \
            <code>\(finding.rule.id)</code> \(finding.rule.title)\
            \(HTMLPage.times(finding.count))</h3>
            <p class="why">\(HTMLPage.prose(finding.rule.explanation)) \
            <cite>Source: \(finding.rule.source).</cite></p>
            <ol>
            \(Markup.each(shown, violation))</ol>
            \(more)</article>

            """
    }

    /// A sentence of ours, in which code stands between backticks.
    private static func prose(_ text: String) -> Markup {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard !parts.count.isMultiple(of: 2) else { return "\(text)" }
        return Markup.each(parts.enumerated()) { index, part in
            index.isMultiple(of: 2) ? "\(part)" : "<code>\(part)</code>"
        }
    }

    private func violation(_ located: Report.Located) -> Markup {
        let violation = located.violation
        let parts = ReportTables.parts(of: violation.place).joined(separator: " · ")
        let position: Markup = parts.isEmpty ? "" : " · \(parts)"
        return """
            <li><p class="where">\(link(to: located))\(position)</p>
            <dl class="pair"><dt>expected</dt><dd>\(violation.expected)</dd>\
            <dt>seen</dt><dd>\(violation.seen)</dd></dl>
            \(violation.event.map(excerpt) ?? "")</li>

            """
    }

    /// The recording, as a link to the turn or the session.
    private func link(to located: Report.Located) -> Markup {
        guard let index = report.tapes.firstIndex(where: { $0.name == located.tape }) else {
            return "<bdi>\(located.tape)</bdi>"
        }
        let exchanges = report.tapes[index].session.exchanges
        let turn = exchanges.first { $0.number == located.violation.place.exchange }?.turn
        let anchor: Markup = turn.map { "-turn-\($0)" } ?? ""
        return "<a href=\"#session-\(index + 1)\(anchor)\"><bdi>\(located.tape)</bdi></a>"
    }

    /// The event around a violation, with a mark at the place.
    private func excerpt(_ event: Excerpt) -> Markup {
        let title = event.isAround ? "the event" : "the last event before it"
        // A place that is the event as a whole needs no mark.
        let mark = event.before.isEmpty ? "" : String(event.after.prefix(1))
        let marked: Markup = mark.isEmpty ? "" : "<mark>\(mark)</mark>"
        return """
            <figure class="event"><figcaption>\(title), at byte \(event.offset)</figcaption>\
            <pre><code>\(event.before)\(marked)\(String(event.after.dropFirst(mark.count)))\
            </code></pre></figure>

            """
    }
}
