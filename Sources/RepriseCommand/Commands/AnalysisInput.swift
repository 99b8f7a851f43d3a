internal import Reprise
internal import RepriseAnalysis
internal import RepriseSession
internal import RepriseSupport
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

    /// Analyzes everything that can be read; says on standard error how far it is, what it passes
    /// over, and what cannot be read.
    func analyze(_ terminal: Terminal) throws -> Report {
        let options = try options()
        let found = TapeFiles(paths)
        guard !found.files.isEmpty || !found.unreadable.isEmpty else {
            throw CommandFailure("there is no .tape or .jsonl file")
        }
        var tapes: [AnalyzedTape] = []
        var skipped: [String] = []
        var unreadable = found.unreadable
        for (index, file) in found.files.enumerated() {
            terminal.progress("analyzing \(index + 1) of \(found.files.count): \(file.name)")
            do {
                tapes.append(
                    try AnalyzedTape(file, dialects: Registry.dialects, options: options))
            } catch let error where file.isFound && error.saysNoRecording(file.name) {
                skipped.append(file.name)
            } catch {
                unreadable.append(
                    UnreadableFile(name: file.name, path: file.path, reason: error.reason))
            }
        }
        terminal.progress("")
        for path in found.repeated { terminal.complain("\(path) is named twice, read once") }
        for name in skipped { terminal.complain("\(name) is no recording, passed over") }
        if tapes.isEmpty, unreadable.count == 1, let file = unreadable.first {
            throw CommandFailure("\(file.path): \(file.reason)")
        }
        for file in unreadable { terminal.complain("\(file.path): \(file.reason)") }
        unreadable.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return Report(
            tapes, rules: Registry.rules, options: options, skipped: skipped,
            unreadable: unreadable)
    }

    private func options() throws -> AnalysisOptions {
        var options = AnalysisOptions(dialect: dialect)
        guard let config else { return options }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: config))
        } catch {
            throw CommandFailure("cannot read \(config): \(SystemText.reason(of: error))")
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
    /// Whether a file of that name is something else than a recording, by its beginning: lines may
    /// be anybody's, a tape is a tape.
    fileprivate func saysNoRecording(_ name: String) -> Bool {
        name.hasSuffix(".jsonl") && (code == .notATape || code == .badLine)
    }
}
