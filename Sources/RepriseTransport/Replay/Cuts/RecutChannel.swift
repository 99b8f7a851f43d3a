internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// A channel that knows what will come.
protocol ForeseeingChannel: SocketChannel {
    /// Whether another frame comes without the app doing anything before it.
    func isNextCertain() async -> Bool
}

/// A WebSocket whose server's bytes arrive in other pieces: written as on the wire, cut, and read
/// again.
final class RecutChannel: SocketChannel {
    fileprivate struct State {
        var cutter: FrameCutter
        var decoder: WebSocketFrameDecoder
        /// What nobody took yet.
        var ready: ArraySlice<SocketDelivery> = []
        var end: Result<Void, TransportError>?
    }

    private let base: any SocketChannel
    private let observer: RecutObserver?
    private let state: Locked<State>

    init(
        _ base: any SocketChannel, _ cutter: sending FrameCutter, limits: WebSocketLimits,
        _ observer: RecutObserver?
    ) {
        self.base = base
        self.observer = observer
        state = Locked(
            State(
                cutter: cutter, decoder: WebSocketFrameDecoder(sender: .server, limits: limits)))
    }

    func next() async throws(TransportError) -> SocketDelivery? {
        while true {
            let found = state.withLock { state -> Result<SocketDelivery?, TransportError>? in
                if let delivery = state.ready.popFirst() { return .success(delivery) }
                return state.end?.map { nil }
            }
            if case .success(let delivery?) = found { observer?.release(at: delivery.time) }
            if let found { return try found.get() }
            do throws(TransportError) {
                let delivery = try await base.next()
                // What is held must not wait for what may never come.
                if state.withLock({ $0.take(delivery) }),
                    await (base as? any ForeseeingChannel)?.isNextCertain() != true
                {
                    state.withLock { $0.flush() }
                }
            } catch {
                state.withLock { $0.take(.failure(error)) }
            }
        }
    }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        try await base.send(frames)
    }

    func finishSending() { base.finishSending() }

    func end(_ record: EndRecord) { base.end(record) }
}

extension RecutChannel.State {
    /// Takes what came; whether some of it is held until more comes.
    fileprivate mutating func take(_ delivery: SocketDelivery?) -> Bool {
        guard let delivery else {
            take(.success(()))
            return false
        }
        if case .frame(let frame, _) = delivery.item {
            decode(cutter.push(frame, at: delivery.time))
            return cutter.isHolding
        }
        decode(cutter.finish())
        ready.append(delivery)
        return false
    }

    /// Gives what is held.
    fileprivate mutating func flush() { decode(cutter.finish()) }

    fileprivate mutating func take(_ end: Result<Void, TransportError>) {
        self.end = end
        decode(cutter.finish())
    }

    private mutating func decode(_ pieces: [Delivery]) {
        for piece in pieces {
            ready += decoder.push(piece.bytes).map { SocketDelivery($0, time: piece.time) }
        }
    }
}
