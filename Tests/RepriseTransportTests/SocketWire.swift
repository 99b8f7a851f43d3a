import RepriseTape
import RepriseTransport
import RepriseWire

/// One side of a WebSocket as it sends, for tests.
struct SocketWire {
    let sender: WebSocketRole
    let deflate: PerMessageDeflate?
    private let writer: WebSocketWriter

    init(_ sender: WebSocketRole = .server, deflate: PerMessageDeflate? = PerMessageDeflate()) {
        self.sender = sender
        self.deflate = deflate
        writer = WebSocketWriter(sender: sender, deflate: deflate)
    }

    /// The frames of a message, cut at ascending offsets of what is sent, with a ping behind each
    /// frame but the last where `pings` are.
    func message(
        _ bytes: [UInt8], kind: WebSocketFrame.Opcode = .text, deflated: Bool = true,
        pings: Bool = false, cuts: (Int) -> [Int] = { _ in [] }
    ) -> [SocketFrameRecord] {
        let whole = writer.message(kind, bytes, deflated: deflated)[0]
        let bounds = [0] + cuts(whole.payload.count) + [whole.payload.count]
        var frames: [WebSocketFrame] = []
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            if pings, !frames.isEmpty { frames.append(WebSocketFrame(.ping, [1, 2])) }
            frames.append(
                WebSocketFrame(
                    frames.isEmpty ? kind : .continuation, Array(whole.payload[start..<end]),
                    isFinal: false, rsv1: frames.isEmpty && whole.rsv1))
        }
        frames[frames.count - 1].isFinal = true
        return frames.map { SocketFrameRecord($0, from: sender) }
    }

    /// What the frames say, read as a tape's.
    static func events(
        _ records: [SocketFrameRecord], deflate: PerMessageDeflate?
    ) -> [WebSocketEvent] {
        guard let sender = records.first?.sender else { return [] }
        let reader = WebSocketReader(sender: sender, deflate: deflate)
        return records.flatMap { reader.receive($0) }
    }

    /// `records` with the data frames of deflated messages inflated from the one at `place` on,
    /// as far as others behind them need it; nil for all.
    func inflated(
        _ records: [SocketFrameRecord], from place: Int? = nil
    ) -> [SocketFrameRecord] {
        guard let deflate else { return records }
        let inflater = deflate.inflater(of: sender)
        var stored = records
        var isDeflated = false
        var isInflating = false
        for index in records.indices {
            let frame = records[index].frame
            if frame.opcode.isControl { continue }
            if frame.opcode != .continuation {
                isDeflated = frame.rsv1
                isInflating = isInflating && !deflate.noContextTakeover(of: sender)
            }
            guard isDeflated else { continue }
            isInflating = isInflating || index == place || place == nil
            var plain: [UInt8] = []
            var flags = stored[index].flags.union(.inflated)
            do throws(MessageInflater.Fault) {
                try inflater.push(frame.payload, into: &plain, limit: .max)
                if frame.isFinal { try inflater.finish(into: &plain, limit: .max) }
            } catch {
                flags.insert(.corrupt)
            }
            guard isInflating else { continue }
            stored[index].flags = flags
            stored[index].bytes = plain
        }
        return stored
    }
}

extension WebSocketEvent {
    var message: WebSocketMessage? {
        if case .message(let message) = self { message } else { nil }
    }

    /// The event without what depends on how frames are stored.
    var wireless: WebSocketEvent {
        switch self {
        case .message(var message):
            message.wireCount = 0
            return .message(message)
        case .violation(var violation):
            violation.detail = ""
            return .violation(violation)
        default: return self
        }
    }
}
