internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Records how long the reader of an exchange took from a delivery to asking for the next, where
/// that is long: a slow app must not be taken for a stalled server.
final class HoldMeter: Sendable {
    /// What is not worth a frame, in nanoseconds.
    static let limit: Int64 = 50_000_000

    private let clock: any SessionClock
    private let recorder: TapeRecorder
    private let exchange: UInt64
    /// When the last delivery was handed over, while the reader has it.
    private let handedOver = Locked<Int64?>(nil)

    init(clock: any SessionClock, recorder: TapeRecorder, exchange: UInt64) {
        self.clock = clock
        self.recorder = recorder
        self.exchange = exchange
    }

    /// The reader asks for a delivery.
    func ask() {
        let since = handedOver.withLock { time in
            defer { time = nil }
            return time
        }
        guard let since else { return }
        let duration = clock.now() &- since
        if duration > HoldMeter.limit { recorder.recordHeld(duration, exchange: exchange) }
    }

    /// The reader gets a delivery, which is not the last.
    func handOver() {
        let time = clock.now()
        handedOver.withLock { $0 = time }
    }
}

/// A body whose reader is measured.
final class MeteredBody: ResponseBody.Source {
    private let body: ResponseBody
    private let meter: HoldMeter

    init(_ body: ResponseBody, _ meter: HoldMeter) {
        self.body = body
        self.meter = meter
    }

    func next() async throws(TransportError) -> Delivery? {
        meter.ask()
        var iterator = body.makeAsyncIterator()
        let delivery = try await iterator.next()
        if delivery != nil { meter.handOver() }
        return delivery
    }

    func cancel() { body.cancel() }
}

/// A WebSocket whose reader is measured.
final class MeteredChannel: SocketChannel {
    private let channel: any SocketChannel
    private let meter: HoldMeter

    init(_ channel: any SocketChannel, _ meter: HoldMeter) {
        self.channel = channel
        self.meter = meter
    }

    func next() async throws(TransportError) -> SocketDelivery? {
        meter.ask()
        let delivery = try await channel.next()
        if delivery != nil { meter.handOver() }
        return delivery
    }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        try await channel.send(frames)
    }

    func finishSending() { channel.finishSending() }

    func end(_ record: EndRecord) { channel.end(record) }
}
