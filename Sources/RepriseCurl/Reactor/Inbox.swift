internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport

/// How other threads reach the reactor: commands in order, and one wake-up for all that wait.
final class Inbox: Sendable {
    enum Command: Sendable {
        case start(Exchange)
        case cancel(UInt64)
        case resume(UInt64)
        case open(SocketExchange)
        case send(UInt64, Outgoing)
        case finishSending(UInt64)
        case end(UInt64, EndRecord)
    }

    private struct State {
        var commands: [Command] = []
        var isSignalled = false
        var isStopping = false
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())
    private let poller: SocketPoller

    init(poller: SocketPoller) { self.poller = poller }

    /// A number for a new exchange.
    func makeID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Leaves a command.
    ///
    /// - Returns: Whether the reactor will still see it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isAccepted, mustWake) = state.withLock { state in
            if state.isStopping { return (false, false) }
            state.commands.append(command)
            defer { state.isSignalled = true }
            return (true, !state.isSignalled)
        }
        if mustWake { poller.wake() }
        return isAccepted
    }

    /// Asks the reactor to cancel what is running and to end; what is posted later is refused.
    func stop() {
        state.withLock { $0.isStopping = true }
        poller.wake()
    }

    /// The commands since the last time, and whether to stop after them.
    func drain() -> (commands: [Command], isStopping: Bool) {
        state.withLock { state in
            defer {
                state.commands.removeAll(keepingCapacity: true)
                state.isSignalled = false
            }
            return (state.commands, state.isStopping)
        }
    }
}
