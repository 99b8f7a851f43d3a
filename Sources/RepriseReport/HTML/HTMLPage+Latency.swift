internal import RepriseAnalysis

extension HTMLPage {
    /// The durations, by what they are measured on, each with its definition and its n.
    var latency: Markup {
        let table = tables.latency.compact
        let metrics = tables.shownMetrics
        guard !metrics.isEmpty else { return "<p>No stream came to its end.</p>\n" }
        let shape = ReportTable.Column(title: "shape")
        let columns = [table.columns[0], shape] + table.columns.dropFirst()
        let bodies = Markup.each([Metric.Scope.exchange, .stream, .turn]) { scope in
            let rows = zip(metrics, table.rows).filter { $0.0.scope == scope }
            guard !rows.isEmpty else { return "" }
            return """
                <tbody>
                <tr class="group"><th scope="rowgroup" colspan="\(columns.count)">\
                \(scope.words)</th></tr>
                \(Markup.each(rows) { row(of: $0, $1, columns) })</tbody>

                """
        }
        return """
            <p>Milliseconds, where nothing else is said.</p>
            \(HTMLPage.frame("Latency", HTMLPage.head(columns), bodies, isDense: true))\(notes)
            """
    }

    private func row(
        of metric: Metric, _ row: [String], _ columns: [ReportTable.Column]
    ) -> Markup {
        let cells = Markup.each(zip(columns.dropFirst(2), row.dropFirst())) { column, cell in
            HTMLPage.cell(column, "\(cell)")
        }
        return """
            <tr><th scope="row"><code>\(row[0])</code> <small>\(metric.definition)</small></th>\
            <td class="shape" aria-hidden="true">\(shape(of: metric))</td>\(cells)</tr>

            """
    }

    /// From 0 to the maximum: a line from p5 to p95, a bar from p25 to p75, a mark at p50.
    private func shape(of metric: Metric) -> Markup {
        guard let values = metric.distribution, values.count > 1,
            let p5 = values.percentile(5), let p25 = values.percentile(25),
            let p50 = values.percentile(50), let p75 = values.percentile(75),
            let p95 = values.percentile(95)
        else { return "" }
        let bar = { (name: Markup, start: Int64, end: Int64) -> Markup in
            let left = Quantity.percent(start, of: values.maximum)
            let width = Quantity.percent(end - start, of: values.maximum)
            return "<i class=\"\(name)\" style=\"left:\(left);width:\(width)\"></i>"
        }
        return """
            <span class="box">\(bar("range", p5, p95))\(bar("middle", p25, p75))\
            \(bar("median", p50, p50))</span>
            """
    }

    private var notes: Markup {
        let notes = Markup.each(tables.latencyNotes) { note in
            "<li>\(note.prefix(1).uppercased() + note.dropFirst()).</li>\n"
        }
        return """
            <ul class="notes">
            \(notes)<li>Shape: from 0 to the row’s maximum; line p5 to p95, bar p25 to p75, mark p50.</li>
            </ul>

            """
    }
}

extension Metric.Scope {
    fileprivate var words: String {
        switch self {
        case .exchange: "Of each request"
        case .stream: "Of each reply stream that came to its end as the protocol has it"
        case .turn: "Of each turn that came to its end as the protocol has it"
        }
    }
}
