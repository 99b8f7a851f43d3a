internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// What is served, what has been asked for, and what became of it.
final class Board: RequestService {
    private struct State {
        var shelf: RequestShelf
        var exchanges: [ServedExchange]
        var missCount = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0

        var isSettled: Bool {
            exchanges.allSatisfy { $0.state != .unasked && $0.state != .running }
        }
    }

    private let responses: [ServedResponse]
    private let state: Locked<State>
    private let tell: @Sendable (ReplayServer.Event) -> Void

    init(
        _ tapes: [(name: String, recording: Recording)], pace: Pace,
        tell: @escaping @Sendable (ReplayServer.Event) -> Void
    ) throws(TapeError) {
        let all = tapes.flatMap { tape in
            tape.recording.exchanges.map { (tape.name, tape.recording, $0) }
        }
        responses = all.map { ServedResponse($0.2, pace: pace) }
        let exchanges = zip(all, responses).map {
            ServedExchange(tape: $0.0, exchange: $0.2, byteCount: $1.byteCount)
        }
        state = Locked(
            State(shelf: try RequestShelf(all.map { ($0.1, $0.2) }), exchanges: exchanges))
        self.tell = tell
    }

    var exchanges: [ServedExchange] { state.withLock { $0.exchanges } }
    var missCount: Int { state.withLock { $0.missCount } }

    /// How many bytes the largest piece of a body has.
    var largestPiece: Int {
        responses.lazy.flatMap(\.pieces).reduce(0) { max($0, $1.bytes.count) }
    }

    func respond(to request: Request) -> ServiceAnswer {
        let (place, miss) = state.withLock { state -> (Int?, (ShelfMiss, String)?) in
            switch state.shelf.take(request) {
            case .found(let place):
                state.exchanges[place].state = .running
                return (place, nil)
            case .miss(let miss):
                state.missCount += 1
                return (nil, (miss, miss.message { state.exchanges[$0].name }))
            }
        }
        if let place { return ServiceAnswer(response: responses[place], ticket: place) }
        guard let (miss, message) = miss else { return ServiceAnswer(response: ServedResponse()) }
        tell(.miss(message))
        return ServiceAnswer(response: ServedResponse(miss, message))
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

extension ServedResponse {
    /// What a client is told whose request was not recorded.
    fileprivate init(_ miss: ShelfMiss, _ message: String) {
        let differences = miss.differences.map { JSON.string($0.description) }
        let body: JSON = [
            "error": [
                "code": .string(miss.reason.rawValue), "message": .string(message),
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
