/// How much of what a client said on a recorded WebSocket it has said again.
struct SaidProgress {
    /// What becomes of something the client says.
    enum Outcome {
        /// It is what was recorded at that place.
        case heard(Int)
        /// All that was recorded has been said, and it is none of it, or not meant to come again.
        case more(ReplayMiss)
        /// Something else was recorded.
        case miss(ReplayMiss)
    }

    /// In what something that is said is not what was recorded.
    typealias Comparison = (_ now: SocketSaying, _ recorded: SocketSaying) -> [RequestDifference]

    private let said: [SocketScript.Said]
    private let order: RequestMatching.Order
    private let id: SocketIdentity
    private var isHeard: [Bool]
    /// How much has been said.
    private(set) var count = 0

    init(_ said: [SocketScript.Said], _ order: RequestMatching.Order, _ id: SocketIdentity) {
        self.said = said
        self.order = order
        self.id = id
        isHeard = said.map { _ in false }
    }

    /// The place of the first that is to come before others and has not.
    func missing(before needed: Int) -> Int? { isHeard[..<needed].firstIndex(of: false) }

    /// How much was not said again, of what is before a frame of the tape.
    func unsaid(before frame: UInt64) -> Int {
        zip(said, isHeard).count { !$1 && $0.frame < frame }
    }

    mutating func take(_ saying: SocketSaying, _ compare: Comparison) -> Outcome {
        let left = isHeard.indices.filter { !isHeard[$0] }
        for place in order == .free ? left : Array(left.prefix(1))
        where compare(saying, said[place].saying).isEmpty {
            isHeard[place] = true
            count += 1
            return .heard(place)
        }
        let miss = miss(saying, left: left, compare)
        return left.isEmpty ? .more(miss) : .miss(miss)
    }

    private func miss(
        _ saying: SocketSaying, left: [Int], _ compare: Comparison
    ) -> ReplayMiss {
        let due = order == .free ? nil : left.first
        var search = MissSearch(due: due)
        for place in said.indices {
            search.add(place, compare(saying, said[place].saying), isTaken: isHeard[place])
        }
        var base = ReplayMiss(
            .noSuchRequest, call: id.call, socket: id.exchange,
            request: "\(id.request), \(saying.title(count + 1))")
        base.isExhausted = left.isEmpty
        return search.miss(base) { place in
            ReplayMiss.Recorded(
                exchange: id.exchange,
                name: "\(said[place].saying.title(place + 1)) of \(id.name)",
                request: said[place].saying.name, isTaken: isHeard[place])
        }
    }
}
