internal import RepriseSupport
package import RepriseTape
package import RepriseWire

/// A recorded WebSocket that is played to a client of any make, over a connection of its own.
///
/// It knows frames and nothing of sockets: who has the connection hands over what comes, and is
/// handed what to write.
package final class ServedSocket: Sendable {
    /// What it needs of the one who serves.
    package struct Surroundings: Sendable {
        /// How fast.
        package var pace: Pace
        /// Time as it passes.
        package var clock: any SessionClock
        /// When the request came, by that clock: moments count from then.
        package var start: Int64
        /// What of the client's messages only keeps the connection alive.
        package var options: SocketOptions
        /// What goes wrong, whatever its target is.
        package var faults: [AimedFault]
        /// Where what goes out is cut.
        package var cuts: Cuts
        /// Which exchange of those that are served it is.
        package var member: UInt64
        /// Told when a request has come.
        package var gate: ReplayGate
        /// The first request between its own and a frame of the tape that did not come, in words.
        package var missing: @Sendable (_ frame: UInt64) -> String?
        /// Told what the client said otherwise than recorded.
        package var miss: @Sendable (ReplayMiss) -> Void
        /// How what the client says finds what was recorded.
        package var matching: SocketMatching
        /// Sends the head that answers the handshake.
        package var open: @Sendable (ResponseRecord) -> Void
        /// Writes each of some pieces by itself, which have so many bytes of frames' payloads.
        /// Called with locks held.
        package var write: @Sendable (_ pieces: [[UInt8]], _ payload: Int) -> Void

        package init(
            pace: Pace, clock: any SessionClock, start: Int64, options: SocketOptions,
            faults: [AimedFault], cuts: Cuts, member: UInt64, gate: ReplayGate,
            missing: @escaping @Sendable (_ frame: UInt64) -> String?,
            miss: @escaping @Sendable (ReplayMiss) -> Void, matching: SocketMatching,
            open: @escaping @Sendable (ResponseRecord) -> Void,
            write: @escaping @Sendable (_ pieces: [[UInt8]], _ payload: Int) -> Void
        ) {
            self.pace = pace
            self.clock = clock
            self.start = start
            self.options = options
            self.faults = faults
            self.cuts = cuts
            self.member = member
            self.gate = gate
            self.missing = missing
            self.miss = miss
            self.matching = matching
            self.open = open
            self.write = write
        }
    }

    private struct State {
        /// What is played, once the handshake is answered.
        var socket: ReplaySocket?
        var hasLeft = false
        var isPlayed = false
    }

    private let request: Request
    private let around: Surroundings
    private let outlet: SocketOutlet
    private let base: ServedTransport
    private let state = Locked(State())

    /// Gets ready to play an exchange whose response has status 101.
    ///
    /// - Parameters:
    ///   - request: The handshake of the client. Where it can have what was agreed on when
    ///     recorded, the answer is the recorded one; else it is without what it cannot have, and
    ///     messages go out as they are.
    ///   - name: What the exchange is called in messages.
    package init(
        _ exchange: Recording.Exchange, of recording: Recording, for request: Request,
        name: String, _ around: Surroundings
    ) {
        self.request = request
        self.around = around
        outlet = SocketOutlet(exchange, around)
        base = ServedTransport(exchange, of: recording, for: request, name: name, around)
    }

    /// How the connection ends.
    package enum Ending: Sendable, Hashable {
        /// By a FIN.
        case finish
        /// By a RST.
        case reset
        /// By a FIN behind a close frame: the client said what was not recorded.
        case refuse
        /// Not by the server: it says nothing more.
        case hold
    }

    /// Answers the handshake and sends what the server sent, each when it is due, to the end.
    package func play() async -> Ending {
        let error = await playAll()
        outlet.flush()
        state.withLock { $0.isPlayed = !$0.hasLeft }
        return Ending(error)
    }

    /// - Returns: Why it ended before or otherwise than the peer's bytes; nil where those ended.
    private func playAll() async -> TransportError? {
        var transport: any Transport = base
        if !around.faults.isEmpty {
            transport = FaultTransport(base: base, aimed: around.faults)
        }
        do throws(TransportError) {
            let response = try await transport.connect(
                request, options: around.options, observer: outlet)
            guard case .switched(let channel) = response.outcome else { return nil }
            state.withLock { $0.socket = base.socket }
            around.open(response.head)
            while try await channel.next() != nil {
                if outlet.isHolding,
                    await (channel as? any ForeseeingChannel)?.isNextCertain() != true
                {
                    outlet.flush()
                }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Takes a frame of the client; a ping is answered at once.
    package func take(_ frame: WebSocketFrame) {
        if frame.opcode == .ping { say(WebSocketFrame(.pong, frame.payload)) }
        // What is wrong with it, `play` tells.
        try? state.withLock { $0.socket }?.send([frame])
    }

    /// Sends a frame of the server's own, with all that is held.
    package func say(_ frame: WebSocketFrame) { outlet.say(frame) }

    /// The client is gone; whoever plays is to be cancelled.
    package func leave() {
        let socket = state.withLock { state in
            state.hasLeft = true
            return state.socket
        }
        socket?.end(TransportError.socketCancelled.endRecord)
    }

    /// Whether nothing is left of what the recorded client said and read by itself, or a fault
    /// ended it before, and nothing else was said.
    package var isWhole: Bool {
        let (socket, isPlayed) = state.withLock { ($0.socket, $0.isPlayed) }
        if isPlayed, !around.faults.isEmpty { return socket?.hasMissed != true }
        return socket?.isWhole == true
    }
}

extension ServedSocket.Surroundings {
    /// How much later than recorded an exchange happens on a clock of this pace.
    fileprivate func shift(of exchange: Recording.Exchange, on clock: ReplayClock) -> Int64 {
        guard clock.hasMoments, let speed = pace.speed else { return 0 }
        // Getting ready took a part of the time.
        let past = Double(self.clock.now().saturatingSubtract(start)) * speed
        return clock.now().saturatingSubtract(Int64(min(past, 9e18)))
            .saturatingSubtract(exchange.time)
    }
}

extension ServedSocket.Ending {
    fileprivate init(_ error: TransportError?) {
        switch (error?.code, error?.how) {
        case (nil, _): self = .finish
        case (.stalled, _): self = .refuse
        case (let code?, _) where code.isMiss: self = .refuse
        case (.recorderDied, _), (_, .cancelled), (_, .timedOut): self = .hold
        case (.reset, _): self = .reset
        default: self = .finish
        }
    }
}

/// Answers a client's handshake with a recorded WebSocket, as it was and when it did.
private final class ServedTransport: Transport {
    let context: SessionContext
    private let clock: ReplayClock
    private let exchange: Recording.Exchange
    private let head: ResponseRecord
    private let shift: Int64
    private let make: @Sendable ((any ExchangeObserver)?) -> ReplaySocket
    private let made = Locked<ReplaySocket?>(nil)

    init(
        _ exchange: Recording.Exchange, of recording: Recording, for request: Request,
        name: String, _ around: ServedSocket.Surroundings
    ) {
        self.exchange = exchange
        let clock = ReplayClock(pace: around.pace, base: around.clock)
        let answer = HandshakeAnswer(exchange, to: request)
        let shift = around.shift(of: exchange, on: clock)
        (self.clock, self.shift, head) = (clock, shift, answer.head)
        context = SessionContext(
            clock: clock, entropy: LiveEntropy(), journal: CountingJournal())
        var recorded = SocketScript(exchange, recording, options: around.options)
        recorded.isInflated = answer.isRecoded
        let script = recorded
        let redactor = Locked(Redactor())
        redactor.withLock { redactor in
            redactor.openSocket(
                exchange.id, AsSent.head(request, .websocket), answer.head, request.sensitive)
        }
        let path = Shown.cut(URLForm(exchange.request.url.description).path)
        let id = SocketIdentity(
            exchange: exchange.id, frame: exchange.frame, name: name, call: nil,
            request: "\(exchange.request.method) \(path)")
        make = { observer in
            ReplaySocket(
                script, id, options: around.options,
                ReplaySocket.Surroundings(
                    clock: clock, shift: shift, isFree: true, gate: around.gate, observer: observer,
                    mask: { record, number in
                        redactor.withLock {
                            $0.redact(
                                .socketFrame(record), exchange: exchange.id, time: 0,
                                frame: number)
                        }
                    },
                    missing: around.missing, miss: around.miss, matching: around.matching))
        }
    }

    /// What is played; nil before the handshake is answered.
    var socket: ReplaySocket? { made.withLock { $0 } }

    /// Only WebSockets are asked for.
    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        throw TransportError(how: .failed, .badRequest, "this answers only WebSockets")
    }

    func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        tell(.request(AsSent.head(request, .websocket)), at: exchange.time, observer)
        let time = exchange.headTime
        do { try await clock.wait(until: time.saturatingAdd(shift)) } catch {
            throw .socketCancelled
        }
        tell(.response(head), at: time, observer)
        let socket = make(observer)
        made.withLock { $0 = socket }
        return SocketResponse(head: head, outcome: .switched(ReplayChannel(socket)))
    }

    private func tell(_ content: FrameContent, at time: Int64, _ observer: (any ExchangeObserver)?)
    {
        observer?.observe(content, at: time.saturatingAdd(shift))
        observer?.commit()
    }
}

extension Recording.Exchange {
    /// When the last head of a response came.
    fileprivate var headTime: Int64 {
        events.last { $0.content.kind == .response }?.time ?? time
    }
}
