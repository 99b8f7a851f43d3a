internal import RepriseAnalysis
internal import RepriseReport

/// `reprise check`
struct CheckCommand: Command {
    static let help = CommandHelp(
        name: "check",
        abstract: "Check recorded sessions against the protocol's rules",
        discussion: [
            "Shows every violation with where it is, what was expected and what was seen. Exit "
                + "status: 1 if any of them is an error or a file cannot be read, else 0: a turn "
                + "that failed is told, and is no violation by itself."
        ],
        positionals: [AnalysisInput.positional],
        options: AnalysisInput.options,
        examples: [
            ("reprise check chat.tape", "One recording."),
            ("reprise check Recordings --config rules.json", "Many, some rules switched off."),
        ])

    private let input: AnalysisInput

    init(_ arguments: ParsedArguments) throws {
        input = try AnalysisInput(arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let report = try input.analyze(terminal)
        terminal.output.write(terminal.textReport.renderViolations(report))
        return report.verdict.errors > 0 || !report.unreadable.isEmpty ? .failure : .success
    }
}
