internal import RepriseSupport
public import RepriseTape
public import RepriseWire

/// Records a session on a tape: what transports observe, what clients note, what they draw.
///
/// Every frame is masked before it is written, and written before the app gets what it records.
/// When writing fails, recording stops and the app's streams go on; ``close()`` tells.
public final class TapeRecorder: Sendable {
    /// Identity of the session: 16 hexadecimal digits, drawn at random.
    public let sessionID: String

    private let clock: any SessionClock
    private let origin: Int64
    private let state: Locked<RecorderState>

    /// Creates a tape and begins the session.
    ///
    /// - Parameters:
    ///   - path: The file to create (mode 0600), in a folder that exists.
    ///   - clock: The clock of the transports to be recorded; the session's times are nanoseconds
    ///     on it since this moment.
    ///   - labels: Labels for the session frame, masked like a client's settings.
    ///   - secrets: What is secret from the start, in the labels as well.
    ///   - replacing: False: the file must not exist. True: the tape takes its place when closed.
    ///   - wallTime: The wall-clock time of this moment.
    /// - Throws: ``TapeError`` with code `file` or `writeFailed`.
    public convenience init(
        path: String, clock: any SessionClock = LiveClock(), labels: JSONObject = [:],
        secrets: [String] = [], replacing: Bool = false, wallTime: WallTime = .now()
    ) throws(TapeError) {
        var redactor = Redactor(policy: .standard)
        for secret in secrets { redactor.declare(secret) }
        let session = redactor.redact(
            TapeRecorder.session(labels: labels, wallTime: wallTime))
        let writer = try TapeWriter(path: path, session: session.record, replacing: replacing)
        let state = RecorderState(writer: writer, redactor: redactor, masks: session.masks)
        self.init(state: state, sessionID: session.record.session, clock: clock)
    }

    /// Records with a writer that has written the session, frame 0.
    package convenience init(
        writer: sending TapeWriter, sessionID: String, clock: any SessionClock
    ) {
        let state = RecorderState(writer: writer, redactor: Redactor(policy: .standard), masks: [])
        self.init(state: state, sessionID: sessionID, clock: clock)
    }

    private init(state: sending RecorderState, sessionID: String, clock: any SessionClock) {
        self.sessionID = sessionID
        self.clock = clock
        origin = clock.now()
        self.state = Locked(state)
    }

    /// What ended the recording, if something did.
    public var failure: TapeError? { state.withLock { $0.failure } }

    /// Writes what is left, seals the tape and closes it. What happens later is not recorded, and
    /// exchanges that are still open end on the tape as `cancelled`.
    ///
    /// - Throws: ``TapeError`` with what ended the recording, each time it is called.
    public func close() throws(TapeError) {
        let time = now()
        try state.withLock { state throws(TapeError) in try state.close(time: time) }
    }

    /// Gives the recording up: a file that was to take the place of another is gone, any other one
    /// stays as it is.
    package func discard() { state.withLock { $0.discard() } }

    private static func session(labels: JSONObject, wallTime: WallTime) -> SessionRecord {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return SessionRecord(
            session: String(repeating: "0", count: 16 - digits.count) + digits,
            wall: wallTime.rfc3339, recorder: "reprise/\(RepriseVersion.text)", labels: labels,
            masking: MaskingPolicy.standard.json)
    }
}

extension TapeRecorder: Journal {
    /// Records a client at once.
    public func addClient(_ record: ClientRecord) -> UInt64 {
        let time = now()
        return state.withLock { $0.addClient(record, time: time) }
    }

    /// Records the beginning of an operation at once.
    public func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        let time = now()
        return state.withLock { $0.beginCall(op, args: args, client: client, time: time) }
    }

    /// Records a note of the client at once.
    public func record(_ content: FrameContent) {
        let time = now()
        state.withLock { state in
            state.append(content, exchange: 0, time: time)
            state.commit()
        }
    }

    /// From here on, `secret` is masked wherever it appears, if it has at least 8 bytes.
    public func declareSecret(_ secret: String) {
        state.withLock { $0.redactor.declare(secret) }
    }
}

extension TapeRecorder {
    /// A context whose clock, tools and executor are `base`'s, whose random values are `base`'s
    /// and recorded, and whose journal is this recorder.
    public func context(over base: SessionContext) -> SessionContext {
        SessionContext(
            clock: base.clock, entropy: RecordingEntropy(base: base.entropy, recorder: self),
            journal: self, tools: base.tools, executor: base.executor)
    }

    /// Opens an exchange: its number, from 1 in the order of opening.
    package func openExchange(sensitive: SensitivePaths = SensitivePaths()) -> UInt64 {
        state.withLock { $0.openExchange(sensitive) }
    }

    /// Takes what happened in an exchange at `time` of the clock, in memory only.
    package func observe(_ content: FrameContent, exchange: UInt64, at time: Int64) {
        state.withLock { $0.append(content, exchange: exchange, time: time &- origin) }
    }

    /// Hands everything taken to the kernel.
    package func commit() { state.withLock { $0.commit() } }

    /// Records that a client drew `value`.
    func recordDraw(_ value: String, purpose: String, call: UInt64) {
        let time = now()
        state.withLock { $0.recordDraw(value, purpose: purpose, call: call, time: time) }
    }

    /// Records that the app held a stream for `duration` until now.
    func recordHeld(_ duration: Int64, exchange: UInt64) {
        observe(.held(duration), exchange: exchange, at: clock.now())
        commit()
    }

    private func now() -> Int64 { clock.now() &- origin }
}
