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
            close: { [weak self] in self?.endSocket() })
        unsafe state.pump = pump
        let patience = unsafe state.answer.response.ending.patience
        let served = unsafe make(LoopClock(loop: daemon.loop), state.origin) { [weak pump] head in
            pump?.write([RawResponse.bytes(of: head)])
        } _: { [weak pump] pieces, payload in
            pump?.write(pieces, payload: payload)
        }
        daemon.loop.run { pump.start(served, patience: patience) }
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
