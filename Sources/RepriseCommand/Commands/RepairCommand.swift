internal import RepriseTape

/// `reprise repair`
struct RepairCommand: Command {
    static let help = CommandHelp(
        name: "repair",
        abstract: "Make a sealed copy of a damaged or unfinished tape",
        discussion: [
            "The original is never touched. Frames keep their numbers and times; what is lost is "
                + "told by the copy too, and frames that no checksum vouches for stay unverified.",
            "A tape that is whole is not copied, except to standard output.",
        ],
        positionals: [TapeArgument.positional],
        options: [
            .value(
                "--output", short: "-o", "COPY",
                "The tape to make, - for standard output; by default TAPE with the ending "
                    + ".repaired.tape."),
            TapeArgument.salvage,
        ],
        examples: [
            ("reprise repair session.tape", "Makes session.repaired.tape."),
            ("reprise repair - -o - < torn.tape | reprise show -", "Looks at what is left."),
        ])

    private let path: String
    private let output: String
    private let salvaging: Bool

    init(_ arguments: ParsedArguments) throws {
        path = arguments.positionals[0]
        salvaging = arguments.has("--salvage")
        if let output = arguments.value("--output") {
            self.output = output
        } else if path == "-" {
            throw UsageError("--output is missing: standard input has no name to call a tape by")
        } else {
            output = TapeArgument.name(path, extension: ".repaired.tape")
        }
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        var progress = ReadingProgress(path, terminal)
        let reader = try TapeReader(path: path, salvaging: salvaging)
        if output == "-" {
            // Its own words must not get into the tape.
            guard let summary = try TapeArgument.copy(reader, to: terminal) else { return .success }
            tell(summary, as: "the copy", to: terminal.errors)
            return .success
        }
        let summary = try TapeCopy.run(from: reader, to: output, unlessWhole: true) {
            progress.show($0)
        }
        terminal.progress("")
        tell(summary, as: output, to: terminal.output)
        return .success
    }

    private func tell(_ summary: TapeSummary, as copy: String, to stream: OutputStream) {
        var lines = summary.damages.map { "\(path): \($0)" }
        if summary.damageCount == 0 {
            lines.append("\(path): the tape is whole, there is nothing to repair")
        } else {
            let unverified =
                summary.unverifiedFrames == 0
                ? "" : ", \(summary.unverifiedFrames) of them unverified"
            let saved = TapeArgument.counted(summary.frames, "frame")
            lines.append("\(copy): \(saved) saved\(unverified)")
        }
        stream.write(lines.map { OutputStream.line($0) + "\n" }.joined())
    }
}
