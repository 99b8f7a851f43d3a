internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// Moves frames between a recorded WebSocket and the socket of a client's connection, which the
/// daemon leaves alone meanwhile.
final class SocketPump: Sendable {
    private struct State {
        var decoder: WebSocketFrameDecoder
        /// Plays the recording.
        var player: Task<Void, Never>?
        var pending: ArraySlice<UInt8> = []
        /// Whether the socket may be touched.
        var isOpen = true
        /// Whether all that will be sent is pending.
        var isFinished = false
        /// Whether it was closed though the client did not have all.
        var hasGivenUp = false
        var hasShut = false
        var sent = 0
    }

    /// How long a client may take to close its side once it has all and this one is closed.
    private static let linger: Int64 = 1_000_000_000
    /// How long a client may take to read what was sent before the end.
    private static let patience: Int64 = 60_000_000_000
    /// With how much that the client does not read it is read no more.
    private static let backlog = 1 << 20
    /// How often is read before what came is taken.
    private static let turn = 16
    /// How long to wait before looking again whether a client has all that was sent.
    private static let glance: Int64 = 1_000_000

    private let descriptor: Int32
    private let loop: ServerLoop
    private let served = Locked<ServedSocket?>(nil)
    private let state: Locked<State>
    /// Called once, when the connection is to be given back.
    private let close: @Sendable () -> Void

    init(
        _ descriptor: Int32, loop: ServerLoop, limits: WebSocketLimits,
        close: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.close = close
        state = Locked(State(decoder: WebSocketFrameDecoder(sender: .client, limits: limits)))
    }

    /// How many bytes of payload went out.
    var sent: Int { state.withLock { $0.sent } }

    /// Whether the recording was played to its end.
    var isWhole: Bool {
        !state.withLock { $0.hasGivenUp } && served.withLock { $0 }?.isWhole ?? false
    }

    /// Plays.
    ///
    /// - Parameter patience: For how long the connection stays where the server does not end it.
    func start(_ socket: ServedSocket, patience: Int64) {
        served.withLock { $0 = socket }
        Socket.sendAtOnce(descriptor)
        watch(isWriting: false)
        let player = Task { [self] in
            end(await socket.play(), patience: patience)
        }
        let isOpen = state.withLock { state in
            state.player = player
            return state.isOpen
        }
        if !isOpen { player.cancel() }
    }

    /// Writes each piece by itself, as far as the socket takes them.
    func write(_ pieces: [[UInt8]], payload: Int = 0) {
        let isBlocked = state.withLock { state in
            guard state.isOpen, !state.isFinished else { return false }
            state.sent += payload
            var isBlocked = false
            for piece in pieces {
                state.pending += piece
                isBlocked = flush(&state)
            }
            return isBlocked
        }
        if isBlocked { watch(isWriting: true) }
    }

    /// Touches the socket no more: the connection is about to be given back.
    func shut() {
        let player = state.withLock { state in
            state.isOpen = false
            return state.player
        }
        loop.unwatch(descriptor)
        served.withLock { $0 }?.leave()
        player?.cancel()
    }
}

// MARK: - Writing

extension SocketPump {
    /// Writes what the socket takes; whether something is left.
    private func flush(_ state: inout State) -> Bool {
        while !state.pending.isEmpty {
            guard let count = Socket.write(state.pending, to: descriptor) else {
                // It is broken, which reading tells.
                state.pending = []
                break
            }
            if count == 0 { return true }
            state.pending = state.pending.dropFirst(count)
        }
        if state.isFinished && !state.hasShut {
            state.hasShut = true
            Socket.finish(descriptor)
        }
        return false
    }

    /// The recording is played, or cannot be played on.
    private func end(_ ending: ServedSocket.Ending, patience: Int64) {
        switch ending {
        case .finish: finish()
        case .reset: reset(by: LiveClock().now().saturatingAdd(Self.patience))
        case .refuse: refuse(.policyViolation, reason: "this was not recorded")
        case .hold:
            loop.run(at: LiveClock().now().saturatingAdd(patience)) { [self] in finish() }
        }
    }

    private func refuse(_ code: WebSocketCloseCode, reason: String = "") {
        served.withLock { $0 }?.say(WebSocketWriter.close(code, reason: reason))
        finish()
    }

    /// Sends what is pending and a FIN, and waits for the client's, but not for long.
    private func finish() {
        let isBlocked = state.withLock { state in
            guard state.isOpen else { return false }
            state.isFinished = true
            return flush(&state)
        }
        if isBlocked { watch(isWriting: true) }
        let now = LiveClock().now()
        linger(at: now.saturatingAdd(Self.linger), until: now.saturatingAdd(Self.patience))
    }

    /// Closes at `time` if the client has all that was sent then, else looks again later, at last
    /// at `deadline`.
    private func linger(at time: Int64, until deadline: Int64) {
        loop.run(at: time) { [self] in
            let waits = state.withLock { state in
                guard state.isOpen, !state.pending.isEmpty || Socket.hasUnsent(descriptor) else {
                    return false
                }
                state.hasGivenUp = time >= deadline
                return !state.hasGivenUp
            }
            waits ? linger(at: time.saturatingAdd(Self.linger), until: deadline) : close()
        }
    }

    /// Resets the connection once the client has all that was sent, at `deadline` anyway.
    private func reset(by deadline: Int64) {
        let now = LiveClock().now()
        let waits = state.withLock { state in
            guard state.isOpen else { return false }
            let isUnsent = !state.pending.isEmpty || Socket.hasUnsent(descriptor)
            if isUnsent && now < deadline { return true }
            state.hasGivenUp = isUnsent
            Socket.reset(descriptor)
            return false
        }
        if waits {
            loop.run(at: now.saturatingAdd(Self.glance)) { [self] in reset(by: deadline) }
        } else {
            loop.run { [self] in close() }
        }
    }
}

// MARK: - Reading, on the loop's thread

extension SocketPump {
    private func watch(isWriting: Bool) {
        loop.watch(descriptor, for: isWriting ? [.readable, .writable] : .readable) {
            [self] readiness in
            if readiness.contains(.writable) { resumeWriting() }
            if !readiness.isDisjoint(with: [.readable, .left]) { read() }
        }
    }

    private func resumeWriting() {
        let isBlocked = state.withLock { state in state.isOpen ? flush(&state) : false }
        if !isBlocked { watch(isWriting: false) }
    }

    private func read() {
        let isFull = state.withLock { $0.isOpen && $0.pending.count > Self.backlog }
        if isFull {
            // Who asks and does not read is heard again when it has read.
            return loop.watch(descriptor, for: [.writable, .left]) { [self] readiness in
                readiness.contains(.left) ? close() : resumeWriting()
            }
        }
        let (items, isOver) = state.withLock { state in
            var items: [WebSocketFrameDecoder.Item] = []
            for _ in 0..<Self.turn where state.isOpen {
                switch Socket.read(from: descriptor) {
                case .bytes(let bytes): items += state.decoder.push(bytes)
                case .nothing: return (items, false)
                case .end: return (items, true)
                }
            }
            return (items, false)
        }
        for item in items { take(item) }
        if isOver { close() }
    }

    private func take(_ item: WebSocketFrameDecoder.Item) {
        switch item {
        case .frame(let frame, _): served.withLock { $0 }?.take(frame)
        case .violation(let violation): refuse(violation.closeCode)
        }
    }
}
