internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// One exchange while its frames come.
final class ExchangeAssembly {
    var head: ExchangeHead
    /// The frame of the request.
    let requestPlace: Place
    var dialect: any Dialect
    var reason: DialectUse.Reason
    var expectation: Expectation
    /// Whether the dialect was told of the request.
    var isRequestTold = false
    /// Whether an event told which dialect it is, or that none knows it.
    var isDialectSettled: Bool
    var response: (record: ResponseRecord, place: Place)?
    var phases: PhasesRecord?
    var body: BodyReader?
    /// Whether the body is what was expected and can be read.
    var isReadable = true
    var isEventStream = false
    /// Whether the content type of an expected stream is still to be judged: it has none.
    var lacksContentType = false
    /// Frame of the last bytes, for what shows only at the end.
    var lastPlace: Place
    var meter: StreamMeter
    /// Meters of the runs, where the exchange carries several, in the order of their beginnings.
    var runs: [(run: String, start: Int64, meter: StreamMeter)] = []
    let floor: Int64

    init(_ head: ExchangeHead, at place: Place, choice: DialectTable.Choice, floor: Int64) {
        self.head = head
        requestPlace = place
        dialect = choice.dialect
        reason = choice.reason
        expectation = choice.dialect.expectation(for: head)
        isDialectSettled = choice.reason != .none
        lastPlace = place
        meter = StreamMeter(floor: floor)
        self.floor = floor
    }

    /// Whether its answer is a stream, should have been one, or is told whole in place of one.
    var isStream: Bool {
        isEventStream || expectation.body == .eventStream || expectation.body == .reply
    }

    /// Whether a status of 300 or above is one that was asked for.
    func expects(_ status: Int) -> Bool {
        let isConditional = ["If-None-Match", "If-Modified-Since"].contains {
            head.request.headers.first($0) != nil
        }
        return expectation.statuses.contains(status) || (status == 304 && isConditional)
    }

    /// Gives an event to the meter of its run.
    func measure(_ event: SessionEvent) {
        guard let run = event.run else { return meter.read(event) }
        guard let index = runs.firstIndex(where: { $0.run == run }) else {
            var meter = StreamMeter(floor: floor)
            meter.arrive(at: event.place)
            meter.event(at: event.place)
            meter.read(event)
            meter.eventEnds(isHeartbeat: false)
            runs.append((run, event.place.time ?? head.start, meter))
            return
        }
        runs[index].meter.arrive(at: event.place)
        runs[index].meter.event(at: event.place)
        runs[index].meter.read(event)
        runs[index].meter.eventEnds(isHeartbeat: false)
    }
}
