import RepriseTape
import RepriseTransport
import RepriseWire

/// A recorded WebSocket, written by hand.
struct SocketTape {
    /// What the handshake's response says besides what it has to.
    var responseHeaders = ""
    var status = 101
    var x = 1
    var call: Int?
    var path = "/ws"
    /// When the request started; the response came 10 later.
    var start = 0
    /// The lines behind the response.
    var lines: [String] = []
    var end: String? = #""how":"complete""#
    var endTime = 900

    /// The exchange in JSONL form.
    var text: String {
        let call = call.map { "\"call\":\($0)," } ?? ""
        var text = [
            """
            {"kind":"request","x":\(x),"t":\(start),\(call)"transport":"websocket","method":"GET",\
            "url":"wss://a.example\(path)","headers":[["Host","a.example"],\
            ["Origin","https://app.example"],["Upgrade","websocket"],["Connection","Upgrade"],\
            ["Sec-WebSocket-Key","dGhlIHNhbXBsZSBub25jZQ=="],["Sec-WebSocket-Version","13"],\
            ["Sec-WebSocket-Extensions","permessage-deflate; client_max_window_bits"]]}
            """,
            #"{"kind":"requestEnd","x":\#(x),"t":\#(start + 1)}"#,
            """
            {"kind":"response","x":\(x),"t":\(start + 10),"status":\(status),"version":"1.1",\
            "headers":[["Upgrade","websocket"],["Connection","Upgrade"],\
            ["Sec-WebSocket-Accept","s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]\(responseHeaders)]}
            """,
        ]
        text += lines
        if let end { text.append(#"{"kind":"end","x":\#(x),"t":\#(endTime),\#(end)}"#) }
        return text.joined(separator: "\n") + "\n"
    }

    /// Adds a frame.
    mutating func add(
        _ sender: WebSocketRole, _ frame: WebSocketFrame, at time: Int
    ) {
        let name =
            switch frame.opcode {
            case .continuation: "continuation"
            case .text: "text"
            case .binary: "binary"
            case .close: "close"
            case .ping: "ping"
            default: "pong"
            }
        let bytes = WireText(bytes: frame.payload).json["base64"]?.string
        let payload =
            bytes.map { #""base64":"\#($0)""# }
            ?? #""text":\#(JSON.string(String(decoding: frame.payload, as: UTF8.self)).serialized)"#
        lines.append(
            """
            {"kind":"socketFrame","x":\(x),"t":\(time),"from":"\(sender.rawValue)",\
            "fin":\(frame.isFinal),"rsv1":\(frame.rsv1),"opcode":"\(name)",\(payload)}
            """)
    }

    /// An exchange with frames, 100 apart from 100 on.
    init(_ frames: [(WebSocketRole, WebSocketFrame)], end: String? = #""how":"complete""#) {
        for (index, frame) in frames.enumerated() { add(frame.0, frame.1, at: 100 * (index + 1)) }
        self.end = end
    }

    /// A replay of these.
    static func replay(_ tapes: SocketTape..., other: String = "") throws -> ReplayTransport {
        let transport = ReplayTransport(
            recording: try recording(tapes.map(\.text).joined() + other))
        transport.waitLimit = 10_000_000
        return transport
    }
}

extension ReplayTransport {
    /// Opens the WebSocket that is recorded here.
    func open(
        _ path: String = "/ws", call: UInt64? = nil, options: SocketOptions = SocketOptions(),
        observer: (any ExchangeObserver)? = nil
    ) async throws(WebSocketError) -> WebSocket {
        var request = socketRequest
        request.url = "wss://a.example\(path)"
        request.call = call
        return try await WebSocket.open(
            request, options: options, over: self, observer: observer)
    }
}
