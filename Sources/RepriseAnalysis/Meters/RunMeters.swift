internal import RepriseSession

/// Times the runs of a connection that carries several.
struct RunMeters {
    /// A run.
    struct Run {
        let run: String
        /// When its first event came.
        let start: Int64
        var meter: StreamMeter
        /// The frame of its last event: what one frame tells is one event.
        var frame: UInt64?
    }

    /// In the order of their beginnings.
    private(set) var all: [Run] = []
    private var indices: [String: Int] = [:]
    /// Those whose terminal event did not come.
    private var open: [Int] = []
    private let floor: Int64

    init(floor: Int64) { self.floor = floor }

    /// Something came on the connection, whatever it was.
    mutating func arrive(at place: Place) {
        for index in open { all[index].meter.arrive(at: place) }
    }

    /// The app held the connection.
    mutating func held(_ duration: Int64, until place: Place) {
        for index in open { all[index].meter.held(duration, until: place) }
    }

    /// Something that a run did.
    ///
    /// - Parameter start: When the connection began, for an event without a time.
    mutating func read(_ event: SessionEvent, of run: String, start: Int64) {
        let index = index(of: run, start: event.place.time ?? start)
        let isNew =
            event.kind != .ended(.missed)
            && (all[index].frame == nil || all[index].frame != event.place.frame)
        all[index].frame = event.place.frame
        if isNew {
            all[index].meter.arrive(at: event.place)
            all[index].meter.event(at: event.place)
        }
        all[index].meter.read(event)
        if isNew { all[index].meter.eventEnds(isHeartbeat: false) }
        if all[index].meter.ending != nil { open.removeAll { $0 == index } }
    }

    private mutating func index(of run: String, start: Int64) -> Int {
        if let index = indices[run] { return index }
        let index = all.count
        indices[run] = index
        open.append(index)
        all.append(Run(run: run, start: start, meter: StreamMeter(floor: floor)))
        return index
    }

    /// Lets the meter of a run change, at the end.
    mutating func change<Result>(
        _ index: Int, _ body: (inout StreamMeter) -> Result
    ) -> Result {
        body(&all[index].meter)
    }
}
