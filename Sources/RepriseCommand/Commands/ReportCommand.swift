internal import RepriseAnalysis
internal import RepriseReport
internal import RepriseSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `reprise report`
struct ReportCommand: Command {
    static let help = CommandHelp(
        name: "report",
        abstract: "Report what happened in recorded sessions",
        discussion: [
            "Turns, latency, token usage as reported, tool outcomes and violations of the protocol,"
                + " over one recording or many. Folders are searched for .tape and .jsonl files.",
            "The same recordings give the same bytes, wherever and whenever the report is made. "
                + "Ends with 1 if a file cannot be read; the report is on the others.",
        ],
        positionals: [AnalysisInput.positional],
        options: [
            .value(
                "--output", short: "-o", "DIR",
                "Write report.txt, .json, .md and .html there, as --format says; - is standard "
                    + "output, as without it."),
            .value(
                "--format", "FORMATS",
                "text, json, markdown, html, or several with commas between them. By default text, "
                    + "and with --output all of them."),
        ] + AnalysisInput.options,
        examples: [
            ("reprise report Recordings", "Everything below a folder, in the terminal."),
            ("reprise report chat.tape --format json", "For a program to read."),
            ("reprise report Recordings -o Reports", "All forms, as files."),
            ("reprise report chat.tape --format html > chat.html", "For a browser."),
        ])

    private let input: AnalysisInput
    private let folder: String?
    private let formats: [ReportFormat]

    init(_ arguments: ParsedArguments) throws {
        input = try AnalysisInput(arguments)
        folder = arguments.value("--output").flatMap { $0 == "-" ? nil : $0 }
        let given = try arguments.value("--format", "text, json, markdown, html or several of them")
        {
            ReportCommand.formats($0)
        }
        formats = given ?? (folder == nil ? [.text] : ReportFormat.allCases)
        if folder == nil && formats.count > 1 {
            throw UsageError("several formats need --output DIR: standard output takes one")
        }
    }

    private static func formats(_ text: String) -> [ReportFormat]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let formats = names.compactMap(ReportFormat.init)
        return formats.count == names.count && Set(formats).count == formats.count ? formats : nil
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let report = try input.analyze(terminal)
        guard let folder else {
            terminal.output.write(render(report, terminal))
            return status(report)
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for format in formats {
                try Data(format.render(report).utf8).write(
                    to: URL(filePath: "\(folder)/\(format.fileName)"), options: .atomic)
            }
        } catch {
            throw CommandFailure(
                "cannot write the report into \(folder): \(SystemText.reason(of: error))")
        }
        for format in formats {
            terminal.print(OutputStream.line("\(folder)/\(format.fileName)"))
        }
        return status(report)
    }

    private func status(_ report: Report) -> ExitStatus {
        report.unreadable.isEmpty ? .success : .failure
    }

    private func render(_ report: Report, _ terminal: Terminal) -> String {
        let isText = formats == [.text]
        if isText { return terminal.textReport.render(report) }
        let text = formats.map { $0.render(report) }.joined()
        return formats == [.json] ? terminal.output.harmless(json: text) : text
    }
}

extension Terminal {
    /// A writer that fits standard output.
    var textReport: TextReport {
        TextReport(width: min(output.width, 140)) { [output] text, style in
            switch style {
            case .heading: output.styled(text, .bold)
            case .faint: output.styled(text, .faint)
            case .good: output.styled(text, .green)
            case .bad: output.styled(text, .red)
            case .doubtful: output.styled(text, .yellow)
            case .notable: output.styled(text, .blue)
            }
        }
    }
}
