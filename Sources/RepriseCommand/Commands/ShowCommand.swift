internal import RepriseTape

/// `reprise show`
struct ShowCommand: Command {
    static let help = CommandHelp(
        name: "show",
        abstract: "Show a tape as a timeline",
        discussion: [
            "A line for each frame: seconds since the session's start, the exchange, its direction "
                + "(→ sent, ← received, ■ ended) and what it holds. Compressed bodies and "
                + "messages are shown decoded; of a WebSocket's frame, the size on the wire is "
                + "given, too. Long text is cut, unless --full is given.",
            "Ends with 1 if the tape is damaged; a tape without an end is only a warning.",
        ],
        positionals: [TapeArgument.positional],
        options: [
            .flag("--full", "Show headers, and text in full."),
            TapeArgument.salvage,
        ],
        examples: [
            ("reprise show session.tape", "Shows what happened."),
            ("reprise show --full session.tape | less", "Shows everything."),
        ])

    private let path: String
    private let isFull: Bool
    private let salvaging: Bool

    init(_ arguments: ParsedArguments) throws {
        path = arguments.positionals[0]
        isFull = arguments.has("--full")
        salvaging = arguments.has("--salvage")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let frames = RevealedFrames(try TapeReader(path: path, salvaging: salvaging))
        var timeline = ShowTimeline(terminal.output, isFull: isFull)
        defer { timeline.flush() }
        var status = ExitStatus.success
        while terminal.output.errorNumber == 0, let next = try frames.next() {
            if case .damage(let damage) = next.item, damage.severity == .error {
                status = .failure
            }
            timeline.show(next.item)
        }
        timeline.finish(frames.summary)
        return status
    }
}
