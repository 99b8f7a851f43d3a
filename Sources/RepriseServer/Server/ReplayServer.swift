internal import RepriseSupport
internal import RepriseTape
package import RepriseTransport
internal import RepriseWire

/// Serves recordings over HTTP/1.1 and WebSockets, for clients in any language: each request is answered with the
/// first recorded exchange that is left and whose request it can be, with the recorded bytes, cuts,
/// times and end.
///
/// A stream that the recording's client left, that ran into a limit of time, or whose recorder
/// died, stays open after what was recorded for as long as the recorded silence and a minute more,
/// and is cut then unless the client leaves before.
package final class ReplayServer: Sendable {
    /// Something to tell the one who runs it.
    package enum Event: Sendable {
        /// A request that nothing recorded answers, or a message that was not recorded.
        case miss(ReplayMiss)
        /// An exchange is over; its place.
        case over(Int)
    }

    /// The address, as the beginning of a URL.
    package let url: String

    private let board: Board
    private let daemon: Daemon

    /// Starts serving.
    ///
    /// - Parameters:
    ///   - tapes: What to serve, each with its name in messages.
    ///   - pace: How fast; by default at once.
    ///   - address: Where to listen.
    ///   - options: What of the messages on WebSockets only keeps the connection alive.
    ///   - cuts: Where bodies and frames are cut.
    ///   - faults: What goes wrong.
    ///   - matching: Which recorded exchange may answer a request.
    ///   - tell: Called from threads of the server; it may not block.
    /// - Throws: ``ServerError`` where it cannot listen.
    package init(
        _ tapes: [(name: String, recording: Recording)], pace: Pace = .instant,
        listen address: ListenAddress, options: SocketOptions = SocketOptions(),
        cuts: Cuts = .asRecorded, faults: [Fault] = [], matching: RequestMatching = .flexible,
        tell: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws {
        board = Board(
            tapes, pace: pace, options: options, cuts: cuts, faults: faults, matching: matching,
            tell: tell)
        let (socket, port) = try address.listen()
        guard
            let daemon = Daemon(
                listener: socket, pieceBytes: board.largestPiece, service: board)
        else { throw ServerError("the system has no thread or descriptor left") }
        self.daemon = daemon
        url = "http://\(address.inURL):\(port)"
    }

    /// All exchanges in recorded order, tape by tape.
    package var exchanges: [ServedExchange] { board.exchanges }

    /// How many requests nothing recorded answered.
    package var missCount: Int { board.missCount }

    /// The faults that have not struck.
    package var unstruck: [Fault] { board.unstruck }

    /// Whether everything that was recorded went out, and nothing else was asked for.
    package var isAllConsumed: Bool {
        missCount == 0 && exchanges.allSatisfy { $0.state == .whole }
    }

    /// Waits until every exchange was asked for and is over, or the task is cancelled.
    package func untilConsumed() async { await board.untilSettled() }

    /// Ends all connections and the server.
    package func stop() async {
        let daemon = daemon
        await withCheckedContinuation { continuation in
            let isStarted = OwnThread.start(withSignals: false) {
                daemon.stop()
                continuation.resume()
            }
            if !isStarted {
                daemon.stop()
                continuation.resume()
            }
        }
    }
}
