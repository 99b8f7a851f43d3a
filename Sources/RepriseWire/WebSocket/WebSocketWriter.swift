/// Makes the frames of one side of a WebSocket (RFC 6455 section 6.1, RFC 7692 section 7.2.1).
/// Not thread-safe.
public final class WebSocketWriter {
    /// Which end sends the frames.
    public let sender: WebSocketRole
    private let deflater: MessageDeflater?

    /// A writer of the frames of `sender`.
    ///
    /// - Parameter deflate: What the handshake agreed on; nil where messages may not be deflated.
    public init(sender: WebSocketRole, deflate: PerMessageDeflate?) {
        self.sender = sender
        deflater = deflate?.deflater(of: sender)
    }

    /// The frames of a message.
    ///
    /// - Parameters:
    ///   - opcode: `text` or `binary`.
    ///   - deflated: Whether to deflate it, where that was agreed on.
    ///   - frameBytes: How many bytes of payload a frame may have; nil for one frame.
    public func message(
        _ opcode: WebSocketFrame.Opcode, _ bytes: [UInt8], deflated: Bool = true,
        frameBytes: Int? = nil
    ) -> [WebSocketFrame] {
        let deflater = deflated ? deflater : nil
        let payload = deflater?.message(bytes) ?? bytes
        let size = max(1, frameBytes ?? payload.count)
        guard payload.count > size else {
            return [WebSocketFrame(opcode, payload, rsv1: deflater != nil)]
        }
        return stride(from: 0, to: payload.count, by: size).map { start in
            let end = start + min(size, payload.count - start)
            return WebSocketFrame(
                start == 0 ? opcode : .continuation, Array(payload[start..<end]),
                isFinal: end == payload.count, rsv1: start == 0 && deflater != nil)
        }
    }

    /// A close frame.
    ///
    /// - Parameter reason: Cut to 123 bytes, between characters.
    public static func close(_ code: WebSocketCloseCode?, reason: String = "") -> WebSocketFrame {
        guard let code else { return WebSocketFrame(.close) }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for character in reason.unicodeScalars {
            let encoded = UTF8.encode(character) ?? UTF8.encodedReplacementCharacter
            guard payload.count + encoded.count <= 125 else { break }
            payload.append(contentsOf: encoded)
        }
        return WebSocketFrame(.close, payload)
    }
}
