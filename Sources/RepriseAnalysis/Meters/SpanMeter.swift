/// Joins pieces of content to spans.
struct SpanMeter: Sendable {
    private var pieces: [ContentSpan] = []

    /// A piece came; times are those of the session.
    mutating func read(_ kind: ContentSpan.Kind, bytes: Int, at time: Int64) {
        // What came in one read is one piece here: it is shown as one.
        if let last = pieces.last, last.kind == kind, last.end == time {
            pieces[pieces.count - 1].pieces += 1
            pieces[pieces.count - 1].bytes += bytes
            return
        }
        pieces.append(ContentSpan(kind: kind, start: time, end: time, pieces: 1, bytes: bytes))
    }

    /// The spans, their times counted from `start`; and how many were left out.
    ///
    /// A pause is a gap above five times the median of `gaps` and 25 ms; of a stream that has very
    /// many, only the longer ones are.
    func spans(from start: Int64, gaps: [Int64]) -> (spans: [ContentSpan], omitted: Int) {
        var pause = max(25_000_000, SpanMeter.median(gaps).multipliedOrLargest(by: 5))
        var spans = joined(pause: pause)
        while spans.count > ContentSpan.limit, pause < 1 << 60 {
            pause *= 2
            let fewer = joined(pause: pause)
            // What is left are changes of kind.
            if fewer.count == spans.count, pause > (gaps.max() ?? 0) { break }
            spans = fewer
        }
        let kept = spans.prefix(ContentSpan.limit).map { span in
            var span = span
            span.start -= start
            span.end -= start
            return span
        }
        return (kept, spans.count - kept.count)
    }

    private func joined(pause: Int64) -> [ContentSpan] {
        pieces.reduce(into: []) { spans, piece in
            guard let last = spans.last, last.kind == piece.kind, piece.start - last.end <= pause
            else { return spans.append(piece) }
            spans[spans.count - 1].end = piece.end
            spans[spans.count - 1].pieces += piece.pieces
            spans[spans.count - 1].bytes += piece.bytes
        }
    }

    private static func median(_ values: [Int64]) -> Int64 {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}
