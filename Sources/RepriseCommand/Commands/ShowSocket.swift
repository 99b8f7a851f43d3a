internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// A WebSocket as its frames are shown: each with what it says, once it is whole and inflated.
struct ShowSocket {
    private let client: WebSocketReader
    private let server: WebSocketReader
    /// What was agreed on, for the line of the handshake.
    let agreement: WebSocketAgreement

    /// A socket whose handshake was answered so; whatever is wrong with that, the frames are read.
    init(request: Headers, response: Headers) {
        agreement =
            (try? WebSocketAgreement(request: request, response: response)) ?? WebSocketAgreement()
        client = WebSocketReader(sender: .client, deflate: agreement.deflate)
        server = WebSocketReader(sender: .server, deflate: agreement.deflate)
    }

    /// What the handshake agreed on.
    var terms: String {
        let terms = [
            agreement.subprotocol.map { "subprotocol \($0)" },
            agreement.deflate.map { deflate in
                let bits = [deflate.clientMaxWindowBits, deflate.serverMaxWindowBits]
                let windows = bits.map { "2^\($0)" }.joined(separator: " and ")
                return PerMessageDeflate.name
                    + (bits == [15, 15] ? "" : ", windows of \(windows) bytes")
            },
        ]
        return terms.compactMap(\.self).map { ", \($0)" }.joined()
    }

    /// The words for a frame.
    func text(_ record: SocketFrameRecord) -> String {
        let reader = record.sender == .client ? client : server
        var words = ShowSocket.head(record)
        let size = Counted.text(record.bytes.count, "byte")
        var isTold = false
        for event in reader.receive(record) {
            isTold = isTold || event.isWhole
            words.append(ShowSocket.text(event, record, size))
        }
        if !isTold { words.append(size) }
        return words.joined(separator: ", ")
    }

    private static func head(_ record: SocketFrameRecord) -> [String] {
        let names: [UInt8: String] = [
            0: "continuation", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong",
        ]
        var words = [names[record.opcode] ?? "opcode \(record.opcode)"]
        if !record.flags.contains(.fin) { words.append("not the last") }
        if record.flags.contains(.rsv1) { words.append("deflated") }
        if record.flags.contains(.inflated) { words.append("stored inflated") }
        if record.flags.contains(.corrupt) { words.append("corrupt behind it") }
        return words
    }

    private static func text(
        _ event: WebSocketEvent, _ record: SocketFrameRecord, _ size: String
    ) -> String {
        switch event {
        case .message(let message):
            // The frames of the message, and control frames between them.
            if message.frames.count > 1 { return "\(size), the whole message \(text(message))" }
            return message.isDeflated ? "\(size), inflated \(text(message))" : text(message)
        case .ping(let payload), .pong(let payload): return ShowText.bytes(payload)
        case .close(let code, let reason):
            let code = code.map { "code \($0)" } ?? "no code"
            return reason.isEmpty ? code : "\(code)  \(reason)"
        case .violation(let violation):
            let detail = violation.detail.isEmpty ? "" : " (\(violation.detail))"
            return "wrong: \(violation.summary)\(detail)"
        case .unreadable: return "\(size), which refer to a message that did not inflate"
        }
    }

    private static func text(_ message: WebSocketMessage) -> String {
        message.kind == .text
            ? ShowText.bytes(message.bytes) : Counted.text(message.bytes.count, "byte")
    }
}

extension WebSocketEvent {
    /// Whether its words have the frame's size, or stand for it.
    fileprivate var isWhole: Bool { if case .violation = self { false } else { true } }
}
