internal import RepriseSupport
package import RepriseTape
package import RepriseWire

/// A recorded WebSocket that is played to a client of any make, over a connection of its own.
///
/// It knows frames and nothing of bytes or sockets: who has the connection hands over what comes,
/// and is handed what to send.
package final class ServedSocket: Sendable {
    /// Something to send.
    package enum Output: Sendable, Hashable {
        /// A frame.
        case frame(WebSocketFrame)
        /// Bytes that are no frame.
        case bytes([UInt8])
    }

    /// What it needs of the one who serves.
    package struct Surroundings: Sendable {
        /// How fast.
        package var pace: Pace
        /// Time as it passes.
        package var clock: any SessionClock
        /// What of the client's messages only keeps the connection alive.
        package var options: SocketOptions
        /// Told when a request has come.
        package var gate: ReplayGate
        /// The first request between its own and a frame of the tape that did not come, in words.
        package var missing: @Sendable (_ frame: UInt64) -> String?
        /// Told what the client said otherwise than recorded.
        package var miss: @Sendable (String) -> Void
        /// Sends something. Called with locks held.
        package var send: @Sendable (Output) -> Void

        package init(
            pace: Pace, clock: any SessionClock, options: SocketOptions, gate: ReplayGate,
            missing: @escaping @Sendable (_ frame: UInt64) -> String?,
            miss: @escaping @Sendable (String) -> Void,
            send: @escaping @Sendable (Output) -> Void
        ) {
            self.pace = pace
            self.clock = clock
            self.options = options
            self.gate = gate
            self.missing = missing
            self.miss = miss
            self.send = send
        }
    }

    /// The head that answers the handshake.
    package let head: ResponseRecord

    private let socket: ReplaySocket
    private let send: @Sendable (Output) -> Void

    /// Gets ready to play an exchange whose response has status 101.
    ///
    /// - Parameter request: The handshake of the client. Where it can have what was agreed on when
    ///   recorded, the answer is the recorded one; else it is without what it cannot have, and
    ///   messages go out as they are.
    package init(
        _ exchange: Recording.Exchange, of recording: Recording, for request: Request,
        _ around: Surroundings
    ) {
        let answer = HandshakeAnswer(exchange, to: request)
        let script = SocketScript(exchange, recording, options: around.options)
        head = answer.head
        send = around.send
        let redactor = Locked(Redactor())
        redactor.withLock { redactor in
            redactor.openSocket(
                exchange.id, AsSent.head(request, .websocket), answer.head, request.sensitive)
        }
        let clock = ReplayClock(pace: around.pace, base: around.clock)
        let path = Shown.cut(URLForm(exchange.request.url.description).path)
        socket = ReplaySocket(
            script,
            SocketIdentity(
                exchange: exchange.id, frame: exchange.frame, call: nil,
                request: "\(exchange.request.method) \(path)"),
            options: around.options,
            ReplaySocket.Surroundings(
                clock: clock,
                shift: clock.hasMoments ? clock.now().saturatingSubtract(exchange.time) : 0,
                gate: around.gate,
                observer: SocketOutlet(
                    exchange, deflated: answer.isRecoded ? script.deflate : nil, around.send),
                mask: { record, number in
                    redactor.withLock {
                        $0.redact(
                            .socketFrame(record), exchange: exchange.id, time: 0, frame: number)
                    }
                },
                missing: around.missing, miss: { around.miss($0.error.message) },
                foreign: ForeignClient(recording)))
    }

    /// Sends the server's frames, each when it is due, to the recorded end.
    ///
    /// - Returns: Why it ended before or otherwise than the peer's bytes; nil where those ended.
    package func play() async -> TransportError? {
        do throws(TransportError) {
            while try await socket.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    /// Takes a frame of the client; a ping is answered at once.
    package func take(_ frame: WebSocketFrame) {
        if frame.opcode == .ping { send(.frame(WebSocketFrame(.pong, frame.payload))) }
        // What is wrong with it, `play` tells.
        try? socket.send([frame])
    }

    /// The client is gone.
    package func leave() { socket.end(TransportError.socketCancelled.endRecord) }

    /// Whether nothing is left of what the recorded client said and read by itself.
    package var isWhole: Bool { socket.isWhole }
}

/// Sends what a replay tells of the server's side.
private final class SocketOutlet: ExchangeObserver {
    fileprivate struct State {
        /// Reads the messages where they were deflated and cannot be now.
        var reader: WebSocketReader?
        var isHolding = false
    }

    private let send: @Sendable (ServedSocket.Output) -> Void
    private let state: Locked<State>
    /// What the client asked when recorded. It is answered when it asks now.
    private let pings: Set<[UInt8]>

    init(
        _ exchange: Recording.Exchange, deflated: PerMessageDeflate?,
        _ send: @escaping @Sendable (ServedSocket.Output) -> Void
    ) {
        self.send = send
        let reader = deflated.map { WebSocketReader(sender: .server, deflate: $0) }
        state = Locked(State(reader: reader))
        var pings: Set<[UInt8]> = []
        for case .socketFrame(let record) in exchange.events.lazy.map(\.content)
        where record.sender == .client && record.frame.opcode == .ping {
            pings.insert(record.bytes)
        }
        self.pings = pings
    }

    func observe(_ content: FrameContent, at time: Int64) {
        switch content {
        case .responseBody(let bytes): send(.bytes(bytes))
        case .socketFrame(let record) where record.sender == .server:
            let frame = record.frame
            if frame.opcode == .pong, pings.contains(frame.payload) { return }
            for frame in state.withLock({ $0.sendable(frame) }) { send(.frame(frame)) }
        default: break
        }
    }

    func commit() {}
}

extension SocketOutlet.State {
    /// A frame as it can go out: a deflated message as it was before, in one frame.
    mutating func sendable(_ frame: WebSocketFrame) -> [WebSocketFrame] {
        guard let reader, !frame.opcode.isControl else { return [frame] }
        let events = reader.receive(frame)
        if frame.opcode != .continuation { isHolding = frame.rsv1 }
        guard isHolding else { return [frame] }
        if frame.isFinal { isHolding = false }
        for case .message(let message) in events {
            return [WebSocketFrame(message.kind == .text ? .text : .binary, message.bytes)]
        }
        return []
    }
}

/// How a recorded handshake is answered to another client.
private struct HandshakeAnswer {
    var head: ResponseRecord
    /// Whether messages were deflated and cannot be now.
    var isRecoded = false

    init(_ exchange: Recording.Exchange, to request: Request) {
        head = exchange.answer(to: request)
        let recorded = try? WebSocketAgreement(
            request: exchange.request.headers, response: head.headers)
        // What the server did wrong it does wrong again.
        guard let recorded else { return }
        if agreement(for: request, without: "sec-websocket-protocol")?.deflate != recorded.deflate {
            head.headers = head.headers.without("sec-websocket-extensions")
            isRecoded = recorded.deflate != nil
        }
        let chosen = agreement(for: request, without: "sec-websocket-extensions")
        if chosen?.subprotocol != recorded.subprotocol {
            head.headers = head.headers.without("sec-websocket-protocol")
        }
    }

    private func agreement(for request: Request, without name: String) -> WebSocketAgreement? {
        try? WebSocketAgreement(request: request.headers, response: head.headers.without(name))
    }
}

extension Headers {
    fileprivate func without(_ name: String) -> Headers {
        Headers(fields.filter { $0.name.description.lowercased() != name })
    }
}
