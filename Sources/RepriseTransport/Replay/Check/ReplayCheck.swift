internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Runs the recorded operations again, without a network, and tells in what they differ.
///
/// Each client of the tape is built from its `client` frame; an operation is run by the client that
/// it names, or else by the one made last before it. Operations begin at the moments at which they
/// were recorded to, so that those that overlapped do so again, and never before one has ended
/// that had ended. One that the app stopped is stopped at that moment. An operation that the
/// recorder's death cut off is compared as far as it was recorded. The same tape and the same code
/// give the same differences.
public struct ReplayCheck: Sendable {
    private let recording: Recording
    private let replayers: [any ClientReplayer.Type]
    private let tools: ReplayTools
    private let cuts: Cuts
    private let faults: [Fault]
    private let matching: RequestMatching

    /// A check of `recording`.
    ///
    /// - Parameters:
    ///   - replayers: Who can build which client.
    ///   - tools: What becomes of the app's tools; by default none is run.
    ///   - cuts: Where what comes is cut: a client does the same whatever they are.
    ///   - faults: What goes wrong: the differences are how the client takes it.
    ///   - matching: When a request is the recorded one.
    public init(
        _ recording: Recording, clients replayers: [any ClientReplayer.Type],
        tools: ReplayTools = .recorded, cuts: Cuts = .asRecorded,
        faults: [Fault] = [], matching: RequestMatching = .exact
    ) {
        self.recording = recording
        self.replayers = replayers
        self.tools = tools
        self.cuts = cuts
        self.faults = faults
        self.matching = matching
    }

    /// Runs everything.
    ///
    /// - Parameter pace: How fast; at the pace `instant`, too, on a ``VirtualTime``, where the
    ///   clients' own time-outs come when they came.
    /// - Returns: The differences: those of each operation in recorded order, then those of none.
    /// - Throws: `CancellationError` when the task is cancelled: what is left then would differ for
    ///   no other reason.
    public func run(pace: Pace = .instant) async throws(CancellationError) -> [ReplayDifference] {
        guard !recording.calls.isEmpty else { return nothingToRun }
        let clock = ReplayClock(pace: pace == .instant ? .virtual : pace, anchor: .session)
        guard let time = clock.time else { return try await run(on: clock) }
        var differences: [ReplayDifference]
        do {
            differences = try await time.run { try await run(on: clock) }
        } catch {
            guard error is TransportError else { throw CancellationError() }
            // Told with all that stalled.
            differences = []
        }
        differences += time.stalls.map { ReplayDifference(.stalled, $0) }
        if let escape = time.escape {
            differences.append(ReplayDifference(.nondeterministic, escape))
        }
        return differences
    }

    private func run(on clock: ReplayClock) async throws(CancellationError) -> [ReplayDifference] {
        let journal = CheckJournal(last: recording.calls.map(\.number).max() ?? 0)
        let transport = ReplayTransport(
            recording: recording, clock: clock, journal: journal, tools: tools,
            matching: matching)
        let faulty = FaultTransport(base: transport, faults: faults)
        var run = CheckRun(
            recording: recording, replayers: replayers, transport: transport,
            client: RecutTransport(base: faulty, cuts: cuts), journal: journal)
        let differences = try await run.run()
        return differences + faulty.unstruck.map { ReplayDifference(.fault, $0.neverStruck) }
    }

    /// Nothing that was checked is nothing that is as it was.
    private var nothingToRun: [ReplayDifference] {
        let what =
            recording.exchanges.isEmpty
            ? "neither exchanges nor operations" : "exchanges but no operations"
        return [
            ReplayDifference(
                .nothingToRun, "the tape has \(what) of a client that could be run again")
        ]
    }
}
