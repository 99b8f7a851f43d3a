internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// What is served, what has been asked for, and what became of it.
final class Board: RequestService {
    private struct State {
        var matcher: RequestMatcher
        var exchanges: [ServedExchange]
        var missCount = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0

        var isSettled: Bool {
            exchanges.allSatisfy { $0.state != .unasked && $0.state != .running }
        }
    }

    private let responses: [ServedResponse]
    /// By the place of an exchange: the tape that it is of.
    private let tapes: [Int]
    private let recordings: [Recording]
    private let gates: [ReplayGate]
    private let pace: Pace
    private let options: SocketOptions
    private let cuts: Cuts
    private let faults: FaultPlan
    private let matching: RequestMatching
    private let state: Locked<State>
    private let tell: @Sendable (ReplayServer.Event) -> Void

    init(
        _ tapes: [(name: String, recording: Recording)], pace: Pace, options: SocketOptions,
        cuts: Cuts, faults: [Fault], matching: RequestMatching,
        tell: @escaping @Sendable (ReplayServer.Event) -> Void
    ) {
        let all = tapes.enumerated().flatMap { tape, value in
            value.recording.exchanges.map { (tape, value.name, value.recording, $0) }
        }
        responses = all.enumerated().map { place, one in
            ServedResponse(one.3.cut(cuts, member: UInt64(place)), pace: pace)
        }
        let exchanges = zip(all, responses).map {
            ServedExchange(
                tape: $0.1, exchange: $0.3, byteCount: $1.byteCount + $0.3.socketByteCount)
        }
        // It is served elsewhere than it was recorded.
        var matching = matching.ignoring(.header("Host"))
        matching.comparesOrigin = false
        let matcher = RequestMatcher(tapes.map(\.recording), matching) { tape, exchange in
            "exchange \(exchange.id) of \(tapes[tape].name)"
        }
        state = Locked(State(matcher: matcher, exchanges: exchanges))
        self.matching = matching
        self.tapes = all.map(\.0)
        recordings = tapes.map(\.recording)
        gates = tapes.map { _ in
            let gate = ReplayGate()
            gate.limit = Board.patience
            return gate
        }
        self.pace = pace
        self.options = options
        self.cuts = cuts
        self.faults = FaultPlan(faults)
        self.tell = tell
    }

    /// For how long a WebSocket waits for what its client said when recorded, while it stays: a
    /// day. Nobody knows what a client of another make is about to do.
    private static let patience: Int64 = 86_400_000_000_000

    var exchanges: [ServedExchange] { state.withLock { $0.exchanges } }
    var missCount: Int { state.withLock { $0.missCount } }
    var unstruck: [Fault] { faults.unstruck }

    /// How many bytes the largest piece of a body has.
    var largestPiece: Int {
        responses.lazy.flatMap(\.pieces).reduce(0) { max($0, $1.bytes.count) }
    }

    func respond(to request: Request) -> ServiceAnswer {
        let faults = faults.take(request)
        if let response = ServedResponse(statusOf: faults) {
            return ServiceAnswer(response: response)
        }
        let isWebSocket = request.headers.first("Upgrade")?.lowercased() == "websocket"
        let (answer, ids) = state.withLock { state in
            let answer = state.matcher.take(request, isWebSocket ? .websocket : .http)
            if case .found(let place) = answer { state.exchanges[place].state = .running }
            return (answer, state.matcher.renaming)
        }
        switch answer {
        case .found(let place):
            gates[tapes[place]].came(state.withLock { $0.exchanges[place].exchange })
            return self.answer(request, with: place, faults, ids)
        case .miss(let miss):
            tell(miss)
            return ServiceAnswer(response: ServedResponse(miss))
        }
    }

    private func tell(_ miss: ReplayMiss) {
        state.withLock { $0.missCount += 1 }
        tell(.miss(miss))
    }

    private func answer(
        _ request: Request, with place: Int, _ faults: [AimedFault], _ ids: TokenReplacement
    ) -> ServiceAnswer {
        var answer = ServiceAnswer(response: responses[place], ticket: place)
        if answer.response.head?.status == 101 {
            answer.socket = { [self] clock, start, open, write in
                socket(place, request, faults, clock, start, open, write)
            }
        } else if !faults.isEmpty || !ids.isEmpty {
            let exchange = state.withLock { $0.exchanges[place].exchange }.renamed(ids)
            answer.response = ServedResponse(
                (faults.isEmpty ? exchange : exchange.faulted(faults))
                    .cut(cuts, member: UInt64(place)), pace: pace)
        }
        return answer
    }

    private func socket(
        _ place: Int, _ request: Request, _ faults: [AimedFault], _ clock: any SessionClock,
        _ start: Int64,
        _ open: @escaping @Sendable (ResponseRecord) -> Void,
        _ write: @escaping @Sendable (_ pieces: [[UInt8]], _ payload: Int) -> Void
    ) -> ServedSocket {
        let served = state.withLock { $0.exchanges[place] }
        let tape = tapes[place]
        return ServedSocket(
            served.exchange, of: recordings[tape], for: request, name: served.name,
            ServedSocket.Surroundings(
                pace: pace, clock: clock, start: start, options: options, faults: faults,
                cuts: cuts, member: UInt64(place), gate: gates[tape],
                missing: { [weak self] in self?.missing(behind: place, before: $0) },
                miss: { [weak self] in self?.tell($0) },
                matching: SocketMatching(matching.order, of: place) { [weak self] body in
                    self?.state.withLock { body(&$0.matcher) }
                }, open: open, write: write))
    }

    /// The first request of the same tape behind an exchange's and before a frame that did not
    /// come.
    private func missing(behind place: Int, before frame: UInt64) -> String? {
        let tape = tapes[place]
        return state.withLock { state in
            let opening = state.exchanges[place].exchange.frame
            let missing = state.matcher.missing(of: tape, behind: opening, before: frame)
            return missing.map {
                "the request of exchange \($0.id) of \(state.exchanges[place].tape)"
            }
        }
    }

    func finish(_ ticket: Int, sent: Int, isWhole: Bool) {
        let waiters = state.withLock { state in
            state.exchanges[ticket].state = isWhole ? .whole : .left(bytes: sent)
            guard state.isSettled else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        tell(.over(ticket))
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until every exchange was asked for and is over, or the task is cancelled.
    func untilSettled() async {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isSettled || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}

extension Recording.Exchange {
    /// How many bytes of payload its server's frames have.
    fileprivate var socketByteCount: Int {
        events.reduce(0) { sum, event in
            guard case .socketFrame(let record) = event.content, record.sender == .server else {
                return sum
            }
            return sum + record.bytes.count
        }
    }
}

extension ServedResponse {
    /// What a fault answers; nil where none does.
    fileprivate init?(statusOf faults: [AimedFault]) {
        guard let (status, text) = faults.takeStatus() else { return nil }
        let bytes = Array(text.utf8)
        let kind = (try? JSON.parse(bytes)) == nil ? "text/plain" : "application/json"
        self.init()
        head = Head(
            status: status,
            headers: ["Content-Type": kind, "Content-Length": String(bytes.count)], offset: 0)
        framing = .length(bytes.count)
        if !bytes.isEmpty { pieces = [Piece(bytes: bytes, offset: 0)] }
    }

    /// What a client is told whose request was not recorded.
    fileprivate init(_ miss: ReplayMiss) {
        let differences = miss.differences.map { JSON.string($0.description) }
        let body: JSON = [
            "error": [
                "code": .string(miss.kind.rawValue), "message": .string(miss.message),
                "differences": .array(differences),
            ]
        ]
        let bytes = body.serializedBytes + [10]
        self.init()
        head = Head(
            status: 501,
            headers: [
                "Content-Type": "application/json", "Content-Length": String(bytes.count),
            ], offset: 0)
        framing = .length(bytes.count)
        pieces = [Piece(bytes: bytes, offset: 0)]
    }
}
