internal import RepriseSupport
internal import RepriseTape

/// One recorded exchange while it is replayed: the head first, then the body's deliveries, each at
/// its time, then the end.
///
/// Reading moves the session's time. The observer is told each event before the app gets it.
final class ReplayExchange: ResponseBody.Source {
    private enum Step {
        case head(ResponseRecord)
        case delivery(Delivery)
        case finished
        case other
    }

    private struct State {
        var position = 0
        /// Set once the observer was told the end; the error to throw from then on, or nil.
        var end: Result<Void, TransportError>?
        /// Who waits for the app to stop.
        var stop: AppWait?
    }

    private let events: [Recording.Event]
    private let clock: ReplayClock
    private let shift: Int64
    private let observer: (any ExchangeObserver)?
    private let progress: BodyProgress
    private let state = Locked(State())

    /// - Parameters:
    ///   - events: What was recorded after the request.
    ///   - shift: How much later than recorded the exchange happens now.
    ///   - progress: Told how far its body is read.
    init(
        _ events: [Recording.Event], clock: ReplayClock, shift: Int64,
        observer: (any ExchangeObserver)?, progress: BodyProgress
    ) {
        self.events = events
        self.clock = clock
        self.shift = shift
        self.observer = observer
        self.progress = progress
    }

    deinit { cancel() }

    /// The head of the final response.
    func head() async throws(TransportError) -> ResponseRecord {
        while true {
            switch try await step() {
            case .head(let record) where record.status >= 200 || record.status == 101:
                return record
            case .head, .delivery, .other: continue
            case .finished:
                throw TransportError(
                    how: .failed, .malformed, "the recorded exchange is complete without a head")
            }
        }
    }

    func next() async throws(TransportError) -> Delivery? {
        while true {
            switch try await step() {
            case .delivery(let delivery): return delivery
            case .finished: return nil
            case .head, .other: continue
            }
        }
    }

    func cancel() {
        _ = finish(.failure(ReplayExchange.cancelled))
        state.withLock { $0.stop }?.fulfill()
    }

    /// Ends it here without telling: what follows the head is for others to play.
    func handOver() { state.withLock { $0.end = .success(()) } }

    private func step() async throws(TransportError) -> Step {
        let end = state.withLock { $0.end }
        if let end { return try ReplayExchange.step(of: end) }
        let position = state.withLock { $0.position }
        guard position < events.count else {
            return try ReplayExchange.step(of: finish(.failure(ReplayExchange.died)))
        }
        let event = events[position]
        let time = event.time.saturatingAdd(shift)
        if clock.time != nil, clock.anchor == .app, event.isStop { return try await waitForStop() }
        do {
            try await clock.wait(until: time.saturatingAdd(leave(event)), frame: event.frame)
        } catch {
            return try ReplayExchange.step(of: finish(.failure(ReplayExchange.cancelled)))
        }
        return try take(event.content, at: time)
    }

    /// How long after the recorded moment an event is left to come about by itself: an app that
    /// stopped an exchange is about to stop it again, a little later than recorded perhaps, and by
    /// its own doing goes on otherwise than when it is told.
    private func leave(_ event: Recording.Event) -> Int64 {
        clock.time != nil && event.isStop ? 1_000_000_000 : 0
    }

    /// Waits until the app stops the exchange, as it did when recorded; when it does is its affair.
    private func waitForStop() async throws(TransportError) -> Step {
        let wait = clock.waiting(for: "the app to stop \(progress)")
        state.withLock { $0.stop = wait }
        if state.withLock({ $0.end }) == nil {
            do throws(TransportError) { try await wait.wait() } catch {
                return try ReplayExchange.step(of: finish(.failure(error)))
            }
        }
        return try ReplayExchange.step(of: finish(.failure(ReplayExchange.cancelled)))
    }

    private func take(_ content: FrameContent, at time: Int64) throws(TransportError) -> Step {
        if case .end(let record) = content {
            let end = TransportError(record).map { Result<Void, TransportError>.failure($0) }
            return try ReplayExchange.step(of: finish(end ?? .success(()), record, at: time))
        }
        let end = state.withLock { state in
            if let end = state.end { return end as Result<Void, TransportError>? }
            state.position += 1
            tell(content, at: time)
            return nil
        }
        if let end { return try ReplayExchange.step(of: end) }
        progress.take(content)
        return switch content {
        case .response(let record): .head(record)
        case .responseBody(let bytes): .delivery(Delivery(bytes: bytes, time: time))
        case .decodedBody(let bytes):
            .delivery(Delivery(bytes: bytes, time: time, isDecoded: true))
        default: .other
        }
    }

    /// Ends the exchange if it has not ended, and tells how it ended.
    private func finish(
        _ end: Result<Void, TransportError>, _ record: EndRecord? = nil, at time: Int64? = nil
    ) -> Result<Void, TransportError> {
        state.withLock { state in
            if let end = state.end { return end }
            state.end = end
            if let record = record ?? end.endRecord { tell(.end(record), at: time ?? clock.now()) }
            return end
        }
    }

    /// Called with the lock held, so that the observer hears one thing at a time.
    private func tell(_ content: FrameContent, at time: Int64) {
        guard let observer else { return }
        observer.observe(content, at: time)
        observer.commit()
    }

    private static func step(
        of end: Result<Void, TransportError>
    ) throws(TransportError) -> Step {
        try end.get()
        return .finished
    }

    private static let cancelled = TransportError(
        how: .cancelled, .cancelled, "the app stopped the exchange")
    static let died = TransportError(
        how: .failed, .recorderDied,
        "the recording ends inside this exchange: its recorder died, what followed is unknown")
}

extension Recording.Event {
    /// Whether the app stopped the exchange.
    fileprivate var isStop: Bool {
        if case .end(let record) = content { record.how == .cancelled } else { false }
    }
}

extension Result where Success == Void, Failure == TransportError {
    fileprivate var endRecord: EndRecord? {
        guard case .failure(let error) = self else { return nil }
        return EndRecord(how: error.how, code: error.code.rawValue, message: error.message)
    }
}
