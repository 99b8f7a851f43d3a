internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// A transport that answers from a recording: no network, the recorded bytes with their cuts and
/// times, and the recorded end.
///
/// Requests must come as they were recorded: by default each is compared with the next recorded one
/// of its operation (of the whole session where no operations were recorded), by method, URL,
/// header fields in order and case, and body, after the masking that the recording went through;
/// a ``RequestMatching`` says otherwise. One that nothing answers throws a ``TransportError`` with
/// the code of its ``ReplayMiss``: `replay.noSuchRequest`, `replay.consumed` or
/// `replay.outOfOrder`. An exchange that was not recorded to its end throws `replay.recorderDied`
/// after what was recorded.
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
    /// Which recorded exchange may answer a request.
    public let matching: RequestMatching

    struct State {
        var matcher: RequestMatcher
        var misses: [ReplayMiss] = []
        /// How far bodies were read, in the order of the requests.
        var bodies: [BodyProgress] = []
        /// Those that were opened.
        var sockets: [ReplaySocket] = []
    }

    let state: Locked<State>
    /// Which operation is which recorded one; nil where the journal says.
    private let calls: RecordedCalls?
    /// Where WebSockets wait for the client.
    let gate = ReplayGate()

    /// A replay from the recording's start.
    ///
    /// - Parameters:
    ///   - recording: What to replay.
    ///   - pace: How fast.
    ///   - journal: Where clients note what only they know; by default it only counts.
    ///   - tools: What becomes of the app's tools; by default none is run.
    ///   - matching: Which recorded exchange may answer a request.
    public convenience init(
        recording: Recording, pace: Pace = .instant, journal: any Journal = CountingJournal(),
        tools: ReplayTools = .recorded, matching: RequestMatching = .exact
    ) {
        self.init(
            recording: recording, clock: ReplayClock(pace: pace), journal: journal, tools: tools,
            matching: matching)
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
    ///   - matching: Which recorded exchange may answer a request.
    public convenience init(
        recording: Recording, time: VirtualTime, anchor: ReplayClock.Anchor = .app,
        journal: any Journal = CountingJournal(), tools: ReplayTools = .recorded,
        matching: RequestMatching = .exact
    ) {
        self.init(
            recording: recording, clock: ReplayClock(time, anchor: anchor), journal: journal,
            tools: tools, matching: matching)
    }

    /// A replay on a clock of the caller's.
    package init(
        recording: Recording, clock: ReplayClock, journal: any Journal,
        tools: ReplayTools = .recorded, matching: RequestMatching = .exact
    ) {
        self.recording = recording
        self.clock = clock
        self.matching = matching
        entropy = ReplayEntropy(recording.entropy)
        let state = Locked(State(matcher: RequestMatcher([recording], matching)))
        self.state = state
        // Who keeps a journal of his own has numbers of his own.
        let calls = journal is CountingJournal ? RecordedCalls(recording) : nil
        self.calls = calls
        let runner = tools.runner(recording, clock: clock)
        let draws = entropy
        context = SessionContext(
            clock: clock,
            entropy: calls.map { RecordedCallsEntropy(base: draws, calls: $0) } ?? draws,
            journal: ReplayJournal(base: journal, calls: calls) { secret in
                state.withLock { $0.matcher.redactor.declare(secret) }
            }, tools: calls.map { RecordedCallsTools(base: runner, calls: $0) } ?? runner,
            executor: clock.time)
    }

    /// The recorded exchanges that no request has asked for, in order.
    public var unconsumed: [Recording.Exchange] { state.withLock { $0.matcher.rest } }

    /// The recorded exchanges of an operation that no request has asked for, in order.
    func unconsumed(of call: UInt64) -> [Recording.Exchange] {
        state.withLock { $0.matcher.rest(of: call) }
    }

    /// The requests, and messages on WebSockets, that were not the recorded ones, in order.
    public var misses: [ReplayMiss] { state.withLock { $0.misses } }

    /// Answers `request` with the recorded exchange that is its own.
    public func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        try await respond(to: request, with: due(for: request, .http, observer), observer)
    }

    func respond(
        to request: Request, with place: Int, _ observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        let due = recording.exchanges[place].renamed(state.withLock { $0.matcher.renaming })
        let (exchange, _) = await play(AsSent(request, due), of: due, observer)
        return Response(head: try await exchange.head(), body: ResponseBody(exchange))
    }

    /// The place of the recorded exchange that answers a request.
    ///
    /// - Throws: ``TransportError`` where none does, which the observer has been told.
    func due(
        for request: Request, _ transport: RequestRecord.Transport,
        _ observer: (any ExchangeObserver)?
    ) throws(TransportError) -> Int {
        var request = request
        request.call = request.call.map { calls?.recorded($0) ?? $0 }
        let answer = state.withLock { [request] state in
            let answer = state.matcher.take(request, transport)
            if case .miss(let miss) = answer { state.misses.append(miss) }
            return answer
        }
        switch answer {
        case .found(let place):
            gate.came(recording.exchanges[place])
            return place
        case .miss(let miss):
            gate.changed()
            tell(miss, request, transport, observer)
            throw miss.error
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

    private func tell(
        _ miss: ReplayMiss, _ request: Request, _ transport: RequestRecord.Transport,
        _ observer: (any ExchangeObserver)?
    ) {
        let error = miss.error
        observer?.observe(.request(AsSent.head(request, transport)), at: clock.now())
        observer?.observe(
            .end(EndRecord(how: error.how, code: error.code.rawValue, message: error.message)),
            at: clock.now())
        observer?.commit()
    }
}

/// A journal that also has what a client declares to be secret masked in its requests.
private struct ReplayJournal: Journal {
    let base: any Journal
    let calls: RecordedCalls?
    let declare: @Sendable (String) -> Void

    func addClient(_ record: ClientRecord) -> UInt64 { base.addClient(record) }

    func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        let number = base.beginCall(op, args: args, client: client)
        return calls?.begin(op, args: args) ?? number
    }

    func record(_ content: FrameContent) { base.record(content) }

    func declareSecret(_ secret: String) {
        declare(secret)
        base.declareSecret(secret)
    }
}
