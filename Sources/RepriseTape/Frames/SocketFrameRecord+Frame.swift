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

    /// The frame, whose payload may be inflated, unlike on the wire: see ``Flags/inflated``.
    public var frame: WebSocketFrame {
        WebSocketFrame(
            WebSocketFrame.Opcode(rawValue: opcode), bytes, isFinal: flags.contains(.fin),
            rsv1: flags.contains(.rsv1), rsv2: flags.contains(.rsv2),
            rsv3: flags.contains(.rsv3))
    }

    /// Which end sent it.
    public var sender: WebSocketRole { flags.contains(.fromServer) ? .server : .client }
}

extension WebSocketReader {
    /// Takes the next frame of a tape, of the reader's side: inflates what is stored as on the wire,
    /// and takes as it is what is stored inflated.
    public func receive(_ record: SocketFrameRecord) -> [WebSocketEvent] {
        guard record.flags.contains(.inflated) else { return receive(record.frame) }
        return receive(
            inflated: record.frame, isCorrupt: record.flags.contains(.corrupt))
    }
}
