internal import RepriseTape

/// Which recorded exchange is due next where they have to come in their order: strictly the next
/// one of its lane.
///
/// A lane is an operation of a client (the requests that carry its number), so that operations
/// that run at the same time do not trip each other; requests of no operation are a lane too.
/// Where nothing recorded carries a number, or nothing recorded is without one and the request
/// is, all exchanges are one lane. Within a lane the order is that of the recorded requests'
/// starts.
struct ReplayLanes {
    private var byCall: [UInt64?: [Int]] = [:]
    private let all: [Int]
    private let hasCalls: Bool

    init(_ places: [(place: Int, call: UInt64?)]) {
        all = places.map(\.place)
        for (place, call) in places { byCall[call, default: []].append(place) }
        hasCalls = byCall.keys.contains { $0 != nil }
    }

    /// The first that is left of the lane of an operation.
    func due(call: UInt64?, _ isLeft: (Int) -> Bool) -> Int? {
        let isOneLane = call == nil ? byCall[nil] == nil : !hasCalls
        return (isOneLane ? all : byCall[call] ?? []).first(where: isLeft)
    }
}
