internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Tells an observer of an exchange what the app gets, and when: what comes from the other
/// transport is only kept, and told when it is given.
final class FaultObserver: ExchangeObserver {
    private struct State {
        var start: Int64?
        var end: (record: EndRecord, time: Int64)?
        var last = Int64.min
        var isOver = false
        var isSocket = false
        /// What came on a WebSocket and is no frame, until it is taken.
        var stray: (bytes: [UInt8], time: Int64)?
    }

    private let next: (any ExchangeObserver)?
    private let state = Locked(State())

    init(_ next: (any ExchangeObserver)?) { self.next = next }

    /// When the request began; nil before.
    var start: Int64? { state.withLock { $0.start } }

    /// How the other transport's exchange ended, and when.
    var end: (record: EndRecord, time: Int64)? { state.withLock { $0.end } }

    /// What came on a WebSocket since the last call, is no frame and precedes its violation or end.
    func takeStray() -> (bytes: [UInt8], time: Int64)? {
        state.withLock { state in
            defer { state.stray = nil }
            return state.stray
        }
    }

    func observe(_ content: FrameContent, at time: Int64) {
        switch content {
        case .request: state.withLock { $0.start = time }
        case .response(let record) where record.status >= 200 || record.status == 101:
            return state.withLock { $0.isSocket = record.status == 101 }
        case .responseBody(let bytes):
            return state.withLock { state in
                if state.isSocket { state.stray = ((state.stray?.bytes ?? []) + bytes, time) }
            }
        case .decodedBody: return
        case .socketFrame(let record) where record.sender == .server: return
        case .end(let record):
            state.withLock { $0.end = $0.end ?? (record, time) }
            return
        default: break
        }
        forward(content, at: time)
    }

    func commit() { next?.commit() }

    /// Tells what the app is about to get.
    func tell(_ content: FrameContent, at time: Int64) {
        forward(content, at: time)
        next?.commit()
    }

    private func forward(_ content: FrameContent, at time: Int64) {
        let time = state.withLock { state -> Int64? in
            if state.isOver { return nil }
            if content.kind == .end { state.isOver = true }
            state.last = max(state.last, time)
            return state.last
        }
        if let time { next?.observe(content, at: time) }
    }
}
