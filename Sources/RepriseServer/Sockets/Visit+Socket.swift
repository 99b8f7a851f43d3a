internal import RepriseSupport
internal import RepriseTransport
internal import RepriseWire

extension Visit {
    /// Takes the connection over for a WebSocket. libmicrohttpd could upgrade it, but with a head of
    /// its own, and no client may send frames before it has the answer (RFC 6455 section 4.1).
    func beginSocket(_ state: inout State) {
        guard let make = unsafe state.answer.socket else { return }
        unsafe state.step = .socket
        unsafe suspend(&state)
        let pump = unsafe SocketPump(
            state.socket, loop: daemon.loop, limits: WebSocketLimits(),
            cuts: state.answer.cuts, member: UInt64(state.answer.ticket ?? 0),
            close: { [weak self] in self?.endSocket() })
        unsafe state.pump = pump
        let response = unsafe state.answer.response
        let hold: @Sendable (TransportError) -> Int64? = { _ in
            if case .hold(let time) = response.ending { time } else { nil }
        }
        let served = make(LoopClock(loop: daemon.loop)) { [weak pump] in pump?.send($0) }
        let due = unsafe state.origin.saturatingAdd(response.head?.offset ?? 0)
        daemon.loop.run(at: due) { pump.start(served, hold: hold) }
    }

    /// Gives the connection back, to be closed.
    private func endSocket() {
        unsafe state.withLock { state in
            guard unsafe state.step == .socket else { return }
            unsafe state.pump?.shut()
            unsafe state.step = .over
            unsafe Socket.finish(state.socket)
            unsafe resume(&state)
        }
    }
}
