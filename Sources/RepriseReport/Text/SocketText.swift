internal import RepriseSupport
package import RepriseTape
package import RepriseWire

/// A WebSocket as its frames are shown: each with what it says, once it is whole and inflated.
package struct SocketText {
    private let client: WebSocketReader
    private let server: WebSocketReader
    private let agreement: WebSocketAgreement
    private let bytes: ([UInt8]) -> String
    private let quoted: (String) -> String

    /// A socket whose handshake was answered so; whatever is wrong with that, the frames are read.
    ///
    /// - Parameters:
    ///   - bytes: Shows what a side said, with its size.
    ///   - quoted: Shows why a side closed.
    package init(
        request: Headers, response: Headers, bytes: @escaping ([UInt8]) -> String,
        quoted: @escaping (String) -> String = { $0 }
    ) {
        self.bytes = bytes
        self.quoted = quoted
        agreement =
            (try? WebSocketAgreement(request: request, response: response)) ?? WebSocketAgreement()
        client = WebSocketReader(sender: .client, deflate: agreement.deflate)
        server = WebSocketReader(sender: .server, deflate: agreement.deflate)
    }

    /// What the handshake agreed on.
    package var terms: String {
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

    /// Takes the next frame: the words for it, and what it completes.
    package func read(_ record: SocketFrameRecord) -> (text: String, events: [WebSocketEvent]) {
        let reader = record.sender == .client ? client : server
        let events = reader.receive(record)
        let size = Counted.text(record.bytes.count, "byte")
        var words = SocketText.head(record) + events.map { text($0, size) }
        if !events.contains(where: \.isWhole) { words.append(size) }
        return (words.joined(separator: ", "), events)
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

    private func text(_ event: WebSocketEvent, _ size: String) -> String {
        switch event {
        case .message(let message):
            // The frames of the message, and control frames between them.
            if message.frames.count > 1 { return "\(size), the whole message \(text(message))" }
            return message.isDeflated ? "\(size), inflated \(text(message))" : text(message)
        case .ping(let payload), .pong(let payload): return bytes(payload)
        case .close(let code, let reason):
            let code = code.map { "code \($0)" } ?? "no code"
            return reason.isEmpty ? code : "\(code)  \(quoted(reason))"
        case .violation(let violation):
            let detail = violation.detail.isEmpty ? "" : " (\(violation.detail))"
            return "wrong: \(violation.summary)\(detail)"
        case .unreadable: return "\(size), which refer to a message that did not inflate"
        }
    }

    private func text(_ message: WebSocketMessage) -> String {
        message.kind == .text
            ? bytes(message.bytes) : Counted.text(message.bytes.count, "byte")
    }
}

extension WebSocketEvent {
    /// Whether its words have the frame's size, or stand for it.
    fileprivate var isWhole: Bool { if case .violation = self { false } else { true } }
}
