internal import RepriseSession

/// The distances between heartbeats that follow each other with nothing in between.
struct AgoHeartbeats: Sendable {
    private var last: Int64?
    private var gaps: [(length: Int64, place: Place)] = []

    /// So many distances are needed to say what is usual.
    static let least = 4

    mutating func beat(at place: Place) {
        guard let time = place.time else { return }
        if let last { gaps.append((time - last, place)) }
        last = time
    }

    /// Something else came.
    mutating func interrupt() { last = nil }

    /// Says which distances are unusual.
    func finish(into output: inout DialectOutput) {
        guard gaps.count >= AgoHeartbeats.least else { return }
        let usual = gaps.map(\.length).sorted()[(gaps.count - 1) / 2]
        for gap in gaps where gap.length > 3 * max(usual, 1_000_000) {
            output.raise(
                AgoRules.a9d, at: gap.place,
                expected: "one about every \(usual / 1_000_000) ms",
                seen: "\(gap.length / 1_000_000) ms without one")
        }
    }
}
