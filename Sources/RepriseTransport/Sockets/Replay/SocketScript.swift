internal import RepriseTape
internal import RepriseWire

/// What a recording has of a WebSocket behind its handshake: what the client said, and what the
/// server's side does when.
struct SocketScript: Sendable {
    /// What the client said.
    struct Said: Sendable {
        var saying: SocketSaying
        /// The number of its last frame.
        var frame: UInt64
        /// When that was sent.
        var time: Int64
    }

    /// Something of the server's side.
    struct Event: Sendable {
        /// What the observer is told; nil where the recorder died.
        var content: FrameContent?
        /// What the reader gets.
        var items: [WebSocketFrameDecoder.Item] = []
        /// When it happened.
        var time: Int64
        /// The number of its frame.
        var frame: UInt64
        /// How much of what the client said came before it.
        var needed: Int
    }

    /// What the client said, in order; neither pings and pongs nor what only keeps alive.
    private(set) var said: [Said] = []
    /// What the server's side does, in order; the end last.
    private(set) var events: [Event] = []
    /// How messages are deflated.
    let deflate: PerMessageDeflate?
    /// What kept it alive.
    private(set) var keptAlive = KeptAlive()
    /// Whether the server's messages go out as they were before they were deflated, for a client
    /// that cannot inflate.
    var isInflated = false

    private var frames = 0
    private var bytes = 0

    /// The script of a recorded exchange whose response has status 101.
    init(_ exchange: Recording.Exchange, _ recording: Recording, options: SocketOptions) {
        let headers = exchange.response?.headers ?? [:]
        deflate =
            (try? WebSocketAgreement(request: exchange.request.headers, response: headers))?
            .deflate
        var reader = SocketSayingReader(deflate: deflate, options: options)
        var decoder = WebSocketFrameDecoder(sender: .server, limits: options.limits)
        let opened = exchange.events.lastIndex { $0.content.kind == .response } ?? -1
        var hasStray = false
        var questions: [Int64] = []
        defer {
            keptAlive = KeptAlive(
                events, questions: questions, deflate: deflate, options: options)
        }
        var frames = SocketScript.serverFrames(exchange, deflate)[...]
        for event in exchange.events[(opened + 1)...] {
            switch event.content {
            case .socketFrame(let record) where record.sender == .client:
                let masks = recording.masks[event.frame] ?? []
                let count = reader.keepAlives
                defer { if reader.keepAlives > count { questions.append(event.time) } }
                if let saying = reader.take(record, masks: masks) {
                    said.append(Said(saying: saying, frame: event.frame, time: event.time))
                }
            case .socketFrame(let record): add(frames.popFirst() ?? record.frame, event)
            case .responseBody where isHidden(event, recording):
                add(hasStray ? [] : [hidden(exchange.end)].compactMap { $0 }, event)
                hasStray = true
            case .responseBody(let bytes):
                add(decoder.push(bytes), event)
                hasStray = true
            default: add([], event)
            }
            if event.content.kind == .end { return }
        }
        let last = exchange.events.last?.time ?? exchange.time
        events.append(Event(content: nil, time: last, frame: .max, needed: said.count))
    }

    /// The server's frames as on the wire, of which a tape may have some inflated.
    private static func serverFrames(
        _ exchange: Recording.Exchange, _ deflate: PerMessageDeflate?
    ) -> [WebSocketFrame] {
        let records = exchange.events.compactMap { event -> SocketFrameRecord? in
            guard case .socketFrame(let record) = event.content, record.sender == .server
            else { return nil }
            return record
        }
        return RecordedSocketFrames.frames(records, of: .server, deflate: deflate)
    }

    /// How it ended; nil where the recorder died.
    var end: EndRecord? {
        if case .end(let record) = events.last?.content { record } else { nil }
    }

    private mutating func add(_ frame: WebSocketFrame, _ event: Recording.Event) {
        let start = bytes
        bytes += WebSocketFrameEncoder.serverCount(frame)
        frames += 1
        var event = event
        event.content = .socketFrame(SocketFrameRecord(frame, from: .server))
        events.append(made(event, [.frame(frame, bytes: start..<bytes)]))
    }

    /// What is no frame is told by a decoder that has not seen the frames before it.
    private mutating func add(
        _ items: [WebSocketFrameDecoder.Item], _ event: Recording.Event
    ) {
        let moved = items.map { item -> WebSocketFrameDecoder.Item in
            switch item {
            case .frame(let frame, let range):
                return .frame(frame, bytes: range.lowerBound + bytes..<range.upperBound + bytes)
            case .violation(var violation):
                violation.frame += frames
                violation.offset = violation.offset.map { $0 + bytes }
                return .violation(violation)
            }
        }
        events.append(made(event, moved))
    }

    /// Whether what is no frame is masked from its first byte on.
    private func isHidden(_ event: Recording.Event, _ recording: Recording) -> Bool {
        recording.masks[event.frame]?.contains { $0.offset == 0 } == true
    }

    /// What was wrong with masked bytes, of which only the end tells.
    private func hidden(_ end: EndRecord?) -> WebSocketFrameDecoder.Item? {
        let name = end?.code.flatMap { WebSocketError.violationName(ofCode: $0) }
        guard let kind = name.flatMap({ WebSocketViolation.Kind(rawValue: $0) }) else { return nil }
        let offset = kind == .lengthBits ? 2 : 1
        return .violation(WebSocketViolation(kind, frame: 0, offset: offset))
    }

    private func made(
        _ event: Recording.Event, _ items: [WebSocketFrameDecoder.Item]
    ) -> Event {
        Event(
            content: event.content, items: items, time: event.time, frame: event.frame,
            needed: said.count)
    }
}
