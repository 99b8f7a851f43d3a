internal import RepriseSupport

/// Who waits in a replay until more has come from the app.
package final class ReplayGate: Sendable {
    private struct Listener: Sendable {
        weak let socket: ReplaySocket?
    }

    private struct State {
        var waits: [AppWait] = []
        var listeners: [Listener] = []
        var limit: Int64 = 10_000_000_000
    }

    private let state = Locked(State())

    package init() {}

    /// How long is waited where time is real, in real nanoseconds.
    package var limit: Int64 {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Has a WebSocket told of the requests that come while it is there.
    func add(_ socket: ReplaySocket) {
        state.withLock { state in
            state.listeners.removeAll { $0.socket == nil }
            state.listeners.append(Listener(socket: socket))
        }
    }

    /// A recorded request has come: whoever waits looks again.
    package func came(_ exchange: Recording.Exchange) {
        for listener in state.withLock({ $0.listeners }) { listener.socket?.came(exchange) }
        changed()
    }

    /// Something has come: whoever waits looks again.
    package func changed() {
        let waits = state.withLock { state in
            defer { state.waits = [] }
            return state.waits
        }
        for wait in waits { wait.fulfill() }
    }

    /// Waits until nothing is missing.
    ///
    /// - Parameter missing: What is waited for first, as in "it waits for …"; nil for nothing.
    /// - Throws: ``TransportError`` with code `replay.stalled` where it will not come, or as
    ///   `cancelled`.
    func wait(on clock: ReplayClock, _ missing: () -> String?) async throws(TransportError) {
        while let description = missing() {
            let wait = clock.waiting(for: description, atMost: limit)
            state.withLock { $0.waits.append(wait) }
            // It may have come before there was anybody to tell.
            if missing() == nil { return }
            try await wait.wait()
        }
    }
}
