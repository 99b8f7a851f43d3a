internal import RepriseTape

/// Which recorded exchange answers the next request: strictly the next one of its lane.
///
/// A lane is an operation of a client (the requests that carry its number), so that operations
/// that run at the same time do not trip each other; requests of no operation are a lane too.
/// Where nothing recorded carries a number, or nothing recorded is without one and the request
/// is, all exchanges are one lane. Within a lane the order is that of the recorded requests'
/// starts. WebSocket connections are in no lane.
struct ReplaySequence {
    private let exchanges: [Recording.Exchange]
    private var isTaken: [Bool]
    /// Places of HTTP exchanges that may be left, by operation; the key of those of none is nil.
    private var lanes: [UInt64?: ArraySlice<Int>] = [:]
    /// Places of all HTTP exchanges that may be left.
    private var all: ArraySlice<Int>
    private let hasCalls: Bool

    init(_ exchanges: [Recording.Exchange]) {
        self.exchanges = exchanges
        isTaken = Array(repeating: false, count: exchanges.count)
        all = exchanges.indices.filter { exchanges[$0].request.transport == .http }[...]
        for place in all { lanes[exchanges[place].request.call, default: []].append(place) }
        hasCalls = lanes.keys.contains { $0 != nil }
    }

    /// The exchange for a request of the operation `call`; nil where none is left. Whether the
    /// request fits or not, the exchange is used up.
    mutating func take(call: UInt64?) -> Recording.Exchange? {
        let isOneLane = call == nil ? lanes[nil] == nil : !hasCalls
        let place = isOneLane ? next(of: &all) : lanes[call].flatMap { takeNext($0, of: call) }
        guard let place else { return nil }
        isTaken[place] = true
        return exchanges[place]
    }

    private mutating func takeNext(_ lane: ArraySlice<Int>, of call: UInt64?) -> Int? {
        var lane = lane
        defer { lanes[call] = lane }
        return next(of: &lane)
    }

    /// The first of `lane` that was not taken through another.
    private func next(of lane: inout ArraySlice<Int>) -> Int? {
        while let place = lane.popFirst() {
            if !isTaken[place] { return place }
        }
        return nil
    }

    /// What was not taken, in recorded order.
    var rest: [Recording.Exchange] {
        exchanges.indices.filter { !isTaken[$0] }.map { exchanges[$0] }
    }

    /// What was not taken of an operation, in recorded order.
    func rest(of call: UInt64) -> [Recording.Exchange] {
        (lanes[call] ?? []).filter { !isTaken[$0] }.map { exchanges[$0] }
    }
}
