internal import RepriseSupport

/// A body that records how long its reader took from a delivery to asking for the next, where that
/// is long: a slow app must not be taken for a stalled server.
final class HoldMeter: ResponseBody.Source {
    /// What is not worth a frame, in nanoseconds.
    static let limit: Int64 = 50_000_000

    private let body: ResponseBody
    private let clock: any SessionClock
    private let recorder: TapeRecorder
    private let exchange: UInt64
    /// When the last delivery was handed over, while the reader has it.
    private let handedOver = Locked<Int64?>(nil)

    init(body: ResponseBody, clock: any SessionClock, recorder: TapeRecorder, exchange: UInt64) {
        self.body = body
        self.clock = clock
        self.recorder = recorder
        self.exchange = exchange
    }

    func next() async throws(TransportError) -> Delivery? {
        recordHold()
        var iterator = body.makeAsyncIterator()
        let delivery = try await iterator.next()
        let time = clock.now()
        handedOver.withLock { $0 = delivery == nil ? nil : time }
        return delivery
    }

    func cancel() { body.cancel() }

    private func recordHold() {
        let since = handedOver.withLock { time in
            defer { time = nil }
            return time
        }
        guard let since else { return }
        let duration = clock.now() &- since
        if duration > HoldMeter.limit { recorder.recordHeld(duration, exchange: exchange) }
    }
}
