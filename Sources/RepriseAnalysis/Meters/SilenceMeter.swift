internal import RepriseSession

/// Finds the stalls in a series of arrivals.
struct SilenceMeter: Sendable {
    /// A gap that is too long.
    struct Stall: Sendable, Hashable {
        /// From the last arrival before it.
        var start: Int64
        /// To the first one behind it.
        var end: Int64
        /// Its length without the time in which the app held the stream.
        var length: Int64
        /// What would still have been no stall.
        var limit: Int64
        /// What ended it.
        var place: Place
    }

    private let floor: Int64
    private var arrivals: [Int64] = []
    /// Places of the arrivals that end a gap above the floor, by their index.
    private var candidates: [(index: Int, place: Place)] = []

    init(floor: Int64) { self.floor = floor }

    /// Something arrived; several arrivals of one time count as one.
    mutating func arrive(at place: Place) {
        guard let time = place.time else { return }
        if let last = arrivals.last {
            guard time > last else { return }
            if time - last > floor { candidates.append((arrivals.count, place)) }
        }
        arrivals.append(time)
    }

    /// How many different times there were.
    var count: Int { arrivals.count }

    /// When the last one was.
    var last: Int64? { arrivals.last }

    /// - Parameters:
    ///   - holds: When the app held the stream, in order.
    ///   - factor: A gap of more than so many medians is a stall.
    func stalls(holds: [Range<Int64>], factor: Int64) -> [Stall] {
        guard !candidates.isEmpty else { return [] }
        let gaps = netGaps(holds)
        let limit = limit(of: gaps, factor: factor)
        return candidates.compactMap { index, place in
            let length = gaps[index - 1]
            guard length > limit else { return nil }
            return Stall(
                start: arrivals[index - 1], end: arrivals[index], length: length, limit: limit,
                place: place)
        }
    }

    /// What is still no stall; of less than two arrivals the floor.
    func limit(holds: [Range<Int64>], factor: Int64) -> Int64 {
        limit(of: netGaps(holds), factor: factor)
    }

    private func limit(of gaps: [Int64], factor: Int64) -> Int64 {
        gaps.isEmpty ? floor : max(SilenceMeter.median(gaps).multipliedOrLargest(by: factor), floor)
    }

    /// The gaps without what overlaps with `holds`.
    private func netGaps(_ holds: [Range<Int64>]) -> [Int64] {
        var rest = holds[...]
        return zip(arrivals, arrivals.dropFirst()).map { start, end in
            while let hold = rest.first, hold.upperBound <= start { rest.removeFirst() }
            let held = rest.prefix { $0.lowerBound < end }.reduce(into: Int64(0)) { sum, hold in
                sum += min(end, hold.upperBound) - max(start, hold.lowerBound)
            }
            return max(0, end - start - held)
        }
    }

    private static func median(_ values: [Int64]) -> Int64 {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
        return sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2
    }
}

extension Int64 {
    /// The product, or the largest number where it is beyond.
    func multipliedOrLargest(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
