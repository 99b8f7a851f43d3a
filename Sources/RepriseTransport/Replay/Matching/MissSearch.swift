/// Finds out why a request has no answer, and what was recorded that is most like it.
struct MissSearch {
    /// What is due; nil where nothing is left, or where anything may come.
    private let due: Int?
    private var same: [(place: Int, isTaken: Bool)] = []
    private var best: (place: Int, differences: [RequestDifference], cost: Int)?

    init(due: Int?) { self.due = due }

    /// The place of the most similar one.
    var nearest: Int? { best?.place }

    /// Takes one of the recorded ones, in their order.
    mutating func add(_ place: Int, _ differences: [RequestDifference], isTaken: Bool) {
        if differences.isEmpty { return same.append((place, isTaken)) }
        let rank = place == due ? 0 : isTaken ? 2 : 1
        let cost = differences.reduce(0) { $0 + $1.cost } * 4 + rank
        if best.map({ cost < $0.cost }) ?? true { best = (place, differences, cost) }
    }

    /// What there is to say.
    ///
    /// - Parameters:
    ///   - request: What has no answer.
    ///   - recorded: Tells of a recorded one.
    func miss(
        _ request: ReplayMiss, _ recorded: (_ place: Int) -> ReplayMiss.Recorded
    ) -> ReplayMiss {
        var miss = request
        miss.due = due.map(recorded)
        if let later = same.first(where: { !$0.isTaken }) {
            miss.kind = .outOfOrder
            miss.nearest = recorded(later.place)
        } else if let last = same.last {
            miss.kind = .consumed
            miss.nearest = recorded(last.place)
            miss.answered = same.count
        } else if let best {
            miss.nearest = recorded(best.place)
            miss.nearest?.differences = best.differences
        }
        return miss
    }
}

extension RequestDifference {
    /// How much it makes of a request another one.
    fileprivate var cost: Int {
        switch part {
        case .method, .message: 12
        // Segments in common make a path likely.
        case .url("path"): place == nil ? 24 : 8
        case .body: 4
        case .headerOrder: 1
        default: 2
        }
    }
}
