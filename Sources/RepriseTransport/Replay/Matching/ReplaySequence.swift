internal import RepriseTape

/// Which recorded exchange answers the next request: strictly the next one of its lane.
///
/// A lane is an operation of a client (the requests that carry its number), so that operations
/// that run at the same time do not trip each other; requests of no operation are a lane too.
/// Where nothing recorded carries a number, or nothing recorded is without one and the request
/// is, all exchanges are one lane. Within a lane the order is that of the recorded requests'
/// starts. WebSockets have lanes of their own.
struct ReplaySequence {
    private let exchanges: [Recording.Exchange]
    private var isTaken: [Bool]
    private var lanes: [RequestRecord.Transport: ReplayLanes] = [:]
    /// Places of all exchanges in the order of the tape.
    private let order: [Int]

    init(_ exchanges: [Recording.Exchange]) {
        self.exchanges = exchanges
        isTaken = Array(repeating: false, count: exchanges.count)
        order = exchanges.indices.sorted { exchanges[$0].frame < exchanges[$1].frame }
        for transport in [RequestRecord.Transport.http, .websocket] {
            let places = exchanges.indices.filter { exchanges[$0].request.transport == transport }
            lanes[transport] = ReplayLanes(places.map { ($0, exchanges[$0].request.call) })
        }
    }

    /// The exchange for a request of the operation `call`; nil where none is left. Whether the
    /// request fits or not, the exchange is used up.
    mutating func take(
        call: UInt64?, _ transport: RequestRecord.Transport = .http
    ) -> Recording.Exchange? {
        guard let place = lanes[transport]?.take(call: call, isTaken) else { return nil }
        isTaken[place] = true
        return exchanges[place]
    }

    /// The first exchange that is left and that `fits`, whatever its lane; nil for none, and then
    /// nothing is used up.
    mutating func take(
        _ transport: RequestRecord.Transport, where fits: (Recording.Exchange) -> Bool
    ) -> Recording.Exchange? {
        let place = exchanges.indices.first { place in
            !isTaken[place] && exchanges[place].request.transport == transport
                && fits(exchanges[place])
        }
        guard let place else { return nil }
        isTaken[place] = true
        return exchanges[place]
    }

    /// What was not taken, in recorded order.
    var rest: [Recording.Exchange] {
        exchanges.indices.filter { !isTaken[$0] }.map { exchanges[$0] }
    }

    /// What was not taken of an operation, in recorded order.
    func rest(of call: UInt64) -> [Recording.Exchange] {
        exchanges.indices.filter { !isTaken[$0] && exchanges[$0].request.call == call }
            .map { exchanges[$0] }
    }

    /// The first exchange that was not taken and whose request is between two frames.
    func missing(behind opening: UInt64, before frame: UInt64) -> Recording.Exchange? {
        for place in order where exchanges[place].frame > opening {
            if exchanges[place].frame >= frame { return nil }
            if !isTaken[place] { return exchanges[place] }
        }
        return nil
    }
}

/// The lanes of the exchanges of one protocol, by their places.
private struct ReplayLanes {
    private var byCall: [UInt64?: ArraySlice<Int>] = [:]
    private var all: ArraySlice<Int>
    private let hasCalls: Bool

    init(_ places: [(place: Int, call: UInt64?)]) {
        all = places.map(\.place)[...]
        for (place, call) in places { byCall[call, default: []].append(place) }
        hasCalls = byCall.keys.contains { $0 != nil }
    }

    mutating func take(call: UInt64?, _ isTaken: [Bool]) -> Int? {
        let isOneLane = call == nil ? byCall[nil] == nil : !hasCalls
        if isOneLane { return all.popFirst { !isTaken[$0] } }
        var lane = byCall[call] ?? []
        defer { byCall[call] = lane }
        return lane.popFirst { !isTaken[$0] }
    }
}

extension ArraySlice<Int> {
    /// The first that was not taken through another lane; those before it are dropped.
    fileprivate mutating func popFirst(_ isLeft: (Int) -> Bool) -> Int? {
        while let place = popFirst() {
            if isLeft(place) { return place }
        }
        return nil
    }
}
