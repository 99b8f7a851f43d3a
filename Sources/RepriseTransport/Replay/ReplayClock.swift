internal import RepriseSupport

/// The time of a replayed session: nanoseconds since the recorded session's start.
///
/// At the pace `instant` nobody waits: time stands still until something that was recorded is
/// read, which sets it to its recorded time, or until somebody sleeps, which moves it on by what
/// was to be slept. It never goes back. At the pace `virtual` it is that of a ``VirtualTime``. At
/// any other pace time passes, that many times as fast.
public struct ReplayClock: SessionClock {
    /// How fast it goes.
    public let pace: Pace
    /// The time that it tells, and the executor for whatever is to happen in it; nil at any other
    /// pace than `virtual`.
    public let time: VirtualTime?
    /// What the moments of what comes are counted from.
    public let anchor: Anchor

    private let base: any SessionClock
    private let origin: Int64
    private let virtualNow = Locked<Int64>(0)

    /// A clock that stands at 0, the recorded session's start.
    ///
    /// - Parameter anchor: What counts at the pace `virtual`.
    public init(pace: Pace = .instant, anchor: Anchor = .app) {
        self.init(pace: pace, base: LiveClock(), anchor: anchor)
    }

    /// A clock that tells a virtual time, whose 0 is the recorded session's start.
    public init(_ time: VirtualTime, anchor: Anchor = .app) {
        self.init(pace: .virtual, base: LiveClock(), time: time, anchor: anchor)
    }

    /// A clock that takes passing time from `base`.
    package init(
        pace: Pace, base: any SessionClock, time: VirtualTime? = nil, anchor: Anchor = .app
    ) {
        self.pace = pace
        self.time = time ?? (pace == .virtual ? VirtualTime() : nil)
        self.anchor = Anchor(anchor, at: pace)
        self.base = base
        origin = base.now()
    }

    /// Nanoseconds since the recorded session's start.
    public func now() -> Int64 {
        if let time { return time.now() }
        guard let speed = pace.speed else { return virtualNow.withLock { $0 } }
        return Int64(clamping: Double(base.now().saturatingSubtract(origin)) * speed)
    }

    /// Waits for that many nanoseconds of the session's time; at the pace `instant` moves time on
    /// and returns at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for nanoseconds: Int64) async throws {
        if let time { return try await time.sleep(for: nanoseconds) }
        try Task.checkCancellation()
        guard nanoseconds > 0 else { return }
        guard let speed = pace.speed else {
            virtualNow.withLock { $0 = $0.saturatingAdd(nanoseconds) }
            return
        }
        try await base.sleep(for: Int64(clamping: Double(nanoseconds) / speed))
    }

    /// Waits until `moment`, not at all where that has passed.
    ///
    /// - Parameter frame: The number of the frame that is due then: of two at the same moment the
    ///   first on the tape goes first, and any before what is not on the tape.
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(until moment: Int64, frame: UInt64 = .max) async throws {
        if let time { return try await time.sleep(until: moment, rank: frame) }
        guard pace.speed == nil else {
            return try await sleep(for: moment.saturatingSubtract(now()))
        }
        try Task.checkCancellation()
        virtualNow.withLock { $0 = max($0, moment) }
    }
}

extension Int64 {
    /// The sum, or the nearest value that can be told: a time from a tape may be anything.
    package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest value that can be told.
    package func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The whole number nearest to `value` towards zero; 0 for no number at all.
    fileprivate init(clamping value: Double) {
        let limit: Int64 = value > 0 ? .max : value < 0 ? .min : 0
        self = Int64(exactly: value.rounded(.towardZero)) ?? limit
    }
}
