internal import Reprise
internal import RepriseServer
internal import RepriseSupport
internal import RepriseTransport

/// `reprise serve`
struct ServeCommand: Command {
    static let help = CommandHelp(
        name: "serve",
        abstract: "Serve recorded sessions over HTTP and WebSockets, for clients in any language",
        discussion: [
            "Each request gets the first recorded exchange that is left and whose request it can "
                + "be: method, path, query, Content-Type, Accept and body are compared, a JSON "
                + "body by its values, and masked values are as good as any. Ids that the "
                + "recorded client drew may be others, and come back as those. Bytes, cuts, "
                + "content coding and the end are the recorded ones; a stream that died dies.",
            "A WebSocket is opened with the recorded answer, so far as the client can have it. The "
                + "server's frames go out at their times, but not before the client has sent the "
                + "messages that it had sent then.",
            "Where the recorded client left, ran out of time, or the recorder died, the stream "
                + "stays open as long as it was and a minute more. A request that was not "
                + "recorded gets status 501 and is told on standard error.",
            "Ctrl-C ends it, with a summary. Ends with 1 if something recorded was not asked for "
                + "or not taken to its end, something was asked for that was not recorded, or a "
                + "fault never struck.",
        ],
        positionals: [
            .init(
                name: "TAPE", maximum: nil,
                text: "A tape or .jsonl file; - reads standard input.")
        ],
        options: [
            .value(
                "--listen", "ADDR", required: true,
                "Where to listen, e.g. 127.0.0.1:8080, [::1]:8080, or only a port, which is one of "
                    + "127.0.0.1; port 0 takes one that is free."),
            .value(
                "--pace", "PACE",
                "instant, original, or how many times as fast, e.g. 4; by default instant. Times "
                    + "count from when the request comes."),
            .value(
                "--cuts", "NAME",
                "Where bodies and frames are cut anew: recorded, blob, bytes, utf8, lines, gzip, "
                    + "websocket or random:SEED, as with replay."),
            FaultOption.option("Let that go wrong:"),
        ] + MatchingOption.options("flexible") + [
            .flag("--once", "End when everything has been asked for and is over.")
        ],
        examples: [
            (
                "reprise serve Recordings/ago-jwt-send.tape --listen 127.0.0.1:8080 --pace original",
                "Answers as the service did, at its pace."
            )
        ])

    private let paths: [String]
    private let address: ListenAddress
    private let pace: Pace
    private let isOnce: Bool
    private let cuts: Cuts
    private let faults: [Fault]
    private let matching: RequestMatching

    init(_ arguments: ParsedArguments) throws {
        paths = arguments.positionals
        let text = try arguments.required("--listen", "where to listen, e.g. 127.0.0.1:8080")
        guard let address = ListenAddress(text) else {
            throw UsageError(
                "--listen is an address and a port, e.g. 127.0.0.1:8080, not '\(text)'")
        }
        self.address = address
        pace =
            try arguments.value("--pace", "instant, original or a positive factor") { text in
                // Clients of other makes have time of their own.
                Pace(text).flatMap { $0 == .virtual ? nil : $0 }
            } ?? .instant
        isOnce = arguments.has("--once")
        cuts =
            try arguments.value("--cuts", "a name of cuts, e.g. bytes or random:7") { Cuts($0) }
            ?? .asRecorded
        faults = try FaultOption.faults(arguments)
        matching = try MatchingOption.matching(arguments, .flexible) ?? .flexible
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let tapes = try paths.map { (name: $0, recording: try load($0, terminal)) }
        let options = SocketOptions(isKeepAlive: Registry.isKeepAlive)
        let server = try ReplayServer(
            tapes, pace: pace, listen: address, options: options, cuts: cuts, faults: faults,
            matching: matching
        ) { event in
            guard case .miss(let miss) = event else { return }
            let lines = miss.text(.commandLine).split(separator: "\n").map(String.init)
            terminal.complain("serve: \(lines[0])", then: Array(lines.dropFirst()))
        }
        try? await Interrupts.cancelling { [isOnce] in
            terminal.print("listening on \(server.url)")
            if isOnce { return await server.untilConsumed() }
            while !Task.isCancelled { try await Task.sleep(nanoseconds: 3_600_000_000_000) }
        }
        await server.stop()
        terminal.print(ServeSummary(server.exchanges, missCount: server.missCount).text)
        let unstruck = server.unstruck
        for fault in unstruck { terminal.print(OutputStream.line(fault.neverStruck)) }
        return server.isAllConsumed && unstruck.isEmpty ? .success : .failure
    }

    private func load(_ path: String, _ terminal: Terminal) throws -> Recording {
        let recording = try Recording(path: path)
        for damage in recording.damages { terminal.complain("\(path): \(damage)") }
        for problem in recording.problems { terminal.complain("\(path): \(problem)") }
        return recording
    }
}
