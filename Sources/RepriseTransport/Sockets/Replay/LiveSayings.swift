internal import RepriseTape
internal import RepriseWire

/// Reads what a client says now, after the masking that a recorder would have done.
struct LiveSayings {
    /// Masks a frame, whose number is given, of the exchange.
    typealias Masking = (SocketFrameRecord, _ number: UInt64) -> [Frame]

    private var reader: SocketSayingReader
    private var count: UInt64 = 0
    /// The frames of the message under way, which may be masked differently once more of it is
    /// known.
    private var pending: [Frame] = []
    private var size = 0
    private let limit: Int
    /// How many frames a message may have.
    private static let frameLimit = 1 << 17

    /// How many messages that only keep alive there were.
    var keepAlives: Int { reader.keepAlives }

    init(deflate: PerMessageDeflate?, options: SocketOptions) {
        reader = SocketSayingReader(deflate: deflate, options: options)
        limit = options.limits.messageBytes
    }

    /// Takes the next frame of the client.
    ///
    /// - Returns: What it completes; nil for nothing, and for what neither gates nor is compared.
    mutating func take(_ frame: WebSocketFrame, _ mask: Masking) -> SocketSaying? {
        let made = numbered(mask(SocketFrameRecord(frame, from: .client), count))
        if frame.opcode.isControl { return read(made) }
        pending += made
        size += frame.payload.count
        let isTooLarge = size > limit || pending.count > LiveSayings.frameLimit
        guard frame.isFinal || isTooLarge else { return nil }
        defer { (pending, size) = ([], 0) }
        if isTooLarge { return .unreadable }
        return read(pending)
    }

    private mutating func numbered(_ frames: [Frame]) -> [Frame] {
        frames.map { frame in
            var frame = frame
            frame.number = count
            count += 1
            return frame
        }
    }

    private mutating func read(_ frames: [Frame]) -> SocketSaying? {
        var map = MaskMap()
        var frames = frames
        for frame in frames {
            switch try? frame.content() {
            case .masked(let record): map.add(record)
            case .reveal(let record):
                map.reveal(record)
                if let place = frames.place(ofNumber: record.frame) {
                    frames[place].restore(record)
                }
            default: break
            }
        }
        var saying: SocketSaying?
        for frame in frames {
            guard case .socketFrame(let record)? = try? frame.content() else { continue }
            saying = reader.take(record, masks: map.masks[frame.number] ?? []) ?? saying
        }
        return saying
    }
}
