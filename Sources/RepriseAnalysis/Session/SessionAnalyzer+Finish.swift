internal import RepriseSession
public import RepriseTape

extension SessionAnalyzer {
    /// The tape ends here.
    ///
    /// - Parameter summary: What the reader found; tells whether the tape is whole.
    public func finish(_ summary: TapeSummary) -> SessionResult {
        let hasDead = !open.isEmpty
        raiseOrder(summary)
        for number in open.keys.sorted() {
            guard let exchange = open[number] else { continue }
            end(exchange, nil, at: exchange.lastPlace)
        }
        finishReaders()
        result.tape = summary
        finishStreams()
        let streams = StreamsByPlace(result.streams)
        let outcomes = turns.turns.indices.map { outcome(of: $0, streams) }
        let isWhole = !hasDead && summary.isSealed && summary.damageCount == 0
        result.tools = tools.finish(outcomes, isWhole: isWhole, into: &log)
        finishTurns(outcomes, streams)
        finishExchanges()
        (result.violations, result.omitted) = log.result()
        return result
    }

    /// What the frames lack to be a recording; and the operations in which the recorder died, but
    /// for those whose exchange tells it.
    private func raiseOrder(_ summary: TapeSummary) {
        for problem in order.finish() {
            let place = Place(
                exchange: problem.exchange, frame: problem.frame, time: problem.time)
            log.raise(.tapeR3, at: place, expected: problem.expected, seen: problem.message)
        }
        let hasEnd = summary.isSealed && !summary.damages.contains { $0.rule == Rule.tapeR2.id }
        guard !hasEnd else { return }
        let dead = Set(open.values.compactMap(\.head.request.call))
        for call in order.openCalls where !dead.contains(call.number) {
            let place = Place(frame: call.frame, time: SessionAnalyzer.bounded(call.time))
            log.raise(
                .tapeR1, at: place,
                expected: "an end of operation \(call.number) (\(call.operation))",
                seen: "the recording stops before it")
        }
    }

    private func finishStreams() {
        for index in result.streams.indices {
            let exchange = result.streams[index].exchange
            let run = result.streams[index].run
            result.streams[index].turn = turns.turn(of: exchange, run: run).map { $0 + 1 }
            if let run {
                let zero = turns.start(of: exchange, run: run)
                if let zero {
                    result.streams[index].count(from: zero)
                } else {
                    result.streams[index].dropRequest()
                }
            } else {
                let start = result.streams[index].start
                result.streams[index].count(from: turns.start(of: exchange, default: start))
                if turns.isRetried(exchange) { result.streams[index].outcome = .retried }
            }
        }
        result.streams.sort {
            ($0.start, $0.exchange, $0.run ?? "") < ($1.start, $1.exchange, $1.run ?? "")
        }
    }

    private func finishExchanges() {
        for index in result.exchanges.indices {
            let turn = turns.turn(of: result.exchanges[index].number)
            result.exchanges[index].turn = turn.map { $0 + 1 }
        }
        result.exchanges.sort { ($0.number, $0.start) < ($1.number, $1.start) }
    }

    /// How a turn came out: as its last stream did, unless its client says otherwise.
    private func outcome(of index: Int, _ streams: StreamsByPlace) -> Outcome {
        let turn = turns.turns[index]
        let stream = turn.exchanges.reversed().lazy.compactMap {
            streams.last[.init(exchange: $0, turn: index + 1)]
        }.first
        if let stream, !stream.isGood { return stream }
        if let code = turn.callError {
            return (code == "cancelled" || code.hasSuffix(".cancelled"))
                ? .cancelled : .failed(SeenText.shown(code))
        }
        if let stream { return stream }
        if turn.exchanges.isEmpty && turn.hasCallEnded { return .finished }
        if let refusal = turn.refusal { return .failed(SeenText.shown(refusal)) }
        let isAnswered = turn.call == nil || turn.hasCallEnded
        return .failed(isAnswered ? "no stream" : "its recorder died")
    }

    private func finishTurns(_ outcomes: [Outcome], _ streams: StreamsByPlace) {
        var calls: [Int: Int] = [:]
        for tool in result.tools { calls[tool.turn ?? 0, default: 0] += 1 }
        result.turns = zip(turns.turns, outcomes).enumerated().map { index, item in
            let (turn, outcome) = item
            let start = turn.start ?? turn.begin
            return TurnResult(
                number: index + 1, call: turn.call, operation: turn.operation.map(SeenText.shown),
                outcome: outcome, start: start, exchanges: turn.exchanges,
                latency: outcome.isGood ? turn.endingTime.map { $0 - start } : nil,
                ttft: turn.firstOutput.map { $0 - start }, textBytes: turn.textBytes,
                toolCalls: calls[index + 1] ?? 0,
                usage: Usage(ofStreams: streams.usages[index + 1] ?? []))
        }
    }
}

/// What the turns need to know of the streams.
private struct StreamsByPlace {
    /// The streams of a turn on one exchange.
    struct Key: Hashable {
        var exchange: UInt64
        var turn: Int?
    }

    /// How the last of them came out, those left out that were tried again.
    var last: [Key: Outcome] = [:]
    /// What each turn's streams reported.
    var usages: [Int: [Usage]] = [:]

    init(_ streams: [StreamResult]) {
        for stream in streams {
            if stream.outcome != .retried {
                last[Key(exchange: stream.exchange, turn: stream.turn)] = stream.outcome
            }
            if let turn = stream.turn, let usage = stream.usage {
                usages[turn, default: []].append(usage)
            }
        }
    }
}

extension Usage {
    /// What the streams of a turn cost together, and what the vendor's client says that they did:
    /// it knows the last one. Nil where none has any.
    init?(ofStreams usages: [Usage]) {
        self.init(sumOf: usages)
        clientCredits = usages.last?.clientCredits
    }

    /// The sum over turns; nil where none has any.
    init?(sumOf usages: [Usage]) {
        guard !usages.isEmpty else { return nil }
        let sum = { (field: (Usage) -> Int64?) -> Int64? in
            let values = usages.compactMap(field)
            return values.isEmpty
                ? nil : values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        }
        self.init(
            input: sum(\.input), output: sum(\.output), cached: sum(\.cached),
            reasoning: sum(\.reasoning), total: sum(\.total), credits: sum(\.credits),
            clientCredits: sum(\.clientCredits))
    }
}
