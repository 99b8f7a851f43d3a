internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Tells an observer of an exchange in the pieces in which the app gets it.
final class RecutObserver: ExchangeObserver {
    private struct State {
        var cutter: BodyCutter?
        /// What came on a WebSocket and is not given to the app yet.
        var held: [(content: FrameContent, time: Int64)] = []
        var isSocket = false
    }

    private let next: any ExchangeObserver
    private let cuts: Cuts
    private let member: UInt64
    private let state = Locked(State())

    init(_ next: any ExchangeObserver, _ cuts: Cuts, _ member: UInt64) {
        self.next = next
        self.cuts = cuts
        self.member = member
    }

    func observe(_ content: FrameContent, at time: Int64) {
        for told in state.withLock({ told(content, at: time, &$0) }) {
            next.observe(told.content, at: told.time)
        }
    }

    func commit() { next.commit() }

    /// The app is about to get all that came on a WebSocket so far.
    func release(at time: Int64) {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        if held.isEmpty { return }
        for event in held { next.observe(event.content, at: max(event.time, time)) }
        next.commit()
    }

    private func told(
        _ content: FrameContent, at time: Int64, _ state: inout State
    ) -> [(content: FrameContent, time: Int64)] {
        switch content {
        case .response(let record):
            state.isSocket = record.status == 101
            state.cutter = BodyCutter(
                cuts, codings: record.headers.contentCodings, member: member)
        case .responseBody where state.isSocket:
            state.held.append((content, time))
            return []
        case .socketFrame(let record) where record.sender == .server:
            state.held.append((content, time))
            return []
        case .responseBody(let bytes):
            return pieces(Delivery(bytes: bytes, time: time), &state)
        case .decodedBody(let bytes):
            return pieces(Delivery(bytes: bytes, time: time, isDecoded: true), &state)
        case .end:
            defer { state.held = [] }
            let rest = state.cutter?.finish() ?? []
            return state.held + rest.map(event) + [(content, time)]
        default: break
        }
        return [(content, time)]
    }

    private func pieces(
        _ delivery: Delivery, _ state: inout State
    ) -> [(content: FrameContent, time: Int64)] {
        (state.cutter?.push(delivery) ?? [delivery]).map(event)
    }

    private func event(_ piece: Delivery) -> (content: FrameContent, time: Int64) {
        (piece.isDecoded ? .decodedBody(piece.bytes) : .responseBody(piece.bytes), piece.time)
    }
}
