internal import RepriseTape
internal import RepriseWire

/// Something of a WebSocket's server as it is on the wire, and what a reader makes of it.
struct SocketPiece: FaultItem {
    /// A frame, or what is wrong with the bytes; nil for those of a frame that is cut off.
    var item: WebSocketFrameDecoder.Item?
    /// The bytes, where they are no whole frame.
    var stray: [UInt8]
    let time: Int64

    init(_ item: WebSocketFrameDecoder.Item?, stray: [UInt8] = [], time: Int64) {
        self.item = item
        self.stray = stray
        self.time = time
    }

    /// The frame; nil where it is none.
    var frame: WebSocketFrame? {
        if case .frame(let frame, _) = item { frame } else { nil }
    }

    /// How it is on the wire.
    var bytes: [UInt8] { frame.map { WebSocketFrameEncoder.server($0) } ?? stray }

    /// How many bytes it has on the wire.
    var wireCount: Int { frame.map { WebSocketFrameEncoder.serverCount($0) } ?? stray.count }

    /// What an observer is told of it; nil for nothing.
    var content: FrameContent? {
        if let frame { return .socketFrame(SocketFrameRecord(frame, from: .server)) }
        return stray.isEmpty ? nil : .responseBody(stray)
    }
}
