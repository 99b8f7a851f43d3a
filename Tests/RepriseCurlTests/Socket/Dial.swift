import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire

/// A request for a WebSocket, and what came of it.
struct Dial {
    /// A handshake that asks for nothing but a WebSocket.
    static let headers: Headers = [
        "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ]

    /// A server's yes to it.
    static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    var response: SocketResponse?
    var error: TransportError?
    let witness: Witness

    var end: EndRecord? { witness.end }

    var channel: (any SocketChannel)? {
        if case .switched(let channel)? = response?.outcome { channel } else { nil }
    }

    var body: ResponseBody? {
        if case .refused(let body)? = response?.outcome { body } else { nil }
    }

    static func make(
        _ url: String, headers: Headers = Self.headers, timeouts: Timeouts = Timeouts(),
        limits: WebSocketLimits = WebSocketLimits(), witness: Witness = Witness(),
        through transport: CurlTransport = .direct
    ) async -> Dial {
        var dial = Dial(witness: witness)
        do throws(TransportError) {
            dial.response = try await transport.connect(
                Request(method: "GET", url: url, headers: headers, timeouts: timeouts),
                options: SocketOptions(limits: limits), observer: witness)
        } catch {
            dial.error = error
        }
        return dial
    }
}

extension SocketDelivery {
    var frame: WebSocketFrame? { if case .frame(let frame, _) = item { frame } else { nil } }

    var violation: WebSocketViolation? {
        if case .violation(let violation) = item { violation } else { nil }
    }

    var text: String? { frame.map { String(decoding: $0.payload, as: UTF8.self) } }
}

extension Witness {
    /// The frames of one side, with their times.
    func frames(of sender: WebSocketRole) -> [(frame: WebSocketFrame, time: Int64)] {
        entries.compactMap { entry in
            guard case .socketFrame(let record) = entry.content, record.sender == sender
            else { return nil }
            return (record.frame, entry.time)
        }
    }
}

extension WebSocketFrame {
    static func text(_ text: String) -> WebSocketFrame { WebSocketFrame(.text, Array(text.utf8)) }

    var served: [UInt8] { WebSocketFrameEncoder.server(self) }

    /// The frames in the bytes of a client.
    static func all(ofClient bytes: [UInt8]) -> [WebSocketFrame] {
        var decoder = WebSocketFrameDecoder(sender: .client)
        return decoder.push(bytes).compactMap { item in
            if case .frame(let frame, _) = item { frame } else { nil }
        }
    }
}
