internal import RepriseTape
internal import RepriseWire

/// Puts other ids into the places of recorded ones in the messages of a recorded server, also
/// across their frames, and inflates them for a client that cannot.
///
/// A deflated message that has any id goes out inflated, and so do those behind it, which may refer
/// to it; one that does not inflate stays as it was.
struct SocketRewriter {
    /// A message: where its frames are, and what they say.
    private struct Message {
        var positions: [Int] = []
        var plain: [[UInt8]] = []
        var isDeflated = false
        var isReadable = true
    }

    /// How many bytes a frame may inflate to.
    private static let limit = 64 << 20

    private let script: SocketScript
    /// By the place of their first frames, once there is an id.
    private var messages: [Int: Message]?
    /// What frames say now, by their places.
    private var renamed: [Int: [UInt8]] = [:]
    private var isInflating: Bool

    init(_ script: SocketScript) {
        self.script = script
        isInflating = script.isInflated
    }

    /// The event at that place as it is to be played.
    mutating func event(at position: Int, _ ids: TokenReplacement) -> SocketScript.Event {
        let event = script.events[position]
        guard !ids.isEmpty || isInflating || !renamed.isEmpty,
            case .socketFrame(let record) = event.content
        else { return event }
        let messages = messages ?? SocketRewriter.messages(of: script)
        self.messages = messages
        if let message = messages[position] { begin(message, ids) }
        guard let payload = renamed.removeValue(forKey: position) else { return event }
        var frame = record.frame
        frame.payload = payload
        frame.rsv1 = false
        var changed = event
        changed.content = .socketFrame(SocketFrameRecord(frame, from: .server))
        changed.items = event.items.map { item in
            if case .frame(_, let bytes) = item { .frame(frame, bytes: bytes) } else { item }
        }
        return changed
    }

    private mutating func begin(_ message: Message, _ ids: TokenReplacement) {
        guard message.isReadable else { return }
        let pieces = ids.applied(to: message.plain)
        if pieces != nil, message.isDeflated { isInflating = true }
        guard let pieces = pieces ?? (message.isDeflated && isInflating ? message.plain : nil)
        else { return }
        for (position, piece) in zip(message.positions, pieces) { renamed[position] = piece }
    }

    private static func messages(of script: SocketScript) -> [Int: Message] {
        let inflater = script.deflate?.inflater(of: .server)
        var messages: [Int: Message] = [:]
        var message = Message()
        for (position, event) in script.events.enumerated() {
            guard case .socketFrame(let record) = event.content,
                !record.frame.opcode.isControl
            else { continue }
            let frame = record.frame
            if frame.opcode != .continuation {
                message = Message()
                message.isDeflated = frame.rsv1 && inflater != nil
            }
            message.positions.append(position)
            let plain =
                message.isDeflated ? inflater.flatMap { inflated(frame, $0) } : frame.payload
            message.plain.append(plain ?? [])
            message.isReadable = message.isReadable && plain != nil
            if let first = message.positions.first { messages[first] = message }
        }
        return messages
    }

    private static func inflated(_ frame: WebSocketFrame, _ inflater: MessageInflater) -> [UInt8]? {
        var plain: [UInt8] = []
        do throws(MessageInflater.Fault) {
            try inflater.push(frame.payload, into: &plain, limit: limit)
            if frame.isFinal { try inflater.finish(into: &plain, limit: limit) }
        } catch {
            inflater.abandon()
            return nil
        }
        return plain
    }
}
