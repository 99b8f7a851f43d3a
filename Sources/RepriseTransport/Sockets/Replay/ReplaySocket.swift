internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// One recorded WebSocket while it is replayed: the server's frames, each at its time and not
/// before the client has done what it did before it when recorded.
///
/// The observer is told each frame before the app gets it, a client's before it is compared.
final class ReplaySocket: Sendable {
    /// What it needs of the replay that it belongs to.
    struct Surroundings: Sendable {
        var clock: ReplayClock
        /// How much later than recorded it was opened now.
        var shift: Int64
        /// Whether the client does what it does at other moments than the recorded ones.
        var isFree: Bool
        var gate: ReplayGate
        var observer: (any ExchangeObserver)?
        /// Masks a frame of the client.
        var mask: @Sendable (SocketFrameRecord, _ number: UInt64) -> [Frame]
        /// The first request between its own and a frame of the tape that did not come.
        var missing: @Sendable (_ frame: UInt64) -> String?
        /// Told what the client said otherwise than recorded.
        var miss: @Sendable (ReplayMiss) -> Void
        /// How what the client says finds what was recorded.
        var matching: SocketMatching
    }

    /// How long after the recorded moment an app that stopped the exchange is left to do so again.
    private static let leave: Int64 = 1_000_000_000

    private let script: SocketScript
    private let id: SocketIdentity
    private let around: Surroundings
    private let state: Locked<ReplaySocketState>

    init(
        _ script: SocketScript, _ id: SocketIdentity, options: SocketOptions,
        _ around: Surroundings
    ) {
        self.script = script
        self.id = id
        self.around = around
        let live = LiveSayings(deflate: script.deflate, options: options)
        let said = SaidProgress(script.said, around.matching.order, id)
        let moments = SocketMoments(script.events, opening: id.frame, shift: around.shift)
        state = Locked(
            ReplaySocketState(
                live: live, said: said, rewriter: SocketRewriter(script), moments: moments,
                observer: around.observer))
        around.gate.add(self)
    }

    /// What of it was not played, of what is before a frame of the tape; nil for nothing.
    func tail(before frame: UInt64 = .max) -> UnconsumedTail? {
        state.withLock { state in
            if state.hasMissed { return nil }
            let unsent = state.said.unsaid(before: frame)
            let unread =
                script.events[state.position...].count { !$0.items.isEmpty && $0.frame < frame }
                + state.queue.count
            if unsent == 0 && unread == 0 { return nil }
            let how = script.end?.how
            let wasNeeded = how != nil && (unsent > 0 || how != .cancelled)
            return UnconsumedTail(
                exchange: id.exchange, call: id.call, unsent: unsent, unread: unread,
                wasNeeded: wasNeeded, request: id.request)
        }
    }

    /// Whether the client said something else.
    var hasMissed: Bool { state.withLock { $0.hasMissed } }

    /// Whether nothing is left that the recorded app said and read by itself, and nothing else was
    /// said.
    var isWhole: Bool { !hasMissed && tail()?.wasNeeded != true }

    /// The next thing from the server; nil for the end of its bytes.
    func next() async throws(TransportError) -> SocketDelivery? {
        while true {
            if let found = state.withLock({ $0.take() }) { return try found.get() }
            let event = state.withLock { script.events[$0.position] }
            do throws(TransportError) {
                try await wait(for: event)
            } catch {
                _ = state.withLock { $0.fail(error, at: now) }
                continue
            }
            let ids = around.matching.renaming()
            state.withLock { if !$0.hasReply { $0.play(ids) } }
        }
    }

    // MARK: Waiting

    private func wait(for event: SocketScript.Event) async throws(TransportError) {
        try await around.gate.wait(on: around.clock) { missing(before: event) }
        // By its own doing an app goes on otherwise than when it is told.
        if event.isStop, around.clock.isAppToStop { return await waitForStop() }
        await waitForMoment(of: event)
    }

    /// Where there is no moment to wait for, the app is waited for, though not for ever.
    private func waitForStop() async {
        try? await around.gate.wait(on: around.clock) {
            state.withLock { $0.end == nil && !$0.hasReply ? "the app to end \(id)" : nil }
        }
    }

    /// Whether another frame comes without the app doing anything before it.
    var isNextCertain: Bool {
        let event = state.withLock { state -> SocketScript.Event? in
            state.end == nil ? script.events[state.position] : nil
        }
        switch event?.content {
        case .socketFrame, .responseBody: return event.flatMap { missing(before: $0) } == nil
        default: return false
        }
    }

    private func missing(before event: SocketScript.Event) -> String? {
        let (missing, isOver) = state.withLock { state in
            (state.said.missing(before: event.needed), state.end != nil || state.hasReply)
        }
        if isOver { return nil }
        if let missing {
            return "the client's \(script.said[missing].saying.title(missing + 1)) on \(id)"
        }
        return around.missing(event.frame)
    }

    /// Waits until the next event is due, or until the app ends the exchange.
    private func waitForMoment(of event: SocketScript.Event) async {
        let clock = around.clock
        while let due = state.withLock({ $0.hasReply ? nil : $0.due }) {
            let leave = event.isStop ? ReplaySocket.leave : 0
            let moment = due.moment.saturatingAdd(leave)
            guard clock.hasMoments else {
                try? await clock.wait(until: moment)
                return
            }
            if now >= moment { return }
            let sleeper = Task(executorPreference: clock.time) {
                try await clock.wait(until: moment, frame: event.frame)
            }
            if !state.withLock({ $0.keep(sleeper, for: due) }) { sleeper.cancel() }
            _ = await sleeper.result
            // What the client did meanwhile may have changed it.
            if state.withLock({ $0.due == due }) { return }
        }
    }

    /// A recorded request has come: it counts as what the client does here.
    func came(_ exchange: Recording.Exchange) {
        guard around.clock.anchor == .app else { return }
        let sleeper = state.withLock {
            $0.act(frame: exchange.frame, time: exchange.time, now: now)
        }
        sleeper?.cancel()
    }

    /// Answers a message that only asks whether the server is there, where the tape does not: an
    /// app whose user thinks for another time than when recorded asks at other moments.
    private func keepAlive(_ state: inout ReplaySocketState) -> Task<Void, any Error>? {
        guard around.isFree, let answer = script.keptAlive.answer else { return nil }
        let rest = script.events[state.position...]
        // A server that fell silent, so that the app left it, does so again.
        if rest.count == 1, rest.last?.isStop == true, script.keptAlive.isLeftOpen { return nil }
        let comes = script.keptAlive.comes(from: state.position, now: now) { place, time in
            let event = script.events[place]
            return (!around.clock.hasMoments || state.moment(of: place) <= time)
                && state.said.missing(before: event.needed) == nil
                && around.missing(event.frame) == nil
        }
        return comes ? nil : state.reply(answer, at: now)
    }

    private func act(
        _ said: SocketScript.Said, _ state: inout ReplaySocketState
    ) -> Task<Void, any Error>? {
        guard around.clock.anchor == .app else { return nil }
        return state.act(frame: said.frame, time: said.time, now: now)
    }

    // MARK: The client

    func send(_ frames: [WebSocketFrame]) throws(TransportError) {
        for frame in frames {
            var sleeper: Task<Void, any Error>?
            let outcome = state.withLock { state -> Result<Void, TransportError> in
                if case .failure(let error) = state.end { return .failure(error) }
                state.tell(.socketFrame(SocketFrameRecord(frame, from: .client)), at: now)
                let keepAlives = state.live.keepAlives
                guard let saying = state.live.take(frame, around.mask) else {
                    if state.live.keepAlives > keepAlives { sleeper = keepAlive(&state) }
                    return .success(())
                }
                return take(saying, &state, &sleeper)
            }
            sleeper?.cancel()
            around.gate.changed()
            try outcome.get()
        }
    }

    private func take(
        _ saying: SocketSaying, _ state: inout ReplaySocketState,
        _ sleeper: inout Task<Void, any Error>?
    ) -> Result<Void, TransportError> {
        switch state.said.take(saying, around.matching.compare) {
        case .heard(let place):
            sleeper = act(script.said[place], &state)
            return .success(())
        case .miss(let miss): return fail(miss, &state)
        case .more(let miss):
            switch (saying, script.end?.how) {
            case (_, nil): return state.fail(ReplayExchange.died, at: now)
            // It did not get through where the exchange broke, and need not be on the tape.
            case (.close, .reset), (.close, .failed), (.close, .timedOut): return .success(())
            default: return fail(miss, &state)
            }
        }
    }

    private func fail(
        _ miss: ReplayMiss, _ state: inout ReplaySocketState
    ) -> Result<Void, TransportError> {
        state.hasMissed = true
        around.miss(miss)
        return state.fail(miss.error, at: now)
    }

    /// Ends the exchange as the app says, if it has not ended.
    func end(_ record: EndRecord) {
        let sleeper = state.withLock { state in
            state.end(record, at: now)
            return state.sleeper
        }
        sleeper?.cancel()
        around.gate.changed()
    }

    private var now: Int64 { around.clock.now() }
}

/// Which WebSocket of a recording.
struct SocketIdentity: Sendable, CustomStringConvertible {
    var exchange: UInt64
    /// The number of the request's frame.
    var frame: UInt64
    /// The exchange's in messages.
    var name: String
    var call: UInt64?
    /// The method and URL path of the request.
    var request: String

    var description: String { "the WebSocket of \(name)" }
}

/// The app's hold on a replayed WebSocket.
final class ReplayChannel: ForeseeingChannel {
    private let socket: ReplaySocket

    init(_ socket: ReplaySocket) { self.socket = socket }

    deinit { socket.end(TransportError.socketCancelled.endRecord) }

    func next() async throws(TransportError) -> SocketDelivery? { try await socket.next() }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        try socket.send(frames)
    }

    func finishSending() {}

    func isNextCertain() async -> Bool { socket.isNextCertain }

    func end(_ record: EndRecord) { socket.end(record) }
}

extension ReplayClock {
    /// Whether one can wait for a moment: at the pace `instant` each has come at once.
    var hasMoments: Bool { time != nil || pace.speed != nil }

    /// Whether an app that stopped an exchange is to stop it again whenever it likes: there is no
    /// moment for it, and somebody notices where it never will.
    var isAppToStop: Bool { time != nil ? anchor == .app : pace.speed == nil }
}

extension SocketScript.Event {
    /// Whether the app stopped the exchange.
    fileprivate var isStop: Bool {
        if case .end(let record) = content { record.how == .cancelled } else { false }
    }
}
