internal import RepriseTape

/// `reprise import`
struct ImportCommand: Command {
    static let help = CommandHelp(
        name: "import",
        abstract: "Make a tape of a JSONL file",
        discussion: [
            "Reads what cat prints, and lines written by hand or by other programs: keys in any "
                + "order, x 0 where it is left out, the session left out. A line that is no frame "
                + "ends the import with its number, and leaves no tape.",
            "Frames marked as unverified and damages stay so: the tape is sealed and tells of them.",
        ],
        positionals: [.init(name: "FILE", text: "A .jsonl file; - reads standard input.")],
        options: [
            .value(
                "--output", short: "-o", "TAPE",
                "The tape to make, - for standard output; by default FILE with the ending .tape."),
            .flag("--replace", "Replace a tape that is there."),
        ],
        examples: [
            ("reprise import session.jsonl", "Makes session.tape."),
            ("reprise import - -o copy.tape < session.jsonl", "Reads standard input."),
        ])

    private let path: String
    private let output: String
    private let replacing: Bool

    init(_ arguments: ParsedArguments) throws {
        path = arguments.positionals[0]
        replacing = arguments.has("--replace")
        if let output = arguments.value("--output") {
            self.output = output
        } else if path == "-" {
            throw UsageError("--output is missing: standard input has no name to call a tape by")
        } else {
            output = TapeArgument.name(path, extension: ".tape")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        var progress = ReadingProgress(path, terminal)
        if output == "-" {
            _ = try TapeArgument.copy(try TapeReader(path: path), to: terminal)
            return .success
        }
        let summary = try TapeCopy.run(
            from: try TapeReader(path: path), to: output, replacing: replacing
        ) { progress.show($0) }
        terminal.progress("")
        terminal.print(
            OutputStream.line("\(output): \(TapeArgument.counted(summary.frames, "frame"))"))
        return .success
    }
}
