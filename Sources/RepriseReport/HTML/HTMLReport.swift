public import RepriseAnalysis

/// Writes the report as a web page: one file, readable without scripts, that asks for no other.
public struct HTMLReport: Sendable {
    /// How many violations of a rule are shown.
    public var violationLimit: Int

    /// A writer; by default 20 violations of a rule.
    public init(violationLimit: Int = 20) { self.violationLimit = violationLimit }

    /// The page, each line ended.
    public func render(_ report: Report) -> String {
        HTMLPage(report: report, violationLimit: violationLimit).document.text
    }
}

/// The page in the making: each section is an extension of its own.
struct HTMLPage {
    let report: Report
    let tables: ReportTables
    let violationLimit: Int

    init(report: Report, violationLimit: Int) {
        self.report = report
        tables = ReportTables(report: report)
        self.violationLimit = violationLimit
    }

    /// The sections in their order.
    private var sections: [(id: String, title: String, body: Markup)] {
        [
            ("summary", "Summary", summary), ("latency", "Latency", latency),
            ("usage", "Usage", usage), ("tools", "Tools", tools),
            ("violations", "Violations", violations), ("sessions", "Sessions", sessions),
            ("provenance", "Provenance", provenance),
        ]
    }

    var document: Markup {
        let sections = sections
        // What a page could ask for, it is denied here.
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="generator" content="\(ReportTables.analyzer)">
            <title>\(tables.word): \(subject) · Reprise</title>
            <style>
            \(StyleSheet.all)</style>
            </head>
            <body>
            \(header)<nav aria-label="Sections"><ul>
            \(Markup.each(sections) { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" })\
            </ul></nav>
            <main>
            \(Markup.each(sections) { section($0.id, $0.title, $0.body) })</main>
            <footer><p>Made by \(ReportTables.analyzer) from the recordings alone: the same \
            recordings give the same bytes.</p></footer>
            </body>
            </html>

            """
    }

    private func section(_ id: String, _ title: String, _ body: Markup) -> Markup {
        """
        <section id="\(id)" aria-labelledby="\(id)-title">
        <h2 id="\(id)-title">\(title)</h2>
        \(body)</section>

        """
    }

    /// What the report is about, in short.
    var subject: String {
        report.tapes.count == 1
            ? report.tapes[0].name : ReportTables.count(report.tapes.count, "recording")
    }
}
