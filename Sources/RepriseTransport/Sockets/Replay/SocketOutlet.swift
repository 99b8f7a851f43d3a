internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Writes what a replay tells of the server's side, cut anew.
final class SocketOutlet: ExchangeObserver {
    private struct State {
        var cutter: FrameCutter
        /// How many bytes of payload are held.
        var payload = 0
    }

    private let write: @Sendable (_ pieces: [[UInt8]], _ payload: Int) -> Void
    private let state: Locked<State>
    /// What the client asked when recorded. It is answered when it asks now.
    private let pings: Set<[UInt8]>

    init(_ exchange: Recording.Exchange, _ around: ServedSocket.Surroundings) {
        write = around.write
        state = Locked(State(cutter: FrameCutter(around.cuts, member: around.member)))
        var pings: Set<[UInt8]> = []
        for case .socketFrame(let record) in exchange.events.lazy.map(\.content)
        where record.sender == .client && record.frame.opcode == .ping {
            pings.insert(record.bytes)
        }
        self.pings = pings
    }

    /// Whether something is held until more comes or ``flush()``.
    var isHolding: Bool { state.withLock { $0.cutter.isHolding } }

    func observe(_ content: FrameContent, at time: Int64) {
        switch content {
        case .responseBody(let bytes): put { $0.cutter.push(stray: bytes, at: time) }
        case .socketFrame(let record) where record.sender == .server:
            if record.frame.opcode == .pong, pings.contains(record.bytes) { return }
            put { state in
                state.payload += record.bytes.count
                return state.cutter.push(record.frame, at: time)
            }
        default: break
        }
    }

    func commit() {}

    /// Writes a frame that was not recorded, and what is held before it.
    func say(_ frame: WebSocketFrame) {
        put { $0.cutter.push(frame, at: 0) + $0.cutter.finish() }
    }

    /// Writes what is held.
    func flush() { put { $0.cutter.finish() } }

    /// Written with the lock held, so that nothing comes between the pieces of a frame.
    private func put(_ take: (inout State) -> [Delivery]) {
        state.withLock { state in
            let pieces = take(&state)
            if pieces.isEmpty { return }
            write(pieces.map(\.bytes), state.payload)
            state.payload = 0
        }
    }
}
