public import RepriseWire

extension SocketFrameRecord {
    /// Records a frame of `sender`.
    public init(_ frame: WebSocketFrame, from sender: WebSocketRole) {
        var flags: Flags = sender == .server ? .fromServer : []
        if frame.isFinal { flags.insert(.fin) }
        if frame.rsv1 { flags.insert(.rsv1) }
        if frame.rsv2 { flags.insert(.rsv2) }
        if frame.rsv3 { flags.insert(.rsv3) }
        self.init(flags: flags, opcode: frame.opcode.rawValue, bytes: frame.payload)
    }

    /// The frame.
    public var frame: WebSocketFrame {
        WebSocketFrame(
            WebSocketFrame.Opcode(rawValue: opcode), bytes, isFinal: flags.contains(.fin),
            rsv1: flags.contains(.rsv1), rsv2: flags.contains(.rsv2),
            rsv3: flags.contains(.rsv3))
    }

    /// Which end sent it.
    public var sender: WebSocketRole { flags.contains(.fromServer) ? .server : .client }
}
