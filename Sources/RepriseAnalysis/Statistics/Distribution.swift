/// What a list of durations looks like. All values are nanoseconds.
public struct Distribution: Sendable, Hashable {
    /// The percentiles that are given.
    public static let percents = [1, 5, 10, 25, 50, 75, 90, 95, 99]

    /// How many values.
    public var count: Int
    /// The mean, rounded.
    public var mean: Int64
    /// The population standard deviation, rounded.
    public var deviation: Int64
    /// The smallest.
    public var minimum: Int64
    /// The largest.
    public var maximum: Int64
    /// One for each of ``percents``: interpolated linearly, as numpy's default is, and rounded.
    public var percentiles: [Int64]

    /// Looks at `values`, in any order; nil where there is none.
    ///
    /// O(n log n).
    public init?(_ values: [Int64]) {
        guard let first = values.first else { return nil }
        let sorted = values.sorted()
        count = sorted.count
        minimum = sorted.first ?? first
        maximum = sorted.last ?? first
        let sum = sorted.reduce(into: Int128(0)) { $0 += Int128($1) }
        let exact = Double(sum) / Double(sorted.count)
        mean = Int64(exact.rounded(.toNearestOrEven))
        let squares = sorted.reduce(into: 0.0) { total, value in
            let distance = Double(value) - exact
            total += distance * distance
        }
        deviation = Int64((squares / Double(sorted.count)).squareRoot().rounded(.toNearestOrEven))
        percentiles = Distribution.percents.map { Distribution.percentile($0, of: sorted) }
    }

    /// The value of a percentile that is in ``percents``.
    public func percentile(_ percent: Int) -> Int64? {
        Distribution.percents.firstIndex(of: percent).map { percentiles[$0] }
    }

    /// Linear interpolation between the two nearest ranks of `sorted`, which is not empty.
    static func percentile(_ percent: Int, of sorted: [Int64]) -> Int64 {
        let (rank, rest) = (percent * (sorted.count - 1)).quotientAndRemainder(dividingBy: 100)
        let low = Int128(sorted[rank])
        guard rest > 0 else { return sorted[rank] }
        let high = Int128(sorted[rank + 1])
        // Rounded to the nearest, halves away from zero.
        let scaled = low * 100 + (high - low) * Int128(rest)
        return Int64((scaled + (scaled < 0 ? -50 : 50)) / 100)
    }
}

/// Percentiles in which every failure counts as a value above all others, so that a service that
/// fails cannot look fast.
public struct AdjustedPercentiles: Sendable, Hashable {
    /// How many values, failures included.
    public var count: Int
    /// How many of them are failures.
    public var failures: Int
    /// One for each of ``Distribution/percents``, by nearest rank; nil is a failure.
    public var percentiles: [Int64?]

    /// Looks at `values` and so many failures; nil where there is neither.
    public init?(_ values: [Int64], failures: Int) {
        count = values.count + failures
        self.failures = failures
        guard count > 0 else { return nil }
        let total = count
        let sorted = values.sorted()
        percentiles = Distribution.percents.map { percent in
            let rank = max(1, (percent * total + 99) / 100)
            return rank <= sorted.count ? sorted[rank - 1] : nil
        }
    }
}
