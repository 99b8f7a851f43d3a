internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Runs a ``WebSocketEndpoint`` over the frames of a channel.
///
/// It has no task of its own: what there is to read is read by whoever asks, one step at a time,
/// and what follows from a step is sent before the next.
final class SocketDriver: Sendable {
    typealias Frames = (WebSocketEndpoint) throws(WebSocketSendError) -> [WebSocketFrame]

    private let channel: any SocketChannel
    private let context: SessionContext
    private let closeLimit: Int64
    private let state: Locked<SocketState>
    /// Who encodes and sends: frames leave in the order in which they were deflated.
    private let sending = Turns()
    private let reading = Turns()

    init(
        _ channel: any SocketChannel, _ agreement: WebSocketAgreement, options: SocketOptions,
        context: SessionContext
    ) {
        self.channel = channel
        self.context = context
        closeLimit = options.closeLimit
        state = Locked(SocketState(agreement, options.limits))
    }

    /// The peer's close frame, once it came.
    var closure: WebSocket.Closure? { state.withLock { $0.closure } }

    /// Ends the exchange as cancelled, if it has not ended.
    func cancel() { end(as: .failure(.transport(.socketCancelled))) }

    // MARK: Reading

    /// The next message; nil after the closing handshake.
    func next() async throws(WebSocketError) -> WebSocket.Message? {
        try await withTaskCancellationHandler {
            await read { $0.takeMessage() }
        } onCancel: {
            cancel()
        }.get()
    }

    /// Reads on until `take` finds something.
    private func read<Value: Sendable>(
        _ take: (inout SocketState) -> Result<Value, WebSocketError>?
    ) async -> Result<Value, WebSocketError> {
        while true {
            guard await reading.take() else {
                cancel()
                return .failure(.transport(.socketCancelled))
            }
            defer { reading.pass() }
            if let found = state.withLock(take) { return found }
            await step()
        }
    }

    /// Reads a frame and does what follows from it.
    private func step() async {
        let delivery: SocketDelivery?
        do throws(TransportError) { delivery = try await channel.next() } catch {
            return end(as: state.withLock { $0.end(of: error) })
        }
        let step = state.withLock { $0.take(delivery) }
        if step.disconnection != .none { startLimit() }
        if !step.replies.isEmpty { try? await send { _ in step.replies } }
        if step.disconnection == .now {
            // A client disconnects only once the peer's bytes have ended: none is left to read.
            channel.finishSending()
            end(as: state.withLock { $0.endOfBytes })
            // Back when the channel has come that far: before the app hears of the end, its
            // observer has.
            try? await channel.send([])
        }
    }

    // MARK: Sending

    /// Sends what `frames` makes, behind what was asked for before.
    func send(_ frames: Frames) async throws(WebSocketError) {
        guard await sending.take() else { throw .transport(.socketCancelled) }
        defer { sending.pass() }
        let made = try state.withLock { state throws(WebSocketError) in try state.make(frames) }
        let error = await withTaskCancellationHandler {
            await failure(of: made)
        } onCancel: {
            cancel()
        }
        // How the exchange ended is for the reader to find out: frames that came may be left.
        if let error { throw .transport(error) }
    }

    private func failure(of frames: [WebSocketFrame]) async -> TransportError? {
        do throws(TransportError) {
            try await channel.send(frames)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Closing

    /// Sends the close frame that `frames` makes, and reads until the exchange is over.
    func close(_ frames: Frames) async throws(WebSocketError) {
        startLimit()
        do throws(WebSocketError) { try await send(frames) } catch {
            if case .send = error { throw error }
        }
        try await withTaskCancellationHandler {
            await read { $0.end }
        } onCancel: {
            cancel()
        }.get()
    }

    /// From here on, the exchange ends within the limit.
    private func startLimit() {
        guard context.hasLimits, state.withLock({ $0.mayStartLimit() }) else { return }
        let (clock, limit) = (context.clock, closeLimit)
        let task = context.startTask { [weak self] in
            try await clock.sleep(for: limit)
            self?.limitPassed()
        }
        state.withLock { $0.keep(task) }
    }

    private func limitPassed() { end(as: state.withLock { $0.endOfLimit }) }

    /// Ends the exchange, if it has not ended.
    private func end(as end: Result<Void, WebSocketError>) {
        guard state.withLock({ $0.end(as: end) }) else { return }
        var record = EndRecord(how: .complete)
        if case .failure(let error) = end { record = error.endRecord }
        channel.end(record)
    }
}

extension SessionContext {
    /// Whether a limit means anything: at the pace `instant`, without an executor that knows who
    /// else waits, each wait is over at once.
    fileprivate var hasLimits: Bool {
        executor != nil || (clock as? ReplayClock)?.pace != .instant
    }
}
