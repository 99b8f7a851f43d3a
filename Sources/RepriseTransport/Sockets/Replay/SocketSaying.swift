internal import RepriseTape
package import RepriseWire

/// What a client said on a WebSocket, as far as a replay cares, and after masking.
package enum SocketSaying: Sendable {
    /// A message.
    case message(WebSocketMessage.Kind, MaskedText)
    /// A close frame.
    case close(WebSocketCloseCode?, reason: MaskedText)
    /// A message of which a recording does not have enough to be read; as good as any other.
    case unreadable

    /// What it is in a message for people.
    var name: String {
        switch self {
        case .message(.text, _): "a text message"
        case .message(.binary, _): "a binary message"
        case .close: "a close frame"
        case .unreadable: "a message"
        }
    }

    /// What it is where it is the one of that number, from 1.
    func title(_ number: Int) -> String {
        if case .close = self { "close frame" } else { "message \(number)" }
    }
}

/// Reads what a client said from its frames as a tape has them.
struct SocketSayingReader {
    /// A data frame of the message under way.
    private struct Part {
        var record: SocketFrameRecord
        var masks: [MaskedRecord]
        /// Whether its bytes are the message's though that was deflated.
        var isInflated: Bool { record.flags.contains(.inflated) }
    }

    private let reader: WebSocketReader
    private let isKeepAlive: @Sendable (WebSocketMessage) -> Bool
    private var parts: [Part] = []
    /// How many messages that only keep alive there were.
    private(set) var keepAlives = 0

    init(deflate: PerMessageDeflate?, options: SocketOptions) {
        reader = WebSocketReader(sender: .client, deflate: deflate, limits: options.limits)
        isKeepAlive = options.isKeepAlive
    }

    /// Takes the next frame.
    ///
    /// - Parameter masks: What of its payload on the tape is masked.
    /// - Returns: What it completes; nil for nothing, and for what neither gates nor is compared.
    mutating func take(_ record: SocketFrameRecord, masks: [MaskedRecord]) -> SocketSaying? {
        let events = reader.receive(record)
        guard !record.frame.opcode.isControl else { return closing(events, record, masks) }
        if record.frame.opcode != .continuation { parts = [] }
        parts.append(Part(record: record, masks: masks))
        guard record.frame.isFinal else { return nil }
        defer { parts = [] }
        for case .message(let message) in events {
            guard isKeepAlive(message) else { return .message(message.kind, masked(message)) }
            keepAlives += 1
            return nil
        }
        return .unreadable
    }

    private func closing(
        _ events: [WebSocketEvent], _ record: SocketFrameRecord, _ masks: [MaskedRecord]
    ) -> SocketSaying? {
        for case .close(let code, _) in events {
            // Behind the flags, the opcode and the code.
            let reason = MaskedText(Array(record.bytes.dropFirst(2)), masks: masks, base: 4)
            return .close(code, reason: reason)
        }
        return nil
    }

    /// A message with its masks. Those are in frames that are stored as what they say, and behind
    /// such a frame there is no other in a message: so they are found from the end.
    private func masked(_ message: WebSocketMessage) -> MaskedText {
        var end = message.bytes.count
        var found: [MaskedText] = []
        for part in parts.reversed() {
            let start = end - part.record.bytes.count
            guard start >= 0, part.isInflated || !message.isDeflated else { break }
            // Behind the flags and the opcode.
            let bytes = Array(message.bytes[start..<end])
            found.append(MaskedText(bytes, masks: part.masks, base: 2))
            end = start
        }
        return MaskedText(joining: [MaskedText(Array(message.bytes[..<end]))] + found.reversed())
    }
}
