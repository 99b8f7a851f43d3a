internal import Reprise
internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport

/// `reprise replay`
struct ReplayCommand: Command {
    static let help = CommandHelp(
        name: "replay",
        abstract: "Play a recorded session, or check that the code of today still does the same",
        discussion: [
            "Without --check the session plays in the terminal: requests, the text as it "
                + "streamed, on WebSockets too, two blanks further in than all else, and how "
                + "everything ended.",
            "With --check the client is built from the tape and its operations run again, without "
                + "a network and without waiting. Ends with 1 if a request or a result differs, or a "
                + "fault never struck. Tools of the app are answered from the tape; with --tools "
                + "live those of --tool are run. What a tape names is never run.",
        ],
        positionals: [
            .init(name: "TAPE", text: "A tape or .jsonl file; - reads standard input.")
        ],
        options: [
            .value(
                "--pace", "PACE",
                "instant, original, or how many times as fast, e.g. 4; by default original, and "
                    + "instant with --check."),
            .flag("--check", "Run the recorded operations again and tell what differs."),
            .value(
                "--tools", "HOW",
                "With --check, recorded or live: what becomes of the app's tools; by default "
                    + "recorded."),
            ToolCommand.option,
            .value(
                "--cuts", "NAME",
                "With --check, where bodies and frames are cut anew: recorded, blob (all at once), "
                    + "bytes (each alone), utf8 (inside characters), lines (before line ends), "
                    + "gzip (inside the coding's head), websocket (inside frame heads), "
                    + "random:SEED, or all, one after the other; by default recorded."),
            FaultOption.option(
                "With --check, let that go wrong, and tell how the client takes it:"),
        ] + MatchingOption.options("exact, with --check"),
        examples: [
            ("reprise replay --pace 4 session.tape", "Plays four times as fast as it was."),
            ("reprise replay --check session.tape", "Checks the client against the tape."),
            (
                "reprise replay --check --cuts all session.tape",
                "Checks that it reads the same however the network cuts."
            ),
            (
                "reprise replay --check --fault cut@event:3 session.tape",
                "Tells what becomes of each operation when a stream dies behind its third event."
            ),
        ])

    private let path: String
    private let pace: Pace?
    private let checks: Bool
    private let tools: ReplayTools
    /// nil where nothing is said of them.
    private let cuts: [Cuts]?
    private let faults: [Fault]
    private let matching: RequestMatching

    init(_ arguments: ParsedArguments) throws {
        path = arguments.positionals[0]
        checks = arguments.has("--check")
        pace = try arguments.value("--pace", "instant, original or a positive factor") {
            Pace($0)
        }
        tools = try ReplayTools(arguments)
        cuts = try arguments.value("--cuts", "a name of cuts, e.g. bytes or random:7, or all") {
            $0 == "all" ? Cuts.all : Cuts($0).map { [$0] }
        }
        if cuts != nil, !checks { throw UsageError("--cuts goes with --check") }
        faults = try FaultOption.faults(arguments)
        if !faults.isEmpty, !checks { throw UsageError("--fault goes with --check") }
        let matching = try MatchingOption.matching(arguments, .exact)
        if matching != nil, !checks {
            throw UsageError("\(MatchingOption.given(arguments)) goes with --check")
        }
        self.matching = matching ?? .exact
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let recording = try Recording(path: path)
        for damage in recording.damages { terminal.complain("\(path): \(damage)") }
        for problem in recording.problems { terminal.complain("\(path): \(problem)") }
        do {
            return try await Interrupts.cancelling {
                checks
                    ? try await check(recording, terminal)
                    : try await play(recording, terminal)
            }
        } catch is CancellationError {
            throw CommandFailure("stopped")
        }
    }

    private func play(_ recording: Recording, _ terminal: Terminal) async throws -> ExitStatus {
        var screen = SessionScreen(output: terminal.output, dialects: Registry.dialects)
        for try await frame in SessionPlayer(recording, pace: pace ?? .original) {
            try screen.show(frame)
            if terminal.output.errorNumber != 0 { return .success }
        }
        screen.finish()
        return .success
    }

    private func check(_ recording: Recording, _ terminal: Terminal) async throws -> ExitStatus {
        var isSame = true
        for cuts in cuts ?? [.asRecorded] {
            let check = ReplayCheck(
                recording, clients: Registry.clientReplayers, tools: tools, cuts: cuts,
                faults: faults, matching: matching)
            let differences = try await check.run(pace: pace ?? .instant)
            let name = self.cuts == nil ? "" : "cuts \(cuts): "
            for difference in differences {
                terminal.print(name + OutputStream.line(difference.description))
            }
            terminal.print(name + summary(of: differences, recording))
            isSame = isSame && differences.isEmpty
        }
        return isSame ? .success : .failure
    }

    private func summary(of differences: [ReplayDifference], _ recording: Recording) -> String {
        let outcome =
            differences.isEmpty ? "as recorded" : Counted.text(differences.count, "difference")
        return "\(Counted.text(recording.calls.count, "operation")), "
            + "\(Counted.text(recording.exchanges.count, "exchange")): \(outcome)"
    }
}

extension ReplayTools {
    fileprivate init(_ arguments: ParsedArguments) throws(UsageError) {
        let isLive = try arguments.value("--tools", "recorded or live") {
            ["recorded": false, "live": true][$0]
        }
        if isLive != nil, !arguments.has("--check") {
            throw UsageError("--tools goes with --check")
        }
        let commands = try ToolCommand.all(arguments)
        guard isLive == true else {
            if !commands.isEmpty { throw UsageError("--tool goes with --tools live") }
            self = .recorded
            return
        }
        let bodies = commands.map { command -> (String, ToolBody) in (command.name, command.run) }
        self = .live(Dictionary(bodies) { $1 })
    }
}
