internal import RepriseAnalysis
internal import RepriseTape

extension HTMLPage {
    /// What the report was made from, and by what.
    var provenance: Markup {
        var table = ReportTable(
            ["recording", "state", "SHA-256", "format", "bytes", "frames"], numbersFrom: 3)
        for tape in report.tapes {
            table.rows.append([
                tape.name, tape.session.tape.isSealed ? "sealed" : "unsealed", tape.sha256,
                tape.session.session.map { String($0.version) } ?? "–", String(tape.size),
                String(tape.session.tape.frames),
            ])
        }
        let recordings: Markup =
            table.rows.isEmpty
            ? "<p>No recording.</p>\n" : self.table(table, "Recordings", code: ["SHA-256"])
        let skipped = Markup.each(report.skipped) { name in
            "<li><bdi>\(name)</bdi>: no recording, passed over</li>\n"
        }
        let list: Markup = report.skipped.isEmpty ? "" : "<ul class=\"notes\">\n\(skipped)</ul>\n"
        return recordings + list
            + """
            <p class="note">Analyzed by \(ReportTables.analyzer). Percentiles are exact: linear \
            interpolation, adjusted ones by nearest rank.</p>

            """
    }
}
