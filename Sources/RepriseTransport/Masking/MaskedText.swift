package import RepriseTape

/// Bytes some of which are masked: a masked run equals any masked run, whatever its length.
package struct MaskedText: Sendable {
    /// The bytes, masks included.
    package let bytes: [UInt8]
    /// What is masked, in order, without overlaps.
    package private(set) var masks: [Range<Int>]

    /// Bytes with the masks that `records` tell, whose offsets count from `base` bytes before the
    /// first of `bytes`. What lies outside is left out.
    package init(_ bytes: [UInt8], masks records: [MaskedRecord] = [], base: Int = 0) {
        self.bytes = bytes
        var masks: [Range<Int>] = []
        for record in records.sorted(by: { $0.offset < $1.offset }) {
            let (offset, low) = record.offset.subtractingReportingOverflow(base)
            let (end, high) = offset.addingReportingOverflow(record.length)
            if low || high { continue }
            let start = max(offset, masks.last?.upperBound ?? 0)
            if start < min(end, bytes.count) { masks.append(start..<min(end, bytes.count)) }
        }
        self.masks = masks
    }

    /// Bytes that are one mask; none where there are none.
    init(whollyMasked bytes: [UInt8]) {
        self.bytes = bytes
        masks = bytes.isEmpty ? [] : [0..<bytes.count]
    }

    /// `parts` joined.
    package init(joining parts: [MaskedText]) {
        var bytes: [UInt8] = []
        var masks: [Range<Int>] = []
        for part in parts {
            masks += part.masks.map { $0.lowerBound + bytes.count..<$0.upperBound + bytes.count }
            bytes += part.bytes
        }
        self.bytes = bytes
        self.masks = masks
    }

    /// The bytes in that range, with their masks.
    subscript(range: Range<Int>) -> MaskedText {
        var part = MaskedText(Array(bytes[range]))
        part.masks = masks.compactMap { mask in
            let inside = mask.clamped(to: range)
            if inside.isEmpty { return nil }
            return inside.lowerBound - range.lowerBound..<inside.upperBound - range.lowerBound
        }
        return part
    }

    /// Whether anything is masked.
    package var isMasked: Bool { !masks.isEmpty }

    /// Offset in this text of the first byte that differs from `recorded`; nil where they match.
    ///
    /// A mask of the recording also matches stars: a client that is built again from a tape has
    /// nothing else to send there.
    package func firstDifference(from recorded: MaskedText) -> Int? {
        var (mine, theirs) = (Cursor(self), Cursor(recorded))
        while true {
            if theirs.isMasked || mine.isMasked {
                let start = mine.index
                guard mine.skipMask(), theirs.skipMask() else { return start }
            } else if mine.byte != theirs.byte {
                return mine.index
            } else if mine.byte == nil {
                return nil
            } else {
                mine.advance()
                theirs.advance()
            }
        }
    }
}

/// A place in a masked text.
private struct Cursor {
    private let text: MaskedText
    private var mask = 0
    private(set) var index = 0

    init(_ text: MaskedText) { self.text = text }

    /// The byte here; nil at the end.
    var byte: UInt8? { index < text.bytes.count ? text.bytes[index] : nil }

    /// Whether the byte here is masked.
    var isMasked: Bool { mask < text.masks.count && text.masks[mask].contains(index) }

    mutating func advance() {
        index += 1
        if mask < text.masks.count, text.masks[mask].upperBound <= index { mask += 1 }
    }

    /// Skips the masked bytes and stars from here on; false where there are none.
    mutating func skipMask() -> Bool {
        let start = index
        while isMasked || byte == UInt8(ascii: "*") { advance() }
        return index > start
    }
}
