internal import RepriseSupport
internal import RepriseTransport

extension Visit {
    /// Takes the response over from libmicrohttpd, whose connection stays suspended until it is
    /// out.
    func beginRaw(_ state: inout State) {
        unsafe state.step = .raw
        unsafe state.raw = RawResponse(
            state.answer.response, origin: state.origin, isHTTP10: state.isHTTP10)
        unsafe Socket.sendAtOnce(state.socket)
        unsafe suspend(&state)
    }

    /// Writes what is due, on the loop's thread.
    func writeRaw(_ state: inout State) {
        guard unsafe state.step == .raw, unsafe state.isSuspended else { return }
        while true {
            guard unsafe flush(&state) else { return }
            if unsafe state.raw?.hasEnded == true {
                return unsafe finishRaw(
                    &state, isReset: state.answer.response.ending == .reset)
            }
            if unsafe state.raw?.takeHead(until: clock.now()) == true { continue }
            if unsafe state.raw?.nextTime != nil { return }
            let (bytes, next) = unsafe state.feed.take()
            switch next {
            case .bytes: unsafe state.raw?.take(bytes)
            case .nothing: return
            case .end: unsafe state.raw?.takeEnd()
            }
        }
    }

    /// Writes what is pending; false where that has to wait, or is in vain.
    private func flush(_ state: inout State) -> Bool {
        let socket = unsafe state.socket
        while let pending = unsafe state.raw?.pending, !pending.isEmpty {
            guard let count = Socket.write(pending, to: socket) else {
                unsafe state.hasLeft = true
                unsafe finishRaw(&state, isReset: false)
                return false
            }
            guard count > 0 else {
                daemon.loop.watch(socket, for: [.left, .writable]) { [self] ready in
                    ready.contains(.left) ? leave() : resumeRaw()
                }
                return false
            }
            unsafe state.raw?.wrote(count)
        }
        return true
    }

    private func resumeRaw() {
        unsafe state.withLock { state in
            unsafe watch(state)
            unsafe writeRaw(&state)
        }
    }

    /// Gives the connection back, to be closed.
    private func finishRaw(_ state: inout State, isReset: Bool) {
        // Nothing of libmicrohttpd's own may follow: it would answer a request without a response.
        if isReset {
            let waits = unsafe waitsForReader(&state) { [self] in
                unsafe self.state.withLock { unsafe writeRaw(&$0) }
            }
            if waits { return }
            unsafe Socket.reset(state.socket)
        } else {
            unsafe Socket.finish(state.socket)
        }
        unsafe state.step = .over
        unsafe resume(&state)
    }
}
