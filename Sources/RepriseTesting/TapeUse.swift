internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
package import Testing

#if Live
internal import RepriseCurl
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a test says of its tape.
package struct TapeUse: Sendable {
    let name: String
    let folder: TapeFolder
    package let options: Tape.Options
    let allowances: [TapeAllowance]
    let live: Tape.Live?
    /// How long something beside virtual time may take on a busy machine, in nanoseconds.
    private static let patience: Int64 = 2_000_000_000

    /// How long a test may take to end once it is cancelled, in real nanoseconds.
    package var grace: Int64 = 20_000_000_000
    /// Told what became of a recording, in a line that is ended.
    package var tell: @Sendable (String) -> Void = StandardError.write
    /// The environment; nil for the process's.
    package var environment: [String: String]?

    package init(
        _ name: String, in folder: String?, _ options: Tape.Options,
        _ allowances: [TapeAllowance], _ live: Tape.Live?, _ file: String
    ) {
        self.name = name
        self.folder = TapeFolder(folder, besides: file)
        self.options = options
        self.allowances = allowances
        self.live = live
    }

    /// Runs a test with its tape, and judges how it used it.
    ///
    /// - Throws: What the test throws.
    package func run(
        sourceLocation: SourceLocation, _ body: @Sendable (Tape) async throws -> Void
    ) async throws {
        let tape: Tape
        do {
            tape = try await open()
        } catch {
            Issue.record("the tape \(name): \(error)", sourceLocation: sourceLocation)
            return
        }
        let run = TapeRun(
            tape: tape, name: name, allowances: allowances, sourceLocation: sourceLocation,
            grace: grace, tell: tell)
        defer {
            if tape.activity == .recording {
                RecordingTurns.shared.end(tape.path, isKept: run.wasKept)
            }
        }
        try await run.perform(body)
    }

    private func open() async throws -> Tape {
        if let problem = options.matching.problems.first { throw TapeFault(problem) }
        let (path, exists) = folder.find(name)
        let plan = try TapePlan(
            options, hasTape: exists,
            environment: environment ?? ProcessInfo.processInfo.environment)
        if plan.records {
            guard await RecordingTurns.shared.begin(path) else {
                return try replay(path, isPassing: plan.playback == .passthrough)
            }
            do { return try record(path, .recording) } catch {
                RecordingTurns.shared.end(path, isKept: false)
                throw error
            }
        }
        if plan.playback == .live { return try record(path, .live) }
        guard exists else { throw TapeFault(missing(path)) }
        return try replay(path, isPassing: plan.playback == .passthrough)
    }

    private func missing(_ path: String) -> String {
        """
        there is no tape: neither \(path) nor a .jsonl file of that name
        To record it, run the test with REPRISE_RECORD_MODE=once in the environment, e.g.
            REPRISE_RECORD_MODE=once swift test --filter NAME
        Without it a test records where the mode is once or all, and never where CI is set.
        """
    }

    private func replay(_ path: String, isPassing: Bool) throws -> Tape {
        let recording = try Recording(path: path)
        if let fault = damage(of: recording, at: path) { throw fault }
        let pace = isPassing ? .original : options.pace
        let clock =
            pace == .virtual
            ? ReplayClock(VirtualTime(patience: TapeUse.patience)) : ReplayClock(pace: pace)
        let replay = ReplayTransport(
            recording: recording, clock: clock, journal: CountingJournal(), tools: options.tools,
            matching: options.matching)
        let cut = RecutTransport(base: replay, cuts: options.cuts)
        let transport: any Transport =
            isPassing ? PassthroughTransport(replay: replay, live: try makeLive()) : cut
        return Tape(
            name, at: path, .replaying, transport: transport, .replay(replay), time: clock.time)
    }

    /// What is wrong with a tape that a test may not have so: what is missing of it would be told
    /// as a request that has changed.
    private func damage(of recording: Recording, at path: String) -> TapeFault? {
        if recording.isSealed && recording.damages.isEmpty || allowances.cover(.damaged) {
            return nil
        }
        var lines = recording.damages.prefix(3).map { "  \($0)" }
        let others = recording.damages.count - lines.count
        if others > 0 { lines.append("  and \(Counted.text(others, "other damage"))") }
        if lines.isEmpty { lines = ["  it has no end"] }
        return TapeFault(
            """
            it is damaged, and the test was not run
            \(lines.joined(separator: "\n"))
            `reprise verify \(path)` tells what is lost. Record it again with
            REPRISE_RECORD_MODE=all in the environment. Else `reprise repair` makes a sealed copy
            of what can be read, and a test plays what is left, repaired or not, where that is
            allowed: allowing: [.damaged]
            """)
    }

    private func record(_ path: String, _ activity: Tape.Activity) throws -> Tape {
        let base = try makeLive()
        let target = try RecordingFile(path, isKept: activity == .recording)
        let recorder = try target.recorder(clock: base.context.clock, secrets: options.secrets)
        return Tape(
            name, at: path, activity,
            transport: RecordingTransport(base: base, recorder: recorder),
            .recorder(recorder, target))
    }

    private func makeLive() throws -> any Transport {
        if let live { return try live() }
        #if Live
        return CurlTransport.shared
        #else
        throw TapeFault(
            "the service was to be asked and there is no way to it: give the trait a live "
                + "transport, or switch the package's trait Live on")
        #endif
    }
}
