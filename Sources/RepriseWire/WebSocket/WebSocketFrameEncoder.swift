/// Writes frames (RFC 6455 section 5.2), lengths in their shortest form.
public enum WebSocketFrameEncoder {
    /// The bytes of a frame of a client.
    ///
    /// - Parameter mask: The masking key, drawn anew for each frame from a strong source (RFC 6455
    ///   section 5.3); its highest byte goes first.
    public static func client(_ frame: WebSocketFrame, mask: UInt32) -> [UInt8] {
        var bytes = head(frame, maskBit: 0x80)
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: mask >> UInt32(shift)))
        }
        var mask = mask
        bytes.append(frame.payload.span, frame.payload.indices, mask: &mask)
        return bytes
    }

    /// The bytes of a frame of a server.
    public static func server(_ frame: WebSocketFrame) -> [UInt8] {
        head(frame, maskBit: 0) + frame.payload
    }

    /// How many bytes a frame of a server has.
    package static func serverCount(_ frame: WebSocketFrame) -> Int {
        2 + lengthBytes(frame.payload.count) + frame.payload.count
    }

    /// How many bytes a length has behind the first two of a head.
    private static func lengthBytes(_ count: Int) -> Int {
        count < 126 ? 0 : count < 65_536 ? 2 : 8
    }

    private static func head(_ frame: WebSocketFrame, maskBit: UInt8) -> [UInt8] {
        let count = frame.payload.count
        var first = frame.opcode.rawValue
        if frame.isFinal { first |= 0x80 }
        if frame.rsv1 { first |= 0x40 }
        if frame.rsv2 { first |= 0x20 }
        if frame.rsv3 { first |= 0x10 }
        let form = lengthBytes(count)
        let marker = form == 0 ? UInt8(count) : form == 2 ? 126 : 127
        var bytes = [first, maskBit | marker]
        bytes.reserveCapacity(14 + count)
        for byte in (0..<form).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: count >> (8 * byte)))
        }
        return bytes
    }
}
