package import RepriseTape

/// Which bytes of which frame are masked, while the frames that say so are read in order: what is
/// said later about a byte holds.
package struct MaskMap: Sendable {
    /// The masks of each frame, by offset.
    package private(set) var masks: [UInt64: [MaskedRecord]] = [:]

    /// Nothing is masked.
    package init() {}

    /// Takes a `masked` frame.
    package mutating func add(_ record: MaskedRecord) {
        guard record.length > 0 else { return }
        clear(record.frame, from: record.offset, count: record.length)
        masks[record.frame, default: []].append(record)
        masks[record.frame]?.sort { $0.offset < $1.offset }
    }

    /// Takes a `reveal` frame.
    package mutating func reveal(_ record: RevealRecord) {
        clear(record.frame, from: record.offset, count: record.bytes.count)
    }

    private mutating func clear(_ frame: UInt64, from start: Int, count: Int) {
        // Offsets come from a file and may be anything.
        let end = start.saturatingAdd(count)
        masks[frame] = masks[frame]?.flatMap { record -> [MaskedRecord] in
            var before = record
            before.length = min(record.length, start.saturatingSubtract(record.offset))
            var after = record
            after.offset = max(record.offset, end)
            after.length = record.offset.saturatingAdd(record.length)
                .saturatingSubtract(after.offset)
            return [before, after].filter { $0.length > 0 }
        }
    }
}

extension Int {
    fileprivate func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func saturatingSubtract(_ other: Int) -> Int {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
