package import RepriseWire

/// Cuts the bytes of a server's WebSocket frames anew.
///
/// The places in characters and lines are those of what is not deflated.
package final class FrameCutter {
    private let cuts: Cuts
    private let body: BodyCutter
    private var text: TextPlaces
    /// Whether the message under way is deflated.
    private var isDeflated = false

    /// - Parameter member: Which exchange of the session it is.
    package init(_ cuts: Cuts, member: UInt64) {
        self.cuts = cuts
        // A frame's own bytes are coded by nothing.
        let isOfFrames = [.insideCharacters, .beforeLineEnds].contains(cuts)
        body = BodyCutter(isOfFrames ? .asRecorded : cuts, codings: [], member: member)
        text = TextPlaces(cuts == .insideCharacters ? .insideCharacters : .beforeLineEnds)
    }

    /// Whether something is held until more comes or ``finish()``.
    package var isHolding: Bool { body.isHolding }

    /// Takes the next frame: the pieces that are whole now.
    package func push(_ frame: WebSocketFrame, at time: Int64) -> [Delivery] {
        let bytes = WebSocketFrameEncoder.server(frame)
        let delivery = Delivery(bytes: bytes, time: time)
        let head = bytes.count - frame.payload.count
        switch cuts {
        case .insideFrameHeads: return delivery.cut(before: Array(1...head))
        case .insideCharacters, .beforeLineEnds:
            return delivery.cut(before: places(in: frame).map { $0 + head })
        default: return body.push(delivery)
        }
    }

    /// Takes bytes that are no frame.
    package func push(stray bytes: [UInt8], at time: Int64) -> [Delivery] {
        body.push(Delivery(bytes: bytes, time: time))
    }

    /// Says that nothing follows for now: what was held.
    package func finish() -> [Delivery] { body.finish() }

    private func places(in frame: WebSocketFrame) -> [Int] {
        if frame.opcode.isControl { return [] }
        if frame.opcode != .continuation { isDeflated = frame.rsv1 }
        return isDeflated ? [] : text.places(in: frame.payload)
    }
}
