internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// A transport that answers from a recording: no network, the recorded bytes with their cuts and
/// times, and the recorded end.
///
/// Requests must come as they were recorded: each is compared with the next recorded one of its
/// operation (of the whole session where no operations were recorded), by method, URL, header
/// fields in order and case, and body, after the masking that the recording went through. The
/// first that differs throws `replay.mismatch`, one too many `replay.exhausted`; both use up the
/// exchange that was due. An exchange that was not recorded to its end throws
/// `replay.recorderDied` after what was recorded.
///
/// WebSockets are answered as well: see ``connect(_:options:observer:)``. What moments are counted
/// from says the clock's ``ReplayClock/anchor``.
public final class ReplayTransport: Transport {
    /// What is replayed.
    public let recording: Recording
    /// The session's time.
    public let clock: ReplayClock
    /// The recorded random values.
    public let entropy: ReplayEntropy
    /// Clock, random values, journal and tools for clients.
    public let context: SessionContext

    struct State {
        var sequence: ReplaySequence
        var misses: [ReplayMiss] = []
        var redactor = Redactor()
        /// How far bodies were read, in the order of the requests.
        var bodies: [BodyProgress] = []
        /// Those that were opened.
        var sockets: [ReplaySocket] = []
    }

    let state: Locked<State>
    /// Where WebSockets wait for the client.
    let gate = ReplayGate()

    /// A replay from the recording's start.
    ///
    /// - Parameters:
    ///   - recording: What to replay.
    ///   - pace: How fast.
    ///   - journal: Where clients note what only they know; by default it only counts.
    ///   - tools: What becomes of the app's tools; by default none is run.
    public convenience init(
        recording: Recording, pace: Pace = .instant, journal: any Journal = CountingJournal(),
        tools: ReplayTools = .recorded
    ) {
        self.init(
            recording: recording, clock: ReplayClock(pace: pace), journal: journal, tools: tools)
    }

    /// A replay on a virtual time, which is the context's executor, too; to be used in a body that
    /// ``VirtualTime/run(_:)`` runs.
    ///
    /// - Parameters:
    ///   - recording: What to replay.
    ///   - time: The time; its 0 is the recorded session's start.
    ///   - anchor: What the moments of what comes are counted from.
    ///   - journal: Where clients note what only they know; by default it only counts.
    ///   - tools: What becomes of the app's tools; by default none is run.
    public convenience init(
        recording: Recording, time: VirtualTime, anchor: ReplayClock.Anchor = .app,
        journal: any Journal = CountingJournal(), tools: ReplayTools = .recorded
    ) {
        self.init(
            recording: recording, clock: ReplayClock(time, anchor: anchor), journal: journal,
            tools: tools)
    }

    /// A replay on a clock of the caller's.
    package init(
        recording: Recording, clock: ReplayClock, journal: any Journal,
        tools: ReplayTools = .recorded
    ) {
        self.recording = recording
        self.clock = clock
        entropy = ReplayEntropy(recording.entropy)
        let state = Locked(State(sequence: ReplaySequence(recording.exchanges)))
        self.state = state
        context = SessionContext(
            clock: clock, entropy: entropy,
            journal: ReplayJournal(base: journal) { secret in
                state.withLock { $0.redactor.declare(secret) }
            }, tools: tools.runner(recording, clock: clock), executor: clock.time)
    }

    /// The recorded exchanges that no request has asked for, in order.
    public var unconsumed: [Recording.Exchange] { state.withLock { $0.sequence.rest } }

    /// The recorded exchanges of an operation that no request has asked for, in order.
    func unconsumed(of call: UInt64) -> [Recording.Exchange] {
        state.withLock { $0.sequence.rest(of: call) }
    }

    /// The requests, and messages on WebSockets, that were not the recorded ones, in order.
    public var misses: [ReplayMiss] { state.withLock { $0.misses } }

    /// Answers `request` with the next recorded exchange.
    public func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        try await respond(to: request, with: due(for: request, .http, observer), observer)
    }

    func respond(
        to request: Request, with due: Recording.Exchange, _ observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        let (exchange, _) = await play(AsSent(request, due), of: due, observer)
        return Response(head: try await exchange.head(), body: ResponseBody(exchange))
    }

    /// The recorded exchange that answers a request.
    ///
    /// - Throws: ``TransportError`` where none does, which the observer has been told.
    func due(
        for request: Request, _ transport: RequestRecord.Transport,
        _ observer: (any ExchangeObserver)?
    ) throws(TransportError) -> Recording.Exchange {
        let due = state.withLock { $0.sequence.take(call: request.call, transport) }
        if let due { gate.came(due) }
        guard let due else { throw miss(request, transport, due: nil, [], observer) }
        let differences = differences(of: request, to: due)
        guard differences.isEmpty else {
            throw miss(request, transport, due: due, differences, observer)
        }
        return due
    }

    func differences(
        of request: Request, to due: Recording.Exchange
    ) -> [RequestDifference] {
        do throws(TapeError) {
            let now = try state.withLock { state throws(TapeError) in
                try MaskedRequest(
                    AsSent.head(request), body: request.body, sensitive: request.sensitive,
                    redactor: &state.redactor)
            }
            return RequestComparison(
                recorded: try recording.maskedRequest(of: due), isWhole: due.isRequestWhole,
                now: now
            ).differences
        } catch {
            return [RequestDifference(.method, "the recorded request cannot be read: \(error)")]
        }
    }

    /// Plays a recorded exchange from now on.
    ///
    /// - Returns: It, and how much later than recorded it happens.
    func play(
        _ asSent: AsSent, of due: Recording.Exchange, _ observer: (any ExchangeObserver)?
    ) async -> (exchange: ReplayExchange, shift: Int64) {
        let shift: Int64
        switch clock.anchor {
        case .session:
            // Time is the recording's own; a cancelled task is told at the first step below.
            try? await clock.wait(until: due.time, frame: due.frame)
            shift = 0
        case .app: shift = clock.now().saturatingSubtract(due.time)
        }
        observer?.observe(.request(asSent.head), at: due.time.saturatingAdd(shift))
        observer?.commit()
        let progress = BodyProgress(asSent.events, of: due)
        state.withLock { $0.bodies.append(progress) }
        let exchange = ReplayExchange(
            asSent.events, clock: clock, shift: shift, observer: observer, progress: progress)
        return (exchange, shift)
    }

    private func miss(
        _ request: Request, _ transport: RequestRecord.Transport, due: Recording.Exchange?,
        _ differences: [RequestDifference], _ observer: (any ExchangeObserver)?
    ) -> TransportError {
        let path = URLForm(request.url).path
        let miss = ReplayMiss(
            call: request.call, exchange: due?.id, request: "\(request.method) \(Shown.cut(path))",
            differences: differences)
        state.withLock { $0.misses.append(miss) }
        let error = miss.error
        observer?.observe(.request(AsSent.head(request, transport)), at: clock.now())
        observer?.observe(
            .end(EndRecord(how: error.how, code: error.code.rawValue, message: error.message)),
            at: clock.now())
        observer?.commit()
        return error
    }
}

/// A journal that also has what a client declares to be secret masked in its requests.
private struct ReplayJournal: Journal {
    let base: any Journal
    let declare: @Sendable (String) -> Void

    func addClient(_ record: ClientRecord) -> UInt64 { base.addClient(record) }

    func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        base.beginCall(op, args: args, client: client)
    }

    func record(_ content: FrameContent) { base.record(content) }

    func declareSecret(_ secret: String) {
        declare(secret)
        base.declareSecret(secret)
    }
}
