internal import RepriseAnalysis

/// A turn over time: what its picture shows and what its text says, before they are laid out.
///
/// Times are nanoseconds since the session's start.
struct Waterfall {
    /// What a turn consists of: a request, a run on a connection, a call of a tool.
    struct Row {
        /// What it is, in a word.
        var kind: String
        /// What it is called.
        var title: String
        /// What else is said of it, beside its name.
        var notes: [String]
        /// How it came out.
        var outcome: String
        var grade: Grade
        var start: Int64
        /// Nil where its recorder died.
        var end: Int64?
        var segments: [Segment] = []
        var facts: [Fact] = []
    }

    /// A piece of the picture.
    struct Segment: Hashable {
        var kind: Kind
        var start: Int64
        var end: Int64
    }

    /// A piece of the text; with the kind of segment that shows the same.
    struct Fact: Hashable {
        var kind: Kind?
        var text: String
    }

    /// What a segment shows.
    enum Kind: String {
        case connect, wait, open, reasoning, text, arguments, card, execution, handler, stall,
            terminal

        init(_ kind: ContentSpan.Kind) {
            switch kind {
            case .reasoning: self = .reasoning
            case .text: self = .text
            case .arguments: self = .arguments
            case .card: self = .card
            }
        }
    }

    /// How something came out, in a colour.
    enum Grade: String {
        case good, bad, plain
    }

    /// So many rows of a turn are shown.
    static let limit = 100

    private(set) var start: Int64
    private(set) var end: Int64
    /// In the order of their beginnings.
    private(set) var rows: [Row]
    /// How many rows there are beyond those.
    private(set) var omitted: Int

    init(_ turn: TurnResult, of session: SessionResult) {
        let all = Waterfall.rows(turn, session).sorted { $0.start < $1.start }
        rows = Array(all.prefix(Waterfall.limit))
        omitted = all.count - rows.count
        let first = min(turn.start, rows.map(\.start).min() ?? turn.start)
        let ends = rows.map { max($0.end ?? $0.start, $0.segments.map(\.end).max() ?? $0.start) }
        start = first
        end = max(first + 1, turn.latency.map { turn.start + $0 } ?? first, ends.max() ?? first)
    }

    private static func rows(_ turn: TurnResult, _ session: SessionResult) -> [Row] {
        let streams = session.streams.filter { $0.turn == turn.number }
        let exchanges = turn.exchanges.flatMap { number -> [Row] in
            let runs = streams.filter { $0.exchange == number && $0.run != nil }
            if !runs.isEmpty { return runs.map(Row.init(run:)) }
            // A number that was used again is another exchange each time.
            return session.exchanges.filter { $0.number == number }.map { exchange in
                Row(exchange, streams.first { $0.exchange == number })
            }
        }
        return exchanges + session.tools.filter { $0.turn == turn.number }.compactMap(Row.init)
    }

    /// Leaves the reason of an outcome out of the rows that came out so.
    mutating func shorten(_ outcome: Outcome) {
        for index in rows.indices where rows[index].outcome == outcome.words {
            rows[index].outcome = outcome.name
        }
    }

    /// Where `time` is, in hundredths of a percent.
    func position(_ time: Int64) -> Int64 {
        Quantity.hundredths(time - start, of: end - start)
    }

    /// The distance between the marks of the axis: 1, 2 or 5 with noughts behind, six at most.
    var step: Int64 {
        var unit: Int64 = 1
        while true {
            for factor in [1, 2, 5] where (end - start) / (unit * Int64(factor)) <= 6 {
                return unit * Int64(factor)
            }
            unit *= 10
        }
    }
}
