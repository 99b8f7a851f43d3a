internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape

extension SessionAnalyzer {
    /// Adds the streams of an exchange that is over.
    func addStreams(_ exchange: ExchangeAssembly, _ record: EndRecord?, at place: Place) {
        let end = record == nil ? nil : place.time
        guard !exchange.runs.all.isEmpty else {
            let outcome = Outcome(exchange, record, ending: exchange.meter.ending)
            return add(
                &exchange.meter, exchange, run: nil, from: exchange.head.start, to: end, outcome,
                givenUp(record, at: place))
        }
        for index in exchange.runs.all.indices {
            let run = exchange.runs.all[index]
            exchange.runs.change(index) { meter in
                add(
                    &meter, exchange, run: run.run, from: run.start, to: meter.endingTime ?? end,
                    Outcome(runOn: exchange, record, ending: meter.ending),
                    givenUp(record, at: place))
            }
        }
    }

    /// Where a stream was given up: the silence before that is one of the stream.
    private func givenUp(_ record: EndRecord?, at place: Place) -> Place? {
        switch record?.how {
        case .timedOut?, .reset?: place
        default: nil
        }
    }

    private func add(
        _ meter: inout StreamMeter, _ exchange: ExchangeAssembly, run: String?, from start: Int64,
        to end: Int64?, _ outcome: Outcome, _ givenUp: Place?
    ) {
        raiseHeldBack(meter, start: start, at: exchange.lastPlace)
        let stalls = meter.stalls(factor: options.stallFactor, givenUpAt: givenUp)
        for stall in stalls.bytes { raise(stall, .timeT1, "of silence") }
        let what = run == nil ? "of nothing but heartbeats" : "in which nothing of the run came"
        for stall in stalls.events { raise(stall, .timeT2, what) }
        raiseHolds(meter, exchange)
        checkUsage(meter, exchange, outcome, at: exchange.lastPlace)
        result.streams.append(
            StreamResult(
                meter, exchange: exchange.head.number, run: run, outcome: outcome, from: start,
                to: end, stalls))
    }

    private func raise(_ stall: SilenceMeter.Stall, _ rule: Rule, _ what: String) {
        log.raise(
            rule, at: stall.place,
            expected: "at most \(Milliseconds.text(stall.limit, decimals: 2)) ms",
            seen: "\(Milliseconds.text(stall.length, decimals: 2)) ms \(what)")
    }

    /// The dialect's rule about an app that lets the stream wait.
    private func raiseHolds(_ meter: StreamMeter, _ exchange: ExchangeAssembly) {
        guard let rule = exchange.dialect.holdRule else { return }
        for hold in meter.holds(factor: options.stallFactor) {
            raise(hold, rule, "held by the app")
        }
    }

    /// Rule `http.H6`: at least 16 events, on average 8 or more in a read, and on average half a
    /// second or more before a read.
    private func raiseHeldBack(_ meter: StreamMeter, start: Int64, at place: Place) {
        guard meter.reads > 0, meter.events >= 16, meter.events >= 8 * meter.reads,
            let last = meter.lastByte, last - start >= 500_000_000 * Int64(meter.reads)
        else { return }
        log.raise(
            .httpH6, at: place, expected: "events as they are made",
            seen: "\(Counted.text(meter.events, "event")) in \(Counted.text(meter.reads, "read")) "
                + "over \(Milliseconds.text(last - start, decimals: 2)) ms")
    }

    /// Rules `usage.U1` and `usage.U2`.
    private func checkUsage(
        _ meter: StreamMeter, _ exchange: ExchangeAssembly, _ outcome: Outcome, at place: Place
    ) {
        if let name = meter.fallenCount {
            log.raise(
                .usageU2, at: place, expected: "counts that only grow", seen: "\(name) falls")
        }
        guard let usage = meter.usage else {
            if exchange.dialect.reportsUsage && outcome == .finished {
                log.raise(.usageU1, at: place, expected: "token counts", seen: "none")
            }
            return
        }
        if let total = usage.total, let input = usage.input, let output = usage.output,
            input.addingReportingOverflow(output) != (total, false)
        {
            log.raise(
                .usageU2, at: place, expected: "\(input) and \(output) in all",
                seen: "\(total)")
        }
    }
}

extension Outcome {
    /// How a stream came out.
    init(_ exchange: ExchangeAssembly, _ record: EndRecord?, ending: SessionEvent.Ending?) {
        let status = exchange.response?.record.status
        switch record?.how {
        case nil: self = .failed("its recorder died")
        case .reset?:
            self = .failed(
                status == nil ? "the connection was cut before an answer" : "the stream was cut")
        case .timedOut?: self = .failed(Outcome.timedOut)
        case .failed?: self = .failed(record?.code.map(SeenText.shown) ?? "the exchange failed")
        case .cancelled?: self = Outcome(ending) ?? .cancelled
        case .complete?:
            self = Outcome(complete: exchange, status: status ?? 0, ending: ending)
        }
    }

    /// How a run came out, on a connection that ended so.
    init(runOn exchange: ExchangeAssembly, _ record: EndRecord?, ending: SessionEvent.Ending?) {
        if let outcome = Outcome(ending) {
            self = outcome
            return
        }
        switch record?.how {
        case nil: self = .failed("its recorder died")
        case .complete? where exchange.socket?.isClosedByApp == true: self = .cancelled
        case .complete?: self = .failed("the connection was closed")
        case .reset?: self = .failed("the connection was cut")
        case .timedOut?: self = .failed(Outcome.timedOut)
        case .failed?:
            self = .failed(record?.code.map(SeenText.shown) ?? "the connection failed")
        case .cancelled?: self = .cancelled
        }
    }

    private init(
        complete exchange: ExchangeAssembly, status: Int, ending: SessionEvent.Ending?
    ) {
        if !(200..<300).contains(status) {
            self = .failed("status \(status)")
        } else if !exchange.isReadable {
            self = .failed("the answer could not be read")
        } else if let outcome = Outcome(ending) {
            self = outcome
        } else {
            self = exchange.dialect.hasTerminalEvent ? .failed("no terminal event") : .finished
        }
    }

    private init?(_ ending: SessionEvent.Ending?) {
        switch ending {
        case nil: return nil
        case .finished?: self = .finished
        case .paused?: self = .paused
        case .cancelled?: self = .cancelled
        case .failed?: self = .failed("the service reported a failure")
        case .missed?: self = .failed("its end never came")
        }
    }
}

extension StreamResult {
    init(
        _ meter: StreamMeter, exchange: UInt64, run: String?, outcome: Outcome, from start: Int64,
        to end: Int64?, _ stalls: StreamMeter.Stalls
    ) {
        let since = { (time: Int64?) in time.map { $0 - start } }
        self.exchange = exchange
        self.run = run
        self.outcome = outcome
        self.start = start
        firstByte = since(meter.firstByte)
        firstEvent = since(meter.firstEvent)
        ttft = since(meter.firstContent)
        ttfo = since(meter.firstOutput)
        latency = since(meter.lastContent)
        terminal = since(meter.endingTime)
        streamEnd = since(end)
        (spans, omittedSpans) = meter.content.spans(from: start, gaps: meter.contentGaps)
        contentGaps = meter.contentGaps
        bursts = meter.bursts
        events = meter.events
        pieces = meter.pieces
        self.stalls = StallResult.list(stalls, from: start)
        setRates(tokens: meter.usage?.output)
        usage = meter.usage
    }

    /// The rates that need a count of tokens; without one they stay unknown.
    private mutating func setRates(tokens: Int64?) {
        guard let tokens, tokens > 1, let latency, let ttft, latency > ttft else { return }
        let each = (latency - ttft) / (tokens - 1)
        itl = each
        let (thousandths, overflow) = tokens.multipliedReportingOverflow(by: 1_000_000_000_000)
        if each > 0 { outputRate = 1_000_000_000_000 / each }
        if !overflow { endToEndRate = thousandths / latency }
    }

    /// The recording has no request that the stream answers: its times count from its first event.
    mutating func dropRequest() {
        hasRequest = false
        firstByte = nil
        firstEvent = nil
    }

    /// The same stream, its times counted from an earlier t0.
    mutating func count(from earlier: Int64) {
        let shift = start - earlier
        guard shift != 0 else { return }
        start = earlier
        firstByte = firstByte.map { $0 + shift }
        firstEvent = firstEvent.map { $0 + shift }
        ttft = ttft.map { $0 + shift }
        ttfo = ttfo.map { $0 + shift }
        latency = latency.map { $0 + shift }
        terminal = terminal.map { $0 + shift }
        streamEnd = streamEnd.map { $0 + shift }
        for index in spans.indices {
            spans[index].start += shift
            spans[index].end += shift
        }
        for index in stalls.indices { stalls[index].start += shift }
        if let usage {
            (itl, outputRate, endToEndRate) = (nil, nil, nil)
            setRates(tokens: usage.output)
        }
    }
}

extension StallResult {
    fileprivate static func list(
        _ stalls: StreamMeter.Stalls, from start: Int64
    ) -> [StallResult] {
        let results = { (stalls: [SilenceMeter.Stall], hasHeartbeats: Bool) in
            stalls.map {
                StallResult(
                    start: $0.start - start, length: $0.length, hasHeartbeats: hasHeartbeats)
            }
        }
        return (results(stalls.bytes, false) + results(stalls.events, true)).sorted {
            $0.start < $1.start
        }
    }
}
