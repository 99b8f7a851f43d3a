internal import RepriseTape

/// Another transport, recorded: every exchange goes on the recorder's tape as it happens, and the
/// app sees what it would see without.
public struct RecordingTransport: Transport {
    /// The transport that does the work.
    public let base: any Transport
    /// Where it is recorded.
    public let recorder: TapeRecorder
    /// The base's clock; its random values, recorded; the recorder as the journal.
    public let context: SessionContext

    /// Records `base` with `recorder`, whose clock must be that of `base`.
    public init(base: any Transport, recorder: TapeRecorder) {
        self.base = base
        self.recorder = recorder
        context = recorder.context(over: base.context)
    }

    /// Sends `request` over the base transport; exchanges are numbered in the order of calling.
    public func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        let exchange = recorder.openExchange(sensitive: request.sensitive)
        let tee = ExchangeRecorder(recorder: recorder, exchange: exchange, next: observer)
        var response = try await base.send(request, observer: tee)
        response.body = ResponseBody(MeteredBody(response.body, meter(exchange)))
        return response
    }

    /// Connects over the base transport; exchanges are numbered in the order of calling.
    public func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        let exchange = recorder.openExchange(sensitive: request.sensitive)
        let tee = ExchangeRecorder(
            recorder: recorder, exchange: exchange, isSocket: true, next: observer)
        var response = try await base.connect(request, options: options, observer: tee)
        let meter = meter(exchange)
        switch response.outcome {
        case .switched(let channel): response.outcome = .switched(MeteredChannel(channel, meter))
        case .refused(let body):
            response.outcome = .refused(ResponseBody(MeteredBody(body, meter)))
        }
        return response
    }

    private func meter(_ exchange: UInt64) -> HoldMeter {
        HoldMeter(clock: base.context.clock, recorder: recorder, exchange: exchange)
    }
}

/// Hands what it is told to the recorder, and then to another observer.
final class ExchangeRecorder: ExchangeObserver {
    private let recorder: TapeRecorder
    private let exchange: UInt64
    private let isSocket: Bool
    private let next: (any ExchangeObserver)?

    init(
        recorder: TapeRecorder, exchange: UInt64, isSocket: Bool = false,
        next: (any ExchangeObserver)?
    ) {
        self.recorder = recorder
        self.exchange = exchange
        self.isSocket = isSocket
        self.next = next
    }

    func observe(_ content: FrameContent, at time: Int64) {
        var content = content
        if isSocket, case .request(var head) = content {
            // Whatever the transport says: a replay and the masking of frames depend on it.
            head.transport = .websocket
            content = .request(head)
        }
        recorder.observe(content, exchange: exchange, at: time)
        next?.observe(content, at: time)
    }

    func commit() {
        recorder.commit()
        next?.commit()
    }
}
