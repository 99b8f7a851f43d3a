internal import RepriseTape

/// `reprise cat`
struct CatCommand: Command {
    static let help = CommandHelp(
        name: "cat",
        abstract: "Print a tape as JSON, one object a line",
        discussion: [
            "Every frame is one line, byte for byte what import reads; t is nanoseconds since the "
                + "session's start, x the exchange. Damage is a line where it was found, and is "
                + "told on standard error.",
            "Ends with 1 if the tape is damaged; a tape without an end is only a warning.",
        ],
        positionals: [TapeArgument.positional],
        options: [TapeArgument.salvage],
        examples: [
            ("reprise cat session.tape | grep '\"kind\":\"end\"'", "Shows how exchanges ended."),
            ("reprise cat old.tape | reprise import - -o new.tape", "Copies a tape."),
        ])

    private let path: String
    private let salvaging: Bool

    init(_ arguments: ParsedArguments) throws {
        path = arguments.positionals[0]
        salvaging = arguments.has("--salvage")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let reader = try TapeReader(path: path, salvaging: salvaging)
        let status = try print(reader, terminal)
        terminal.progress("")
        return status
    }

    private func print(_ reader: TapeReader, _ terminal: Terminal) throws -> ExitStatus {
        var progress = ReadingProgress(path, terminal)
        var status = ExitStatus.success
        let output = terminal.output
        var lines = LineBuffer(output)
        defer { lines.flush() }
        // A reader that went away wants no more.
        while terminal.output.errorNumber == 0, let item = try reader.next() {
            if case .damage(let damage) = item {
                terminal.complain("\(path): \(damage)")
                if damage.severity == .error { status = .failure }
            }
            let line = reader.line(of: item)
            lines.append(
                output.isTerminal
                    ? Array(output.harmless(json: String(decoding: line, as: UTF8.self)).utf8)
                    : line)
            if !terminal.output.isTerminal { progress.show(reader.summary.endOffset) }
        }
        return status
    }
}
