public import RepriseSession
internal import RepriseTape

extension Report {
    /// Sums recordings up.
    ///
    /// - Parameters:
    ///   - tapes: The recordings, in the order in which they stand in the report.
    ///   - rules: All rules that there are.
    ///   - options: How they were analyzed.
    ///   - skipped: Files in the folders that are no recordings.
    ///   - unreadable: Files that should be recordings and cannot be read.
    public init(
        _ tapes: [AnalyzedTape], rules: [Rule], options: AnalysisOptions = AnalysisOptions(),
        skipped: [String] = [], unreadable: [UnreadableFile] = []
    ) {
        let sessions = tapes.map(\.session)
        findings = Report.findings(tapes, rules)
        summary = Summary(sessions)
        verdict = Verdict(findings, summary)
        verdict.unreadable = unreadable.count
        metrics = MetricTable(sessions).metrics
        usage = Usage(sumOf: sessions.flatMap(\.turns).compactMap(\.usage))
        tools = Report.tools(sessions.flatMap(\.tools))
        configured = options.rules.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.tapes = tapes
        self.skipped = skipped
        self.unreadable = unreadable
        stallRule =
            "a gap above the larger of \(options.stallFactor) times the stream's median gap and "
            + "\(Milliseconds.text(options.stallFloor)) ms"
    }

    private static func findings(_ tapes: [AnalyzedTape], _ rules: [Rule]) -> [Finding] {
        var located: [String: [Located]] = [:]
        var omitted: [String: Int] = [:]
        for tape in tapes {
            for violation in tape.session.violations {
                located[violation.rule, default: []].append(
                    Located(tape: tape.name, violation: violation))
            }
            omitted.merge(tape.session.omitted, uniquingKeysWith: +)
        }
        let findings = rules.compactMap { rule -> Finding? in
            guard let list = located[rule.id], let first = list.first else { return nil }
            return Finding(
                rule: rule, severity: first.violation.severity,
                count: list.count + (omitted[rule.id] ?? 0), violations: list)
        }
        // Within a severity in the order of the rules.
        return Severity.allCases.reversed().flatMap { severity in
            findings.filter { $0.severity == severity }
        }
    }

    private static func tools(_ rows: [ToolResultRow]) -> [ToolSummary] {
        let groups = Dictionary(grouping: rows) { "\($0.side.rawValue) \($0.name ?? "")" }
        return groups.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap {
            groups[$0].flatMap(ToolSummary.init)
        }
    }
}

extension Report.Verdict {
    init(_ findings: [Report.Finding], _ summary: Report.Summary) {
        let count = { (severity: Severity) in
            findings.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
        }
        errors = count(.error)
        warnings = count(.warning)
        infos = count(.info)
        failedTurns = summary.turns.first { $0.name == "failed" }?.count ?? 0
        turns = summary.turns.reduce(0) { $0 + $1.count }
    }
}

extension Report.Summary {
    init(_ sessions: [SessionResult]) {
        let streams = sessions.flatMap(\.streams)
        let exchanges = sessions.flatMap(\.exchanges)
        tapes = sessions.count
        self.exchanges = exchanges.count
        reusedConnections = exchanges.count { $0.phases?.reused == true }
        let names = ["finished", "paused", "cancelled", "failed"]
        turns = Report.Summary.counts(sessions.flatMap(\.turns).map(\.outcome.name), names)
        self.streams = Report.Summary.counts(streams.map(\.outcome.name), names + ["retried"])
        events = streams.reduce(0) { $0 + $1.events }
        pieces = streams.reduce(0) { $0 + $1.pieces }
        bursts = streams.reduce(0) { $0 + $1.bursts }
        textBytes = sessions.flatMap(\.turns).reduce(0) { $0 + $1.textBytes }
        wireBytes = exchanges.reduce(0) { $0 + $1.wireBytes }
        bytes = exchanges.reduce(0) { $0 + $1.bytes }
        byteStalls = streams.reduce(0) { $0 + $1.byteStalls.count }
        eventStalls = streams.reduce(0) { $0 + $1.eventStalls.count }
        duration = sessions.reduce(0) {
            let (sum, overflow) = $0.addingReportingOverflow($1.duration)
            return overflow ? .max : sum
        }
    }

    private static func counts(_ values: [String], _ names: [String]) -> [Count] {
        names.map { name in Count(name: name, count: values.count { $0 == name }) }
    }
}

extension Report.ToolSummary {
    init?(_ rows: [ToolResultRow]) {
        guard let first = rows.first else { return nil }
        name = first.name
        side = first.side
        calls = rows.count
        outcomes = ToolOutcome.allCases.compactMap { outcome in
            let count = rows.count { $0.outcome == outcome }
            return count > 0 ? Report.Summary.Count(name: outcome.rawValue, count: count) : nil
        }
        judged = rows.count { $0.outcome != .unknown }
        succeeded = rows.count { $0.outcome == .succeeded }
        retries = rows.reduce(0) { $0 + max(0, $1.submissions - 1) }
        argumentTime = Distribution(rows.compactMap(\.argumentTime))
        executionTime = Distribution(rows.compactMap(\.executionTime))
    }
}
