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
    /// Where the exchange carries several runs.
    var runs: RunMeters
    /// Where it is a WebSocket that was opened.
    var socket: SocketAssembly?

    init(_ head: ExchangeHead, at place: Place, choice: DialectTable.Choice, floor: Int64) {
        self.head = head
        requestPlace = place
        dialect = choice.dialect
        reason = choice.reason
        expectation = choice.dialect.expectation(for: head)
        isDialectSettled = choice.reason != .none
        lastPlace = place
        meter = StreamMeter(floor: floor)
        runs = RunMeters(floor: floor)
    }

    /// Whether a WebSocket was asked for.
    var isSocket: Bool { head.request.transport == .websocket }

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

    /// Something came from the server.
    func arrive(at place: Place) {
        meter.arrive(at: place)
        runs.arrive(at: place)
    }

    /// The app held the stream.
    func held(_ duration: Int64, until place: Place) {
        meter.held(duration, until: place)
        runs.held(duration, until: place)
    }

    /// Gives an event to the meter of its run.
    func measure(_ event: SessionEvent) {
        guard let run = event.run else { return meter.read(event) }
        runs.read(event, of: run, start: head.start)
    }
}
