import RepriseAnalysis
import RepriseSession
import RepriseTape
import RepriseWire

/// A recording of WebSockets whose frames two real ends make.
struct SocketScene {
    var recording: Recording
    private var client: [Int: WebSocketEndpoint] = [:]
    private var server: [Int: WebSocketEndpoint] = [:]

    init(_ recording: Recording = Recording(client: nil)) { self.recording = recording }

    static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    /// A handshake: the request at `time`, the answer 5 ms later.
    mutating func open(
        _ exchange: Int = 1, at time: Double = 0, deflate: PerMessageDeflate? = PerMessageDeflate()
    ) {
        let handshake = WebSocketHandshake(nonce: [UInt8](repeating: 7, count: 16))
        guard
            let answer = try? WebSocketHandshake.answer(
                method: "GET", headers: handshake.requestHeaders, deflate: deflate),
            let agreement = try? handshake.validate(status: 101, headers: answer.headers)
        else { return }
        recording.upgrade(exchange, at: time, handshake.requestHeaders)
        recording.switched(exchange, at: time + 5, answer.headers)
        client[exchange] = WebSocketEndpoint(role: .client, agreement: agreement)
        server[exchange] = WebSocketEndpoint(role: .server, agreement: agreement)
    }

    /// A message of an end, and what its peer answers 1 ms later.
    mutating func send(
        _ text: String, from role: WebSocketRole = .server, _ exchange: Int = 1, at time: Double,
        deflated: Bool = true, frameBytes: Int? = nil
    ) {
        let frames = try? end(role, exchange)?.send(
            text: Array(text.utf8), deflated: deflated, frameBytes: frameBytes)
        deliver(frames ?? [], from: role, exchange, at: time)
    }

    mutating func ping(from role: WebSocketRole, _ exchange: Int = 1, at time: Double) {
        guard let frame = try? end(role, exchange)?.send(ping: [1, 2]) else { return }
        deliver([frame], from: role, exchange, at: time)
    }

    mutating func close(
        from role: WebSocketRole = .client, _ exchange: Int = 1, at time: Double,
        code: WebSocketCloseCode? = .normal, reason: String = ""
    ) {
        guard let frame = try? end(role, exchange)?.send(close: code, reason: reason) else {
            return
        }
        deliver([frame], from: role, exchange, at: time)
        recording.end(exchange, at: time + 2)
    }

    private func end(_ role: WebSocketRole, _ exchange: Int) -> WebSocketEndpoint? {
        role == .client ? client[exchange] : server[exchange]
    }

    private mutating func deliver(
        _ frames: [WebSocketFrame], from role: WebSocketRole, _ exchange: Int, at time: Double
    ) {
        for frame in frames {
            recording.frame(exchange, at: time, SocketFrameRecord(frame, from: role))
            let replies = end(role.peer, exchange)?.receive(frame).replies ?? []
            if !replies.isEmpty { deliver(replies, from: role.peer, exchange, at: time + 1) }
        }
    }
}

extension Recording {
    mutating func upgrade(
        _ exchange: Int, at time: Double, _ headers: Headers = [:],
        url: JSON = "wss://chat.example.com/"
    ) {
        add(
            "request", exchange, time,
            [
                "transport": "websocket", "method": "GET", "url": url,
                "headers": Recording.json(headers),
            ])
        add("requestEnd", exchange, time)
    }

    mutating func switched(
        _ exchange: Int, at time: Double, _ headers: Headers = [:], status: JSON = 101
    ) {
        add(
            "response", exchange, time,
            ["status": status, "version": "1.1", "headers": Recording.json(headers)])
    }

    mutating func frame(_ exchange: Int, at time: Double, _ record: SocketFrameRecord) {
        var fields: JSONObject = [
            "from": .string(record.sender.rawValue), "opcode": .integer(record.opcode),
            "fin": .bool(record.flags.contains(.fin)),
        ]
        for (name, flag) in [
            ("rsv1", SocketFrameRecord.Flags.rsv1), ("rsv2", .rsv2), ("rsv3", .rsv3),
            ("inflated", .inflated), ("corrupt", .corrupt),
        ] where record.flags.contains(flag) {
            fields[name] = true
        }
        fields["base64"] = .string(base64(record.bytes))
        add("socketFrame", exchange, time, fields)
    }

    /// A frame that no end would make.
    mutating func frame(
        _ exchange: Int = 1, at time: Double, _ opcode: WebSocketFrame.Opcode,
        _ payload: [UInt8] = [], from role: WebSocketRole = .server, isFinal: Bool = true,
        rsv1: Bool = false, rsv2: Bool = false
    ) {
        let frame = WebSocketFrame(opcode, payload, isFinal: isFinal, rsv1: rsv1, rsv2: rsv2)
        self.frame(exchange, at: time, SocketFrameRecord(frame, from: role))
    }

    /// A deflated message of the server, as a tape has it for a secret in it.
    mutating func inflated(
        at time: Double, _ payload: [UInt8], flags: SocketFrameRecord.Flags = []
    ) {
        frame(
            1, at: time,
            SocketFrameRecord(
                flags: flags.union([.fromServer, .fin, .rsv1, .inflated]), opcode: 1,
                bytes: payload))
    }

    static func json(_ headers: Headers) -> JSON {
        .array(
            headers.fields.map { [.string($0.name.description), .string($0.value.description)] })
    }
}

/// Base64, by hand: the tests need no Foundation for it.
func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let part = bytes[start..<min(start + 3, bytes.count)]
        let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
        for place in 0..<4 {
            text.append(place <= part.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
        }
    }
    return text
}
