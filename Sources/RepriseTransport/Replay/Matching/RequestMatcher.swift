package import RepriseTape
internal import RepriseWire

/// Finds the recorded exchange that answers a request, and tells why none does.
package struct RequestMatcher {
    /// What answers a request.
    package enum Answer: Sendable {
        /// The exchange at that place of those given.
        case found(Int)
        /// None, and why.
        case miss(ReplayMiss)
    }

    /// A recorded exchange.
    struct Entry {
        /// The place of its recording.
        let tape: Int
        let exchange: Recording.Exchange
        /// Its name in messages.
        let name: String
        /// Whether it has answered a request.
        var isTaken = false
        fileprivate var request: Result<MaskedRequest, TapeError>?
    }

    private let matching: RequestMatching
    private let recordings: [Recording]
    /// What the recorded clients drew at random, by the places of the recordings.
    private let drawn: [Set<String>]
    private var entries: [Entry]
    /// Masks the requests of now as a recorder would have.
    package var redactor = Redactor()
    /// Which ids of now stand for which recorded ones.
    private(set) var ids = IdentifierMap()

    private var lanes: [RequestRecord.Transport: ReplayLanes] = [:]
    /// Places in the order of their tapes.
    private let order: [Int]

    /// A matcher over the exchanges of recordings, whose places are in their order.
    ///
    /// - Parameter name: What an exchange is called in messages.
    package init(
        _ recordings: [Recording], _ matching: RequestMatching,
        name: (_ tape: Int, Recording.Exchange) -> String = { "exchange \($1.id)" }
    ) {
        self.matching = matching
        self.recordings = recordings
        drawn = recordings.map { matching.mapsDrawn ? Set($0.entropy.map(\.value)) : [] }
        let entries = recordings.enumerated().flatMap { tape, recording in
            recording.exchanges.map { Entry(tape: tape, exchange: $0, name: name(tape, $0)) }
        }
        self.entries = entries
        order = entries.indices.sorted {
            (entries[$0].tape, entries[$0].exchange.frame)
                < (entries[$1].tape, entries[$1].exchange.frame)
        }
        for transport in [RequestRecord.Transport.http, .websocket] {
            let places = entries.indices.filter { entries[$0].isOf(transport) }
            lanes[transport] = ReplayLanes(places.map { ($0, entries[$0].exchange.request.call) })
        }
    }

    /// The exchange that answers `request`, which is used up by it.
    ///
    /// Where none does, the one that was due is used up if it is the nearest to the request, so
    /// that those that follow find theirs.
    package mutating func take(
        _ request: Request, _ transport: RequestRecord.Transport = .http
    ) -> Answer {
        let now = masked(request, transport)
        let due = due(call: request.call, transport)
        if matching.order == .recorded, let due, let now, fits(now, due) {
            return found(due)
        }
        if matching.order == .free, let now,
            let place = first(of: transport, where: { !$0.isTaken }, fitting: now)
        {
            return found(place)
        }
        return .miss(miss(request, now, transport, due: due))
    }

    /// The first exchange that is left and that answers `request`, whatever is due.
    ///
    /// - Returns: nil for none; nothing is used up then, and it is no miss.
    package mutating func takeAny(
        _ request: Request, _ transport: RequestRecord.Transport
    ) -> Int? {
        guard let now = masked(request, transport),
            let place = first(of: transport, where: { !$0.isTaken }, fitting: now)
        else { return nil }
        entries[place].isTaken = true
        return place
    }

    private mutating func found(_ place: Int) -> Answer {
        entries[place].isTaken = true
        return .found(place)
    }

    private func due(call: UInt64?, _ transport: RequestRecord.Transport) -> Int? {
        matching.order == .free ? nil : next(call: call, transport)
    }

    /// The first that is left of an operation.
    private func next(call: UInt64?, _ transport: RequestRecord.Transport) -> Int? {
        lanes[transport]?.due(call: call) { !entries[$0].isTaken }
    }

    // MARK: Comparing

    /// The request as a tape would have it; nil where it cannot be masked.
    private mutating func masked(
        _ request: Request, _ transport: RequestRecord.Transport
    ) -> MaskedRequest? {
        try? MaskedRequest(
            AsSent.head(request, transport), body: request.body, sensitive: request.sensitive,
            redactor: &redactor)
    }

    private mutating func first(
        of transport: RequestRecord.Transport, where isOne: (Entry) -> Bool,
        fitting now: MaskedRequest
    ) -> Int? {
        for place in entries.indices
        where entries[place].isOf(transport) && isOne(entries[place]) && fits(now, place) {
            return place
        }
        return nil
    }

    /// Whether the exchange answers the request; the ids that it shows are known from then on.
    private mutating func fits(_ now: MaskedRequest, _ place: Int) -> Bool {
        let (differences, ids) = compare(now, place)
        if !differences.isEmpty { return false }
        self.ids = ids
        return true
    }

    private mutating func compare(
        _ now: MaskedRequest, _ place: Int
    ) -> (differences: [RequestDifference], ids: IdentifierMap) {
        let recorded: MaskedRequest
        do throws(TapeError) {
            recorded = try request(place)
        } catch {
            return (
                [RequestDifference(.method, "the recorded request cannot be read: \(error)")], ids
            )
        }
        let trial = trial(place)
        let comparison = RequestComparison(
            recorded: recorded, now: now, isWhole: entries[place].exchange.isRequestWhole,
            trial: trial)
        return (comparison.differences, trial.ids)
    }

    /// What puts ids of now into the places of recorded ones.
    package var renaming: TokenReplacement { ids.toNow }

    private func trial(_ place: Int) -> MatchTrial {
        MatchTrial(matching, drawn: drawn[entries[place].tape], ids: ids)
    }

    private mutating func request(_ place: Int) throws(TapeError) -> MaskedRequest {
        if let request = entries[place].request { return try request.get() }
        let entry = entries[place]
        let made = Result { () throws(TapeError) in
            try recordings[entry.tape].maskedRequest(of: entry.exchange)
        }
        entries[place].request = made
        return try made.get()
    }

    /// In what a client says otherwise on the WebSocket of an exchange; where it says the same,
    /// the ids that it shows are known from then on.
    package mutating func compare(
        _ now: SocketSaying, to recorded: SocketSaying, of place: Int
    ) -> [RequestDifference] {
        let trial = trial(place)
        let differences = SocketComparison(recorded: recorded, now: now, trial: trial).differences
        if differences.isEmpty { ids = trial.ids }
        return differences
    }

    // MARK: Misses

    private mutating func miss(
        _ request: Request, _ now: MaskedRequest?, _ transport: RequestRecord.Transport, due: Int?
    ) -> ReplayMiss {
        // What it says itself is known to be secret only once all of it was seen.
        let now = now == nil ? nil : masked(request, transport)
        var search = MissSearch(due: due)
        for place in entries.indices where entries[place].isOf(transport) {
            guard let now else { break }
            search.add(place, compare(now, place).differences, isTaken: entries[place].isTaken)
        }
        let shown = now.map { URLForm($0.url, isMasked: true).path } ?? "*"
        var base = ReplayMiss(
            .noSuchRequest, call: request.call,
            request: "\(Shown.cut(request.method)) \(Shown.cut(shown))")
        base.notes = matching.problems
        base.matching = matching.values == .meant ? "flexible" : "exact"
        base.isExhausted = next(call: request.call, transport) == nil
        if base.isExhausted, matching.order == .recorded {
            let lane = request.call.map { " in this operation, call \($0)" } ?? ""
            base.notes.append("nothing more was recorded\(lane)")
        }
        let miss = search.miss(base) { ReplayMiss.Recorded(entries[$0]) }
        if let due, miss.kind == .noSuchRequest, search.nearest == due {
            entries[due].isTaken = true
        }
        return miss
    }

    // MARK: What is left

    /// What was not taken, in recorded order.
    var rest: [Recording.Exchange] {
        entries.filter { !$0.isTaken }.map(\.exchange)
    }

    /// What was not taken of an operation, in recorded order.
    func rest(of call: UInt64) -> [Recording.Exchange] {
        rest.filter { $0.request.call == call }
    }

    /// The first exchange that was not taken and whose request is between two frames of a tape.
    package func missing(
        of tape: Int = 0, behind opening: UInt64, before frame: UInt64
    ) -> Recording.Exchange? {
        for place in order
        where entries[place].tape == tape && entries[place].exchange.frame > opening {
            if entries[place].exchange.frame >= frame { return nil }
            if !entries[place].isTaken { return entries[place].exchange }
        }
        return nil
    }
}

extension RequestMatcher.Entry {
    fileprivate func isOf(_ transport: RequestRecord.Transport) -> Bool {
        exchange.request.transport == transport
    }
}
