internal import RepriseAnalysis
internal import RepriseSession
internal import RepriseTape

extension Waterfall.Row {
    /// A request; with the stream that it brought.
    init(_ exchange: ExchangeResult, _ stream: StreamResult?) {
        let zero = exchange.start
        self.init(
            kind: "exchange \(exchange.number)", title: "\(exchange.method) \(exchange.path)",
            notes: exchange.status.map { ["\($0)"] } ?? [],
            outcome: stream?.outcome.words ?? exchange.words, grade: .plain, start: zero,
            end: exchange.duration.map { zero + $0 })
        grade = stream.map { .init($0.outcome) } ?? (exchange.isGood ? .good : .bad)
        connection(exchange)
        let first = stream.flatMap { stream in stream.firstByte.map { stream.start + $0 } }
        let head = exchange.response.map { zero + $0 }
        if let begin = first ?? head {
            let wait = segments.last?.end ?? zero
            segments.append(.init(kind: .wait, start: wait, end: max(wait, begin)))
            let what = first == nil ? "answered" : "first byte"
            facts.append(.init(kind: .wait, text: "\(what) after \(Quantity.time(begin - zero))"))
            // Where the recorder died, the stream was open as long as anything is known of it.
            let known = stream?.spans.last.map { (stream?.start ?? 0) + $0.end }
            let last = end ?? known ?? begin
            segments.append(.init(kind: .open, start: begin, end: max(begin, last)))
        } else if let end {
            segments.append(.init(kind: .wait, start: segments.last?.end ?? zero, end: end))
        }
        if let stream { content(stream, since: zero) }
        facts.append(.init(kind: nil, text: exchange.ending))
    }

    /// A run on a connection that carries several.
    init(run stream: StreamResult) {
        self.init(
            kind: "run", title: SeenText.shown(stream.run ?? ""),
            notes: stream.hasRequest ? [] : ["no request of it"],
            outcome: stream.outcome.words, grade: .init(stream.outcome), start: stream.start,
            end: stream.streamEnd.map { stream.start + $0 })
        let begin = stream.start + (stream.firstByte ?? 0)
        if let first = stream.firstByte {
            segments.append(.init(kind: .wait, start: stream.start, end: begin))
            facts.append(.init(kind: .wait, text: "first frame after \(Quantity.time(first))"))
        }
        segments.append(.init(kind: .open, start: begin, end: max(begin, end ?? begin)))
        content(stream, since: stream.start)
        let ending = stream.streamEnd.map { "ended after \(Quantity.time($0))" }
        facts.append(.init(kind: nil, text: ending ?? "its recorder died"))
    }

    private mutating func connection(_ exchange: ExchangeResult) {
        guard let phases = exchange.phases else { return }
        guard phases.reused != true else {
            return facts.append(.init(kind: nil, text: "over an open connection"))
        }
        guard let ready = phases.tls ?? phases.connect ?? phases.lookup, ready > 0 else { return }
        segments.append(
            .init(kind: .connect, start: exchange.start, end: exchange.start + ready))
        facts.append(.init(kind: .connect, text: "connected after \(Quantity.time(ready))"))
    }

    private mutating func content(_ stream: StreamResult, since zero: Int64) {
        let shift = stream.start
        for span in stream.spans {
            segments.append(
                .init(kind: .init(span.kind), start: shift + span.start, end: shift + span.end))
        }
        let byKind = Dictionary(grouping: stream.spans, by: \.kind)
        // In their order, also where they came at the same time.
        let firsts = stream.spans.filter { $0 == byKind[$0.kind]?.first }
        for first in firsts {
            let spans = byKind[first.kind] ?? []
            let pieces = spans.reduce(0) { $0 + $1.pieces }
            let from = Quantity.time(shift + first.start - zero)
            let until = Quantity.time(shift + (spans.last?.end ?? first.end) - zero)
            let when = from == until ? "at \(from)" : "from \(from) to \(until)"
            let count = ReportTables.count(pieces, "piece")
            facts.append(
                .init(kind: .init(first.kind), text: "\(first.kind.rawValue) \(when), \(count)"))
        }
        for stall in stream.stalls {
            let start = shift + stall.start
            segments.append(.init(kind: .stall, start: start, end: start + stall.length))
            let what = stall.hasHeartbeats ? "only heartbeats" : "silence"
            let from = Quantity.time(start - zero)
            facts.append(
                .init(
                    kind: .stall, text: "\(what) for \(Quantity.time(stall.length)) from \(from)"))
        }
        if let terminal = stream.terminal {
            let time = shift + terminal
            segments.append(.init(kind: .terminal, start: time, end: time))
            facts.append(
                .init(kind: .terminal, text: "terminal event after \(Quantity.time(time - zero))"))
        }
    }
}

extension Waterfall.Row {
    /// A tool call; nil where nothing says when it began.
    init?(_ tool: ToolResultRow) {
        guard let zero = tool.start else { return nil }
        let ready = zero + (tool.argumentTime ?? 0)
        let result = tool.executionTime.map { ready + $0 }
        let handler = tool.handlerStart.map { $0..<($0 + max(0, tool.handlerTime ?? 0)) }
        self.init(
            kind: "tool", title: SeenText.shown(tool.name ?? "(no name)"),
            notes: ["\(tool.side.rawValue) tool"], outcome: tool.outcome.words,
            grade: .init(tool.outcome), start: zero,
            end: max(result ?? ready, handler?.upperBound ?? ready))
        segments.append(.init(kind: .arguments, start: zero, end: ready))
        if let time = tool.argumentTime {
            facts.append(
                .init(kind: .arguments, text: "arguments complete after \(Quantity.time(time))"))
        }
        if tool.hasValidArguments == false {
            facts.append(.init(kind: nil, text: "they are no JSON"))
        }
        if let result {
            segments.append(.init(kind: .execution, start: ready, end: result))
            facts.append(
                .init(kind: .execution, text: "result \(Quantity.time(result - ready)) later"))
        }
        if let handler {
            segments.append(
                .init(kind: .handler, start: handler.lowerBound, end: handler.upperBound))
        }
        if let time = tool.handlerTime {
            facts.append(.init(kind: .handler, text: "handler ran for \(Quantity.time(time))"))
        }
        if tool.submissions > 1 {
            facts.append(.init(kind: nil, text: "submitted \(tool.submissions) times"))
        }
    }
}

extension Waterfall.Grade {
    init(_ outcome: Outcome) {
        switch outcome {
        case .finished, .paused: self = .good
        case .failed: self = .bad
        case .cancelled, .retried: self = .plain
        }
    }

    init(_ outcome: ToolOutcome) {
        switch outcome {
        case .succeeded: self = .good
        case .failed, .threw, .missing, .timedOut, .unanswered: self = .bad
        case .cancelled, .unknown: self = .plain
        }
    }
}

extension Outcome {
    /// Its name, and why it failed.
    var words: String { reason.map { "failed: \($0)" } ?? name }
}

extension ToolOutcome {
    /// Its name, in words.
    var words: String {
        switch self {
        case .timedOut: "timed out"
        case .missing: "no handler"
        case .unknown: "no result in this protocol"
        default: rawValue
        }
    }
}

extension ExchangeResult {
    /// Whether it came to its end and was answered well.
    var isGood: Bool { end == .complete && (status ?? 0) < 400 }

    /// How it came out, in short.
    var words: String {
        switch end {
        case .complete?: (status ?? 0) < 400 ? "complete" : "refused"
        case .reset?: "cut"
        case .cancelled?: "cancelled"
        case .timedOut?: "timed out"
        case .failed?: "failed"
        case nil: "recorder died"
        }
    }

    /// How it ended and when.
    var ending: String {
        guard let duration else { return "its recorder died" }
        let time = Quantity.time(duration)
        return switch end {
        case .complete?: "ended after \(time), complete"
        case .reset?: "cut after \(time)"
        case .cancelled?: "cancelled after \(time)"
        case .timedOut?: "given up after \(time)"
        case .failed?, nil: "failed after \(time)\(code.map { ": \($0)" } ?? "")"
        }
    }
}
