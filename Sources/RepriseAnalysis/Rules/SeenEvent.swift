internal import RepriseSession

/// An event, or a document, as long as a violation may show it.
struct SeenEvent {
    /// Its data.
    var bytes: [UInt8]
    /// Offset of its first byte in the decoded stream, and of the byte behind its last.
    var start: UInt64
    var end: UInt64
    /// Offset of its data.
    var dataStart: UInt64
    /// When it was whole.
    var time: Int64?

    /// The part around `place`; nil where that is before the event.
    func excerpt(at place: Place) -> Excerpt? {
        if let time, let other = place.time, other < time { return nil }
        guard let offset = place.offset else {
            return Excerpt(of: bytes, around: 0, offset: start, isAround: false)
        }
        guard offset >= start else { return nil }
        let isAround = offset < end
        let index = isAround && offset > dataStart ? Int(clamping: offset - dataStart) : 0
        return Excerpt(of: bytes, around: index, offset: start, isAround: isAround)
    }
}
