internal import RepriseSession

/// Times one stream: from its request to its close.
struct StreamMeter: Sendable {
    /// When the first of everything came, and the last of some.
    private(set) var firstByte: Int64?
    private(set) var firstEvent: Int64?
    private(set) var firstContent: Int64?
    private(set) var firstOutput: Int64?
    private(set) var lastContent: Int64?
    /// Gaps between the arrivals of consecutive pieces of content.
    private(set) var contentGaps: [Int64] = []
    /// Reads that brought more than one piece of content.
    private(set) var bursts = 0
    /// Events of any kind, heartbeats left out.
    private(set) var events = 0
    /// Pieces of content.
    private(set) var pieces = 0
    /// UTF-8 bytes of text.
    private(set) var textBytes = 0
    private(set) var ending: SessionEvent.Ending?
    private(set) var endingTime: Int64?
    private(set) var usage: Usage?
    /// The content over time.
    private(set) var content = SpanMeter()
    /// A count that fell, by its name.
    private(set) var fallenCount: String?

    private var isInBurst = false
    private var bytes: SilenceMeter
    private var meaning: SilenceMeter
    private var lastEventPlace: Place?
    /// When the app held the stream, and where the tape says so.
    private var holds: [(span: Range<Int64>, place: Place)] = []

    init(floor: Int64) {
        bytes = SilenceMeter(floor: floor)
        meaning = SilenceMeter(floor: floor)
    }

    /// Bytes of the body came.
    mutating func arrive(at place: Place) {
        firstByte = firstByte ?? place.time
        if ending == nil { bytes.arrive(at: place) }
    }

    /// The app held the stream for `duration` until the time of `place`.
    mutating func held(_ duration: Int64, until place: Place) {
        let time = place.time ?? 0
        let (start, overflow) = time.subtractingReportingOverflow(duration)
        guard duration > 0, !overflow else { return }
        // Holds do not overlap; a recording that says otherwise is taken at its last word.
        let last = holds.last?.span.upperBound ?? .min
        holds.append((max(start, last)..<max(time, last), place))
    }

    /// A whole event came; what it means follows.
    mutating func event(at place: Place) {
        firstEvent = firstEvent ?? place.time
        lastEventPlace = place
    }

    /// All that the event means was read.
    ///
    /// - Parameter isHeartbeat: Whether it was none but a heartbeat.
    mutating func eventEnds(isHeartbeat: Bool) {
        guard !isHeartbeat, let place = lastEventPlace else { return }
        events += 1
        if ending == nil || endingTime == place.time { meaning.arrive(at: place) }
    }

    /// Something that the dialect made of it.
    mutating func read(_ event: SessionEvent) {
        switch event.kind {
        case .text(let text):
            textBytes += text.utf8.count
            take(.text, text.utf8.count, at: event.place)
        case .reasoning(let text): take(.reasoning, text.utf8.count, at: event.place)
        case .toolArguments(_, let piece): take(.arguments, piece.utf8.count, at: event.place)
        case .card: take(.card, 0, at: event.place)
        case .ended(let ending):
            self.ending = ending
            endingTime = ending == .missed ? nil : event.place.time
        case .usage(let usage): take(usage)
        default: break
        }
    }

    private mutating func take(_ kind: ContentSpan.Kind, _ bytes: Int, at place: Place) {
        guard let time = place.time else { return }
        pieces += 1
        content.read(kind, bytes: bytes, at: time)
        firstContent = firstContent ?? time
        if kind != .reasoning { firstOutput = firstOutput ?? time }
        if let lastContent {
            let gap = time - lastContent
            contentGaps.append(gap)
            if gap == 0 && !isInBurst { bursts += 1 }
            isInBurst = gap == 0
        }
        lastContent = time
    }

    private mutating func take(_ new: Usage) {
        let old = usage ?? Usage()
        for (name, field) in StreamMeter.fields {
            if let before = old[keyPath: field], let now = new[keyPath: field], now < before {
                fallenCount = fallenCount ?? name
            }
        }
        usage = Usage(
            input: new.input ?? old.input, output: new.output ?? old.output,
            cached: new.cached ?? old.cached, reasoning: new.reasoning ?? old.reasoning,
            total: new.total ?? old.total, credits: new.credits ?? old.credits,
            clientCredits: new.clientCredits ?? old.clientCredits)
    }

    private static var fields: [(String, KeyPath<Usage, Int64?>)] {
        [
            ("input", \.input), ("output", \.output), ("cached", \.cached),
            ("reasoning", \.reasoning), ("total", \.total), ("credits", \.credits),
        ]
    }
}

extension StreamMeter {
    /// The silences of the stream.
    struct Stalls {
        /// Nothing arrived.
        var bytes: [SilenceMeter.Stall]
        /// Only heartbeats arrived.
        var events: [SilenceMeter.Stall]
    }

    /// - Parameter end: Where the stream was given up, where that was before its terminal event:
    ///   the silence before it counts too.
    mutating func stalls(factor: Int64, givenUpAt end: Place?) -> Stalls {
        if let end, ending == nil {
            bytes.arrive(at: end)
            meaning.arrive(at: end)
        }
        let spans = holds.map(\.span)
        let silent = bytes.stalls(holds: spans, factor: factor)
        let meaningless = meaning.stalls(holds: spans, factor: factor).filter { stall in
            !silent.contains { $0.start < stall.end && stall.start < $0.end }
        }
        return Stalls(bytes: silent, events: meaningless)
    }

    /// The times in which the app held the stream for longer than a silence would be a stall.
    func holds(factor: Int64) -> [SilenceMeter.Stall] {
        let limit = bytes.limit(holds: holds.map(\.span), factor: factor)
        return holds.filter { $0.span.upperBound - $0.span.lowerBound > limit }.map { hold in
            SilenceMeter.Stall(
                start: hold.span.lowerBound, end: hold.span.upperBound,
                length: hold.span.upperBound - hold.span.lowerBound, limit: limit,
                place: hold.place)
        }
    }

    /// How often something arrived.
    var reads: Int { bytes.count }
    /// When the last byte before the terminal event came.
    var lastByte: Int64? { bytes.last }
}
