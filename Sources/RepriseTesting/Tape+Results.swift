internal import Reprise
public import RepriseAnalysis
public import RepriseSession
internal import RepriseTape
public import Testing

extension Tape {
    /// What the tape says, read by all dialects that there are: of a replay what was recorded, of a
    /// recording under way what has been recorded so far.
    ///
    /// Where the file cannot be read an issue is recorded, and the result is empty.
    public var session: SessionResult { analyzed?.session ?? SessionResult() }

    /// The turns of the session, in the order of their beginnings.
    public var turns: [Turn] { session.turns.map(Turn.init) }

    /// What is wrong with the session, in the order of the tape.
    public var violations: [Violation] {
        // A recording under way has no end yet.
        session.violations.filter { activity == .replaying || !$0.rule.hasPrefix("tape.") }
    }

    /// The report on this tape alone.
    public var report: Report { Report(analyzed.map { [$0] } ?? [], rules: Registry.rules) }

    /// Expects the session to break no rule.
    ///
    /// - Parameters:
    ///   - ids: Rules that it may break, by their ids, e.g. `sse.S3`.
    ///   - severity: How bad a violation is at least to count.
    ///   - sourceLocation: Where the issue is told, one for each violation.
    public func expectNoViolations(
        except ids: Set<String> = [], from severity: Severity = .warning,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for violation in violations
        where violation.severity >= severity && !ids.contains(violation.rule) {
            Issue.record(Comment(rawValue: text(violation)), sourceLocation: sourceLocation)
        }
    }

    private var analyzed: AnalyzedTape? {
        do {
            return try analysis { file in
                try AnalyzedTape(
                    TapeFile(name: fileName, path: file), dialects: Registry.dialects,
                    options: AnalysisOptions())
            }
        } catch {
            Issue.record("the tape \(name) cannot be analyzed: \(error)")
            return nil
        }
    }

    private var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    private func text(_ violation: Violation) -> String {
        let title = Registry.rules.first { $0.id == violation.rule }?.title ?? ""
        let frame = violation.place.frame.map { ", frame \($0)" } ?? ""
        return """
            \(violation.rule) (\(violation.severity.rawValue)): \(title)
            expected \(violation.expected)
            seen     \(violation.seen)
            at exchange \(violation.place.exchange)\(frame) of \(path)
            """
    }
}
