internal import RepriseTape
internal import RepriseWire

/// What a recorder keeps behind its lock: the tape, the secrets and the numbers given out.
struct RecorderState {
    var redactor: Redactor
    private(set) var failure: TapeError?

    private let writer: TapeWriter
    private var nextFrame: UInt64 = 1
    private var clients: UInt64 = 0
    private var calls: UInt64 = 0
    private var exchanges: UInt64 = 0
    private var draws: [Draw: Int] = [:]
    private var hasUncommitted = false
    /// Exchanges whose request is on the tape and whose end is not.
    private var unfinished: Set<UInt64> = []

    private struct Draw: Hashable {
        var call: UInt64
        var purpose: String
    }

    /// A state over a writer that has written the session, frame 0.
    ///
    /// - Parameter masks: The frames about what is masked in it.
    init(writer: TapeWriter, redactor: Redactor, masks: [Frame]) {
        self.writer = writer
        self.redactor = redactor
        for frame in masks { nextFrame = writer.append(frame) + 1 }
        hasUncommitted = !masks.isEmpty
        commit()
    }

    mutating func openExchange(_ sensitive: SensitivePaths) -> UInt64 {
        exchanges += 1
        redactor.open(exchange: exchanges, sensitive: sensitive)
        return exchanges
    }

    mutating func addClient(_ record: ClientRecord, time: Int64) -> UInt64 {
        append(.client(record), exchange: 0, time: time)
        commit()
        return clients
    }

    mutating func beginCall(
        _ op: String, args: JSON, client: UInt64?, time: Int64
    ) -> UInt64 {
        calls += 1
        let record = CallRecord(call: calls, client: client, op: op, args: args)
        append(.call(record), exchange: 0, time: time)
        commit()
        return calls
    }

    mutating func recordDraw(_ value: String, purpose: String, call: UInt64, time: Int64) {
        let ordinal = draws[Draw(call: call, purpose: purpose), default: 0]
        draws[Draw(call: call, purpose: purpose)] = ordinal + 1
        let record = EntropyRecord(call: call, purpose: purpose, ordinal: ordinal, value: value)
        append(.entropy(record), exchange: 0, time: time)
        commit()
    }

    /// Masks and takes a frame; what is said about its masks follows right behind it.
    mutating func append(_ content: FrameContent, exchange: UInt64, time: Int64) {
        if content.kind == .client { clients += 1 }
        guard failure == nil else { return }
        let frames = redactor.redact(content, exchange: exchange, time: time, frame: nextFrame)
        for frame in frames { nextFrame = writer.append(frame) + 1 }
        hasUncommitted = true
        switch content {
        case .request: unfinished.insert(exchange)
        case .end: unfinished.remove(exchange)
        default: break
        }
    }

    mutating func commit() {
        guard hasUncommitted, failure == nil else { return }
        hasUncommitted = false
        do { try writer.commit() } catch { fail(error) }
    }

    /// Ends what is still open as cancelled: an exchange without an end would read as one whose
    /// recorder died.
    mutating func close(time: Int64) throws(TapeError) {
        let end = EndRecord(
            how: .cancelled, code: TransportError.Code.cancelled.rawValue,
            message: "the recording was closed before the exchange ended")
        for exchange in unfinished.sorted() { append(.end(end), exchange: exchange, time: time) }
        commit()
        do { try writer.close() } catch { fail(failure ?? error) }
        if let failure { throw failure }
    }

    /// Forgets the recording, and removes a file that has not got its name yet.
    mutating func discard() {
        failure = failure ?? TapeError(.closed, "the recording was given up")
        writer.discard()
    }

    private mutating func fail(_ error: TapeError) {
        // Closing the tape is the end of recording, not a failure of it.
        if error.code != .closed { failure = failure ?? error }
    }
}
