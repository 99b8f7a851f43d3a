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
    private let hasCalls: Bool
    private let hasCallless: Bool

    init(_ exchanges: [Recording.Exchange]) {
        self.exchanges = exchanges
        isTaken = Array(repeating: false, count: exchanges.count)
        let http = exchanges.filter { $0.request.transport == .http }
        hasCalls = http.contains { $0.request.call != nil }
        hasCallless = http.contains { $0.request.call == nil }
    }

    /// The exchange for a request of the operation `call`; nil where none is left. Whether the
    /// request fits or not, the exchange is used up.
    mutating func take(call: UInt64?) -> Recording.Exchange? {
        let isOneLane = call == nil ? !hasCallless : !hasCalls
        let place = exchanges.indices.first { index in
            !isTaken[index] && exchanges[index].request.transport == .http
                && (isOneLane || exchanges[index].request.call == call)
        }
        guard let place else { return nil }
        isTaken[place] = true
        return exchanges[place]
    }

    /// What was not taken, in recorded order.
    var rest: [Recording.Exchange] {
        zip(exchanges, isTaken).filter { !$0.1 }.map(\.0)
    }
}
