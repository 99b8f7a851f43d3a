internal import RepriseAnalysis
internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape

/// The tables that every readable form shows.
struct ReportTables {
    let report: Report

    /// Durations with two decimals; what is not there is a dash.
    static func time(_ nanoseconds: Int64?) -> String {
        nanoseconds.map { Milliseconds.text($0, decimals: 2) } ?? "–"
    }

    /// The name of a file: it may hold anything.
    static func name(_ name: String) -> String { SeenText.visible(name) }

    static func number(_ value: (some BinaryInteger)?) -> String {
        value.map { String($0) } ?? "–"
    }

    /// The metrics that have values, or would have if what they measure had not failed.
    var shownMetrics: [Metric] {
        report.metrics.filter { $0.distribution != nil || $0.adjusted?.failures ?? 0 > 0 }
    }

    /// Those metrics, a row each.
    var latency: ReportTable {
        var table = ReportTable(
            ["metric", "n", "mean", "sd", "p5", "p50", "p95", "p99", "max", "adj. p95", "failed"],
            numbersFrom: 1)
        for metric in shownMetrics {
            let values = metric.distribution
            let cell = { (value: Int64?) in value.map { ReportTables.cell($0, metric) } ?? "–" }
            table.rows.append([
                metric.unit == .milliseconds
                    ? metric.name : "\(metric.name) (\(metric.unit.rawValue))",
                String(values?.count ?? 0), cell(values?.mean), cell(values?.deviation),
                cell(values?.percentile(5)), cell(values?.percentile(50)),
                cell(values?.percentile(95)), cell(values?.percentile(99)), cell(values?.maximum),
                ReportTables.adjusted(metric, 95),
                metric.adjusted.map { String($0.failures) } ?? "–",
            ])
        }
        return table
    }

    private static func cell(_ value: Int64, _ metric: Metric) -> String {
        switch metric.unit {
        case .milliseconds: Milliseconds.text(value, decimals: 2)
        case .tokensPerSecond:
            Milliseconds.text(
                value.multipliedReportingOverflow(by: 1_000).partialValue, decimals: 1)
        }
    }

    private static func adjusted(_ metric: Metric, _ percent: Int) -> String {
        guard let adjusted = metric.adjusted,
            let index = Distribution.percents.firstIndex(of: percent)
        else { return "–" }
        return adjusted.percentiles[index].map { cell($0, metric) } ?? "∞"
    }

    /// Names and definitions of these metrics.
    var definitions: [(name: String, text: String)] {
        shownMetrics.map { ($0.name, "\($0.definition), of each \($0.scope.rawValue)") }
    }

    /// What the columns of the table of metrics mean, a sentence each.
    var latencyNotes: [String] {
        let hasHeadless = report.tapes.contains { tape in
            tape.session.streams.contains { !$0.hasRequest }
        }
        let hasAdjusted = latency.compact.columns.contains { $0.title == "adj. p95" }
        return [
            "n counts the values; streams and turns that failed or were stopped are left out",
            "t0 is when the request began; of one that was tried again, when the first try did",
        ] + (hasHeadless ? ["of a run without a request, t0 is its first event"] : [])
            + ["a stall is \(report.stallRule)"]
            + (hasAdjusted ? ["adj.: percentiles in which every failure counts as ∞"] : [])
    }

    var tools: ReportTable {
        var table = ReportTable(
            [
                "tool", "run by", "outcomes", "calls", "success", "retries", "arguments p50",
                "p95", "execution p50", "p95 ",
            ], numbersFrom: 3)
        table.columns[7].fullTitle = "arguments p95"
        table.columns[9].fullTitle = "execution p95"
        for tool in report.tools {
            let outcomes = tool.outcomes.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
            let success = tool.judged > 0 ? "\(tool.succeeded)/\(tool.judged)" : "–"
            table.rows.append([
                SeenText.shown(tool.name ?? "(no name)"), tool.side.rawValue, outcomes,
                String(tool.calls), success, tool.retries > 0 ? String(tool.retries) : "–",
                ReportTables.time(tool.argumentTime?.percentile(50)),
                ReportTables.time(tool.argumentTime?.percentile(95)),
                ReportTables.time(tool.executionTime?.percentile(50)),
                ReportTables.time(tool.executionTime?.percentile(95)),
            ])
        }
        return table
    }

    func turns(_ tape: AnalyzedTape) -> ReportTable {
        var table = ReportTable(
            [
                "turn", "operation", "outcome", "reason", "exchanges", "ttft (ms)",
                "latency (ms)", "text bytes", "tools", "credits",
            ], numbersFrom: 5)
        for turn in tape.session.turns {
            table.rows.append([
                String(turn.number), turn.operation ?? "–", turn.outcome.name,
                turn.outcome.reason ?? "–",
                turn.exchanges.map(String.init).joined(separator: ", "),
                ReportTables.time(turn.ttft), ReportTables.time(turn.latency),
                String(turn.textBytes), String(turn.toolCalls),
                turn.usage.flatMap(ReportTables.credits) ?? "–",
            ])
        }
        return table
    }

    /// The tool calls, one by one.
    func calls(_ tape: AnalyzedTape) -> ReportTable {
        var table = ReportTable(
            [
                "call", "tool", "run by", "turn", "outcome", "arguments", "argument bytes",
                "output bytes", "submissions", "argument time", "execution time", "handler time",
            ], numbersFrom: 6)
        for tool in tape.session.tools {
            table.rows.append([
                SeenText.shown(tool.id), SeenText.shown(tool.name ?? "(no name)"),
                tool.side.rawValue, ReportTables.number(tool.turn), tool.outcome.words,
                tool.hasValidArguments.map { $0 ? "JSON" : "no JSON" } ?? "–",
                String(tool.argumentBytes), ReportTables.number(tool.outputBytes),
                String(tool.submissions), ReportTables.time(tool.argumentTime),
                ReportTables.time(tool.executionTime), ReportTables.time(tool.handlerTime),
            ])
        }
        return table
    }

    func exchanges(_ tape: AnalyzedTape) -> ReportTable {
        var table = ReportTable(
            [
                "exchange", "method", "path", "status", "end", "turn", "bytes", "decoded",
                "duration (ms)",
            ],
            numbersFrom: 5)
        for exchange in tape.session.exchanges {
            table.rows.append([
                String(exchange.number), exchange.method, exchange.path,
                ReportTables.number(exchange.status),
                exchange.end?.rawValue ?? "recorder died", ReportTables.number(exchange.turn),
                String(exchange.wireBytes), String(exchange.bytes),
                ReportTables.time(exchange.duration),
            ])
        }
        return table
    }
}

extension ReportTables {
    /// The verdict in a word or two.
    var word: String {
        if report.verdict.isPassed { return "Passed" }
        // No rule is broken where a service says that it failed.
        let hasErrors = report.verdict.errors > 0 || report.verdict.unreadable > 0
        return hasErrors ? "Failed" : "Turns failed"
    }

    /// What the verdict rests on, in one line.
    var verdict: String {
        let verdict = report.verdict
        let turns = ReportTables.count(verdict.turns, "turn")
        let files = ReportTables.count(verdict.unreadable, "unreadable file")
        return "\(violations), \(verdict.failedTurns) of \(turns) failed"
            + (verdict.unreadable > 0 ? ", \(files)" : "")
    }

    /// The turns that failed, each with its tape.
    var failedTurns: [(tape: String, turn: TurnResult)] {
        report.tapes.flatMap { tape in
            tape.session.turns.filter(\.outcome.isFailure).map { (tape.name, $0) }
        }
    }

    /// How many violations there are, by severity.
    var violations: String {
        [
            ReportTables.count(report.verdict.errors, "error"),
            ReportTables.count(report.verdict.warnings, "warning"),
            ReportTables.count(report.verdict.infos, "info"),
        ].joined(separator: ", ")
    }

    /// What there is, as pairs of a name and a text.
    var summary: [(name: String, text: String)] {
        let summary = report.summary
        return [
            ("tapes", "\(summary.tapes), \(ReportTables.duration(summary.duration)) in all"),
            (
                "exchanges",
                "\(summary.exchanges)"
                    + (summary.reusedConnections > 0
                        ? ", \(summary.reusedConnections) over a connection used before" : "")
            ),
            ("turns", ReportTables.counts(summary.turns)),
            ("streams", ReportTables.counts(summary.streams)),
            ("events", "\(summary.events), \(content)"),
            ("text", ReportTables.count(summary.textBytes, "byte")),
            (
                "transfer",
                "\(ReportTables.count(summary.wireBytes, "byte")), \(summary.bytes) decoded"
            ),
            (
                "stalls",
                "\(summary.byteStalls) without a byte, \(summary.eventStalls) with heartbeats only"
            ),
        ]
    }

    /// How much content came, and whether some of it came at once.
    var content: String {
        let pieces = ReportTables.count(report.summary.pieces, "piece") + " of content"
        let bursts = report.summary.bursts
        return bursts == 0
            ? pieces
            : pieces + ", \(ReportTables.count(bursts, "read")) that brought several pieces"
    }

    static func count(_ count: Int, _ noun: String) -> String { Counted.text(count, noun) }

    /// A duration with its unit.
    static func duration(_ nanoseconds: Int64) -> String {
        let text = Milliseconds.text(nanoseconds, decimals: 2)
        return Milliseconds.isInRange(nanoseconds) ? text + " ms" : text
    }

    private static func counts(_ counts: [Report.Summary.Count]) -> String {
        let total = counts.reduce(0) { $0 + $1.count }
        let parts = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        if parts.count == 1 { return parts[0] }
        return parts.isEmpty ? "0" : "\(total): " + parts.joined(separator: ", ")
    }

    /// What the servers reported.
    var usage: String {
        guard let usage = report.usage else { return "no server reported tokens or credits" }
        var texts = ReportTables.counts(of: usage).compactMap { name, count in
            count.map { "\($0) \(name)" }
        }
        if let credits = ReportTables.credits(usage) { texts.append("credits: \(credits)") }
        return texts.joined(separator: ", ") + " (reported)"
    }

    /// The token counts, those that nobody reported included.
    static func counts(of usage: Usage) -> [(name: String, count: Int64?)] {
        [
            ("input", usage.input), ("output", usage.output), ("cached", usage.cached),
            ("reasoning", usage.reasoning), ("total", usage.total),
        ]
    }

    /// The credits of all streams; where the vendor's client knows of others, those too.
    static func credits(_ usage: Usage) -> String? {
        guard let credits = usage.credits else { return nil }
        let sum = Credits.text(credits)
        guard let known = usage.clientCredits, known != credits else { return sum }
        return "\(sum) (\(Credits.text(known)) by the vendor's client)"
    }

    /// Where a violation shows.
    static func place(_ located: Report.Located) -> String {
        ([name(located.tape)] + parts(of: located.violation.place)).joined(separator: " · ")
    }

    /// A place on a tape, from the whole to the part.
    static func parts(of place: Place) -> [String] {
        var parts: [String] = []
        if place.exchange > 0 { parts.append("exchange \(place.exchange)") }
        if let frame = place.frame { parts.append("frame \(frame)") }
        if let offset = place.offset { parts.append("byte \(offset)") }
        if let time = place.time { parts.append(duration(time)) }
        return parts
    }

    /// Which dialects read a tape and why.
    static func dialects(_ tape: AnalyzedTape) -> String {
        let uses = tape.session.dialects.map { use in
            "\(use.name) (\(use.reason.words), \(count(use.exchanges, "exchange")))"
        }
        return uses.isEmpty ? "none: no exchange" : uses.joined(separator: ", ")
    }

    /// What made the report.
    static let analyzer = "reprise \(RepriseVersion.text)"

    /// Who recorded what when.
    static func origin(_ tape: AnalyzedTape) -> String {
        guard let session = tape.session.session else { return "no session frame" }
        return SeenText.shown("\(session.session) at \(session.wall) by \(session.recorder)")
    }
}

extension DialectUse.Reason {
    /// The reason in words.
    var words: String {
        switch self {
        case .forced: "asked for"
        case .client: "the tape names the client"
        case .request: "by the request"
        case .event: "by the first event"
        case .none: "no other claims it"
        }
    }
}
