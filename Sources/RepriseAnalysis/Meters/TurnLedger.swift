internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// Which exchanges make which turns.
///
/// The tape's `call` frames of operations that send mark turns; where there are none, the dialect
/// finds them.
struct TurnLedger {
    /// A turn in the making.
    struct Turn {
        var call: UInt64?
        var operation: String?
        var begin: Int64
        var start: Int64?
        /// Exchanges in the order of their requests, and which of them asked the question.
        var exchanges: [UInt64] = []
        var openers: [UInt64] = []
        var callError: String?
        var hasCallEnded = false
        var ending: SessionEvent.Ending?
        var endingTime: Int64?
        /// The first text or card since the last tool result.
        var firstOutput: Int64?
        var textBytes = 0
        /// The first run that belongs to it.
        var run: Run?
        /// Whether a request of it is on the tape, and not only a run.
        var hasRequest = false
        /// Why no answer will come.
        var refusal: String?
    }

    private(set) var turns: [Turn] = []
    private var turnOfCall: [UInt64: Int] = [:]
    private var turnOfExchange: [UInt64: Int] = [:]
    private var turnOfRun: [Run: Int] = [:]
    private var turnOfName: [String: Int] = [:]

    /// A run on a connection that carries several.
    struct Run: Hashable {
        var exchange: UInt64
        var run: String
    }

    /// Index of the turn that a client operation is.
    func turn(ofCall call: UInt64) -> Int? { turnOfCall[call] }

    /// Index of the turn that an exchange, or a run of it, belongs to.
    func turn(of exchange: UInt64, run: String? = nil) -> Int? {
        if let run { return turnOfRun[Run(exchange: exchange, run: run)] }
        return turnOfExchange[exchange]
    }

    /// A client operation began or ended.
    mutating func read(_ record: CallRecord, at time: Int64, turnOperations: Set<String>) {
        if let operation = record.op {
            guard turnOperations.contains(operation) else { return }
            turnOfCall[record.call] = turns.count
            turns.append(Turn(call: record.call, operation: operation, begin: time))
        } else if let turn = turnOfCall[record.call] {
            turns[turn].hasCallEnded = true
            turns[turn].callError = record.error.map { $0["code"]?.string ?? "an error" }
        }
    }

    /// A request begins.
    mutating func open(_ exchange: ExchangeHead) {
        guard let call = exchange.request.call, let turn = turnOfCall[call] else { return }
        attach(exchange.number, nil, to: turn, at: exchange.start)
    }

    /// Something happened.
    ///
    /// - Parameter start: When the request, or the run, began that it belongs to.
    mutating func read(_ event: SessionEvent, start: Int64) {
        let exchange = event.place.exchange
        switch event.kind {
        case .opensTurn: opensTurn(exchange, event.run, at: start)
        case .continuesTurn(let name):
            if let turn = turnOfName[name] {
                attach(exchange, event.run, to: turn, at: start)
            }
        case .refusesTurn(let name, let reason):
            if let turn = turnOfName[name] { turns[turn].refusal = reason }
        default:
            if let turn = turn(of: exchange, run: event.run) { read(event, in: turn) }
        }
    }

    private mutating func opensTurn(_ exchange: UInt64, _ run: String?, at start: Int64) {
        let turn: Int
        if let known = self.turn(of: exchange, run: run) {
            turn = known
        } else {
            turn = turns.count
            turns.append(Turn(begin: start))
            attach(exchange, run, to: turn, at: start)
        }
        turns[turn].openers.append(exchange)
    }

    private mutating func attach(
        _ exchange: UInt64, _ run: String?, to turn: Int, at start: Int64
    ) {
        if let run {
            let run = Run(exchange: exchange, run: run)
            turnOfRun[run] = turn
            turns[turn].run = turns[turn].run ?? run
        } else {
            turnOfExchange[exchange] = turn
            turns[turn].hasRequest = true
        }
        turns[turn].start = turns[turn].start ?? start
        if turns[turn].exchanges.last != exchange && !turns[turn].exchanges.contains(exchange) {
            turns[turn].exchanges.append(exchange)
        }
    }

    private mutating func read(_ event: SessionEvent, in turn: Int) {
        switch event.kind {
        case .namesTurn(let name): turnOfName[name] = turn
        case .text(let text):
            turns[turn].textBytes += text.utf8.count
            turns[turn].firstOutput = turns[turn].firstOutput ?? event.place.time
        case .card: turns[turn].firstOutput = turns[turn].firstOutput ?? event.place.time
        case .toolResult: turns[turn].firstOutput = nil
        case .ended(let ending):
            turns[turn].ending = ending
            turns[turn].endingTime = event.place.time
        default: break
        }
    }

    /// Whether an exchange asked what a later one of the same turn asked again.
    func isRetried(_ exchange: UInt64) -> Bool {
        guard let turn = turnOfExchange[exchange], turns[turn].openers.contains(exchange) else {
            return false
        }
        return turns[turn].openers.last != exchange
    }

    /// t0 of an exchange: of a question that was asked again, the first try's.
    func start(of exchange: UInt64, default start: Int64) -> Int64 {
        guard let turn = turnOfExchange[exchange], turns[turn].openers.contains(exchange) else {
            return start
        }
        return turns[turn].start ?? start
    }

    /// t0 of a run: when the request was sent that it answers; nil where the tape has none, or
    /// where the run is not the first that answers it.
    func start(of exchange: UInt64, run: String) -> Int64? {
        let run = Run(exchange: exchange, run: run)
        guard let turn = turnOfRun[run], turns[turn].run == run, turns[turn].hasRequest else {
            return nil
        }
        return turns[turn].start
    }
}
