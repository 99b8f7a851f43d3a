internal import RepriseReport
internal import RepriseSupport
internal import RepriseTape
package import RepriseTransport
internal import RepriseWire

/// A recording as a person reads it: one line a frame, with its time, exchange and content.
package struct Timeline {
    /// The lines, each ended.
    package let text: String

    /// As much of a line as shows what a message says behind what it says of itself.
    private static let limit = 480

    package init(_ recording: Recording, name: String) {
        var lines = ["\(name): \(Counted.text(recording.frames.count, "frame"))"]
        lines += recording.damages.map { "damage: \($0)" }
        var sockets: [UInt64: Socket] = [:]
        for frame in recording.frames {
            guard let content = try? frame.content(),
                let words = Timeline.words(content, &sockets[frame.exchange])
            else { continue }
            let shown =
                words.count <= Timeline.limit ? words : words.prefix(Timeline.limit - 1) + "…"
            let exchange = frame.exchange == 0 ? "" : "\(frame.exchange)"
            lines.append(
                Timeline.padded(Timeline.milliseconds(frame.time), 14)
                    + Timeline.padded(exchange, 5) + "  " + shown)
        }
        text = lines.map { $0 + "\n" }.joined()
    }

    /// A WebSocket, from its request on.
    private struct Socket {
        let request: Headers
        var text: SocketText?
    }

    private static func words(_ content: FrameContent, _ socket: inout Socket?) -> String? {
        switch content {
        case .request(let record) where record.transport == .websocket:
            socket = Socket(request: record.headers)
        case .response(let record) where record.status == 101:
            if let request = socket?.request { socket?.text = told(request, record.headers) }
        case .socketFrame(let record):
            let text = socket?.text ?? told([:], [:])
            return (record.sender == .server ? "← " : "→ ") + "frame " + text.read(record).text
        case .end: socket = nil
        default: break
        }
        return words(content)
    }

    private static func told(_ request: Headers, _ response: Headers) -> SocketText {
        SocketText(request: request, response: response, bytes: shown, quoted: shown)
    }

    private static func words(_ content: FrameContent) -> String? {
        switch content {
        case .session(let record): "session \(record.session), \(record.wall)"
        case .client(let record): "client \(record.client)"
        case .call(let record):
            "call \(record.call) "
                + (record.op.map { "\($0) \(record.args?.serialized ?? "")" } ?? outcome(record))
        case .tool(let record): "tool \(record.name) \(record.state.rawValue)"
        case .note(let text): "note " + shown(text)
        case .request(let record): "→ \(record.method) \(record.url)"
        case .requestBody(let bytes): "→ " + shown(bytes)
        case .response(let record): "← \(record.status)"
        case .responseBody(let bytes), .decodedBody(let bytes): "← " + shown(bytes)
        case .end(let record):
            "■ \(record.how.rawValue)" + (record.code.map { " \($0)" } ?? "")
        default: nil
        }
    }

    private static func outcome(_ record: CallRecord) -> String {
        if let error = record.error { return "failed: \(error.serialized)" }
        return "done \(record.result?.serialized ?? "")"
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        let count = Counted.text(bytes.count, "byte")
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.isEmpty else {
            return count
        }
        return "\(count)  " + shown(text)
    }

    /// A text on one line.
    private static func shown(_ text: String) -> String { JSON.string(text).serialized }

    private static func milliseconds(_ time: Int64) -> String {
        let micros = time.magnitude / 1_000
        let fraction = String(micros % 1_000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        return "\(time < 0 ? "-" : "")\(micros / 1_000).\(zeros)\(fraction) ms"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
