import RepriseTape
import RepriseTransport
import RepriseWire

/// A recorded WebSocket, written by hand: what either side sent, one after the other.
struct ServedSocketTape {
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    var deflate: PerMessageDeflate?
    var frames: [(sender: WebSocketRole, frame: WebSocketFrame)]
    /// What came from the server behind the frames and is no frame.
    var stray: [UInt8] = []
    var end = EndRecord(how: .complete)
    /// How far apart what happened is: nanoseconds.
    var step: Int64 = 100

    /// The recording, at `/x`.
    func recording() throws -> Recording {
        var request: Headers = [
            "Host": "a.example", "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": Self.key, "Sec-WebSocket-Version": "13",
        ]
        var response: Headers = [
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Accept": WebSocketHandshake.accept(for: Self.key),
        ]
        if deflate != nil {
            request.append(
                "Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits")
            response.append("Sec-WebSocket-Extensions", "permessage-deflate")
        }
        var contents: [FrameContent] = [
            .request(
                RequestRecord(
                    transport: .websocket, method: "GET", url: "ws://a.example/x",
                    headers: request)),
            .requestEnd, .response(ResponseRecord(status: 101, headers: response)),
        ]
        contents += frames.map { .socketFrame(SocketFrameRecord($0.frame, from: $0.sender)) }
        if !stray.isEmpty { contents.append(.responseBody(stray)) }
        contents.append(.end(end))
        let session = SessionRecord(
            session: "00000000000000aa", wall: "2026-11-30T06:06:00Z", recorder: "reprise/0.1.0")
        var frames = [Frame(.session(session), exchange: 0, time: 0)]
        for (index, content) in contents.enumerated() {
            frames.append(
                Frame(content, exchange: 1, time: Int64(max(0, index - 1)) * step))
        }
        let lines = frames.flatMap { frame -> [UInt8] in
            TapeReader.Item.frame(frame).jsonLine + [10]
        }
        return try Recording(bytes: lines)
    }
}

extension WebSocketFrame {
    static func text(_ text: String) -> WebSocketFrame { WebSocketFrame(.text, Array(text.utf8)) }
}
