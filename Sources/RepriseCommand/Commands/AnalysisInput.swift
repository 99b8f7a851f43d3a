internal import Reprise
internal import RepriseAnalysis
internal import RepriseSession
internal import RepriseTape

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What `report` and `check` analyze, and how.
struct AnalysisInput {
    static let positional = CommandHelp.Positional(
        name: "PATH", maximum: nil,
        text: "A tape, a .jsonl file, a folder of them, or - for standard input.")
    static let options: [CommandHelp.Option] = [
        .value(
            "--dialect", "NAME",
            "Read everything as this protocol: \(Registry.dialectNames.joined(separator: ", "))."),
        .value(
            "--config", "FILE",
            "A JSON file that switches rules off or grades them: {\"rules\": {\"sse.S6\": "
                + "{\"severity\": \"off\", \"reason\": \"...\"}}}."),
    ]

    private let paths: [String]
    private let dialect: String?
    private let config: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.positionals
        let names = Registry.dialectNames.joined(separator: ", ")
        dialect = try arguments.value("--dialect", "one of \(names)") {
            Registry.dialectNames.contains($0) ? $0 : nil
        }
        config = arguments.value("--config")
        if paths.count(where: { $0 == "-" }) > 1 {
            throw UsageError("standard input can be read only once")
        }
    }

    /// Analyzes everything; says on standard error how far it is and what it passes over.
    func analyze(_ terminal: Terminal) throws -> Report {
        let options = try options()
        let files = try TapeFile.files(paths)
        guard !files.isEmpty else { throw CommandFailure("there is no .tape or .jsonl file") }
        var tapes: [AnalyzedTape] = []
        var skipped: [String] = []
        for (index, file) in files.enumerated() {
            terminal.progress("analyzing \(index + 1) of \(files.count): \(file.name)")
            do {
                tapes.append(
                    try AnalyzedTape(file, dialects: Registry.dialects, options: options))
            } catch let error where file.isFound && error.isNoRecording {
                skipped.append(file.name)
            } catch {
                throw CommandFailure("\(file.path): \(error)")
            }
        }
        terminal.progress("")
        for name in skipped { terminal.complain("\(name) is no recording, passed over") }
        return Report(tapes, rules: Registry.rules, options: options, skipped: skipped)
    }

    private func options() throws -> AnalysisOptions {
        var options = AnalysisOptions(dialect: dialect)
        guard let config else { return options }
        guard let data = FileManager.default.contents(atPath: config) else {
            throw CommandFailure("cannot read \(config)")
        }
        do {
            try options.configure(
                json: Array(data), known: Set(Registry.rules.map(\.id)))
        } catch {
            throw CommandFailure("\(config): \(error)")
        }
        return options
    }
}

extension TapeError {
    /// Whether the file is something else than a recording, by its beginning.
    fileprivate var isNoRecording: Bool { code == .notATape || code == .badLine }
}
