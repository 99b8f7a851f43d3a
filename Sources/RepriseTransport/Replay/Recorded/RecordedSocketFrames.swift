package import RepriseTape
package import RepriseWire

/// The frames of one side of a recorded WebSocket as they can be sent again, under the agreement
/// that was recorded.
///
/// What is stored as on the wire stays so. A message some of whose frames are stored inflated is
/// deflated again as a whole, flushed at every cut: each frame inflates to what it inflated to, and
/// one that was corrupt is again. A deflated message of which nothing is inflated yet waits for its
/// end, since one deflate stream cannot go on in the middle of another; frames stay in order, and
/// there is one for each record.
package struct RecordedSocketFrames {
    private struct Waiting {
        var frame: WebSocketFrame
        /// What it inflates to; nil for a control frame, or where it does not inflate.
        var plain: [UInt8]?
    }

    private enum Message {
        case plain
        /// As on the wire so far.
        case verbatim
        case coded
    }

    /// How many bytes a frame may inflate to.
    private static let limit = 64 << 20

    private let sender: WebSocketRole
    private let deflate: PerMessageDeflate?
    private let inflater: MessageInflater?
    private var deflater: MessageDeflater?
    private var message: Message?
    private var waiting: [Waiting] = []

    /// - Parameter deflate: What the recorded handshake agreed on.
    package init(sender: WebSocketRole, deflate: PerMessageDeflate?) {
        self.sender = sender
        self.deflate = deflate
        inflater = deflate?.inflater(of: sender)
    }

    /// The frames of all records of a side, in their order.
    package static func frames(
        _ records: [SocketFrameRecord], of sender: WebSocketRole, deflate: PerMessageDeflate?
    ) -> [WebSocketFrame] {
        if !records.contains(where: { $0.flags.contains(.inflated) }) {
            return records.map(\.frame)
        }
        var side = RecordedSocketFrames(sender: sender, deflate: deflate)
        return records.flatMap { side.push($0) } + side.finish()
    }

    /// Takes the next record of the side: the frames that are certain now.
    package mutating func push(_ record: SocketFrameRecord) -> [WebSocketFrame] {
        var frame = record.frame
        if frame.opcode.isControl || frame.opcode.isReserved {
            return give(Waiting(frame: frame, plain: nil))
        }
        var certain: [WebSocketFrame] = []
        if frame.opcode != .continuation {
            certain = interrupt()
            message = frame.rsv1 && deflate != nil ? .verbatim : .plain
        }
        let isFirst = frame.opcode != .continuation
        switch (message, record.flags.contains(.inflated)) {
        case (.verbatim, true):
            // What its window was is known no more.
            inflater?.abandon()
            certain += codeWaiting()
            frame.payload = coded(record, isFirst: isFirst)
            message = .coded
        case (.coded, true): frame.payload = coded(record, isFirst: isFirst)
        case (.verbatim, false):
            waiting.append(Waiting(frame: frame, plain: inflated(frame)))
            if frame.isFinal {
                certain += finish()
                message = nil
            }
            return certain
        case (.plain, true), (nil, true): frame.rsv1 = false
        case (.plain, false), (.coded, false), (nil, false): break
        }
        if frame.isFinal { message = nil }
        return certain + [frame]
    }

    /// Says that no record follows: the frames that waited for one.
    package mutating func finish() -> [WebSocketFrame] {
        defer { waiting = [] }
        return waiting.map(\.frame)
    }

    private mutating func give(_ next: Waiting) -> [WebSocketFrame] {
        if waiting.isEmpty { return [next.frame] }
        waiting.append(next)
        return []
    }

    /// A message begins: the frames of one that did not end stay as they are.
    private mutating func interrupt() -> [WebSocketFrame] {
        if case .verbatim = message { inflater?.abandon() }
        return finish()
    }

    private func inflated(_ frame: WebSocketFrame) -> [UInt8]? {
        guard let inflater, !inflater.isLost else { return nil }
        var plain: [UInt8] = []
        do throws(MessageInflater.Fault) {
            try inflater.push(frame.payload, into: &plain, limit: Self.limit)
            if frame.isFinal { try inflater.finish(into: &plain, limit: Self.limit) }
        } catch {
            return nil
        }
        return plain
    }

    /// The waiting frames of a message that is to be deflated again.
    private mutating func codeWaiting() -> [WebSocketFrame] {
        var isFirst = true
        for index in waiting.indices {
            guard let plain = waiting[index].plain else { continue }
            waiting[index].frame.payload = part(plain, isFirst: isFirst, isLast: false)
            isFirst = false
        }
        return finish()
    }

    private mutating func coded(_ record: SocketFrameRecord, isFirst: Bool) -> [UInt8] {
        let isCorrupt = record.flags.contains(.corrupt)
        let bytes = part(
            record.bytes, isFirst: isFirst,
            isLast: record.flags.contains(.fin) && !isCorrupt)
        // Behind a flush a block begins; there is none of type 3 (RFC 1951 section 3.2.3).
        return isCorrupt ? bytes + [0xFF] : bytes
    }

    private mutating func part(_ bytes: [UInt8], isFirst: Bool, isLast: Bool) -> [UInt8] {
        // It refers to nothing before it, so that it fits behind whatever was sent verbatim.
        let deflater = deflater ?? deflate?.deflater(of: sender)
        self.deflater = deflater
        return deflater?.part(bytes, isFirst: isFirst, isLast: isLast) ?? bytes
    }
}
