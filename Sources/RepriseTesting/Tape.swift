internal import RepriseAnalysis
internal import RepriseSupport
internal import RepriseTape
public import RepriseTransport
internal import Testing

/// The tape of the test that runs: what it is played from, or recorded on.
///
/// A test gets one by the trait `.tape(…)`; each test, and each case of it, has its own, so that
/// tests can run in parallel.
public final class Tape: Sendable {
    /// What becomes of a test's requests.
    public enum Activity: Sendable, Hashable {
        /// They are answered from the tape.
        case replaying
        /// They go to the service, and what comes back is recorded.
        case recording
        /// They go to the service; what is recorded is gone when the test is over.
        case live
    }

    /// Its name, as the test gives it.
    public let name: String
    /// The path of its file, which is there while it is replayed, and which a recording takes the
    /// place of when its test has passed.
    public let path: String
    /// What becomes of the test's requests.
    public let activity: Activity
    /// What the client under test is to be given as its transport.
    public let transport: any Transport
    /// What is replayed; nil where nothing is.
    public let recording: Recording?
    /// The time of the test, of which no real time passes; nil where time is real.
    public let time: VirtualTime?

    let source: Source
    private let analyzed = Locked<AnalyzedTape?>(nil)

    /// What it works with.
    enum Source: Sendable {
        case replay(ReplayTransport)
        case recorder(TapeRecorder, RecordingFile)
        case nothing
    }

    @TaskLocal static var active: Tape?

    /// The tape of the test that runs.
    ///
    /// Outside of a test that has one an issue is recorded, and the tape's transport refuses
    /// everything.
    public static var current: Tape {
        if let active { return active }
        Issue.record("Tape.current was asked for where no test has a tape: add the trait .tape(…)")
        return Tape("", at: "", .replaying, transport: NoTransport(), .nothing)
    }

    init(
        _ name: String, at path: String, _ activity: Activity, transport: any Transport,
        _ source: Source, time: VirtualTime? = nil
    ) {
        self.name = name
        self.path = path
        self.activity = activity
        self.transport = transport
        self.source = source
        self.time = time
        if case .replay(let replay) = source {
            recording = replay.recording
        } else {
            recording = nil
        }
    }

    /// Reads what the tape says, once where it does not change any more.
    ///
    /// - Throws: ``TapeError`` for a file that cannot be read.
    func analysis(_ analyze: (_ file: String) throws -> AnalyzedTape) throws -> AnalyzedTape {
        if let analyzed = analyzed.withLock({ $0 }) { return analyzed }
        switch source {
        case .recorder(_, let file): return try analyze(file.current)
        case .replay, .nothing:
            let made = try analyze(path)
            analyzed.withLock { $0 = made }
            return made
        }
    }
}

/// Refuses everything.
private struct NoTransport: Transport {
    let context = SessionContext.live

    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        throw TransportError(how: .failed, .badRequest, "there is no tape: see the trait .tape(…)")
    }
}
