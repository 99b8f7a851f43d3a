internal import RepriseTape
internal import RepriseWire

/// What stands between deliveries and decoded chunks: takes the one, gives the other, and gives a
/// failure only after everything that came before it.
struct DecodingStage {
    private let codings: [String]
    private var decoder: ContentDecoder?
    private var ready: DecodedBody.Chunk?
    private var failure: TransportError?
    /// Whether the coding has ended, although bytes follow it: they are no content.
    private var hasTrailer = false
    /// Whether the exchange has ended and nothing is left to give.
    private(set) var isFinished = false

    init(codings: [String]) { self.codings = codings }

    /// What is ready, or what went wrong once nothing is.
    mutating func next() throws(TransportError) -> DecodedBody.Chunk? {
        if let chunk = ready {
            ready = nil
            return chunk
        }
        if let failure { throw failure }
        return nil
    }

    /// Takes a delivery.
    mutating func push(_ delivery: Delivery) {
        var bytes: [UInt8] = []
        if delivery.isDecoded || codings.isEmpty {
            bytes = delivery.bytes
        } else if !delivery.bytes.isEmpty && !hasTrailer {
            attempt { (decoder) throws(ContentCodingError) in
                try decoder.push(delivery.bytes, into: &bytes)
            }
        }
        if !bytes.isEmpty { ready = DecodedBody.Chunk(bytes: bytes, time: delivery.time) }
    }

    /// Takes the end of an exchange that ended complete.
    ///
    /// A body without a single coded byte is none, whatever its head names (a 304, say).
    mutating func finish() {
        isFinished = true
        if decoder != nil && !hasTrailer {
            attempt { (decoder) throws(ContentCodingError) in try decoder.finish() }
        }
    }

    private mutating func attempt(
        _ work: (ContentDecoder) throws(ContentCodingError) -> Void
    ) {
        do throws(ContentCodingError) {
            if decoder == nil { decoder = try ContentDecoder(codings: codings) }
            guard let decoder else { return }
            try work(decoder)
        } catch {
            if error.kind == .trailingBytes {
                hasTrailer = true
                return
            }
            failure = TransportError(
                how: .failed, .contentCoding,
                "the response's body cannot be decoded: \(error)")
        }
    }
}
