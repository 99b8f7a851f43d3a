/// Reads the frames of one side of a WebSocket (RFC 6455 sections 5.4 to 5.6, 7.1 and 8.1, RFC 7692
/// section 6): live, or from a recording, where each side has a reader of its own.
///
/// It goes on behind a violation as far as that makes sense. The frames of a tape are given as their
/// records, since some may be stored inflated. Not thread-safe.
public final class WebSocketReader {
    /// Which end sends the frames.
    public let sender: WebSocketRole
    /// How many frames ended.
    public internal(set) var frames = 0
    /// Whether the side closed.
    public internal(set) var hasClosed = false

    let limits: WebSocketLimits
    let inflater: MessageInflater?
    /// The message whose last frame did not come yet.
    var message: OpenMessage?
    var part: FramePart?
    var events: [WebSocketEvent] = []

    /// What is known of the frame under way.
    enum FramePart {
        /// Not looked at: something is wrong with its head.
        case skipped
        case control
        /// How many bytes of its payload are in the message.
        case data(taken: Int)
    }

    /// A reader of the frames of `sender`.
    ///
    /// - Parameter deflate: What the handshake agreed on; nil where messages may not be deflated.
    public init(
        sender: WebSocketRole, deflate: PerMessageDeflate?,
        limits: WebSocketLimits = WebSocketLimits()
    ) {
        self.sender = sender
        self.limits = limits
        inflater = deflate?.inflater(of: sender)
    }

    /// Takes the next frame.
    public func receive(_ frame: WebSocketFrame) -> [WebSocketEvent] {
        take(frame, isInflated: false)
        return end(frame)
    }

    /// Takes the next frame, of which a recording has what its payload inflates to.
    ///
    /// What follows in the message, and where windows are kept all that is deflated later, can be
    /// read only if it is inflated as well: the window it refers to is not known any more.
    ///
    /// - Parameter isCorrupt: Whether what was sent did not inflate beyond that.
    package func receive(
        inflated frame: WebSocketFrame, isCorrupt: Bool = false
    ) -> [WebSocketEvent] {
        take(frame, isInflated: true)
        if isCorrupt, case .data = part { failInflated() }
        return end(frame)
    }

    private func end(_ frame: WebSocketFrame) -> [WebSocketEvent] {
        switch part {
        case .control: endControl(frame)
        case .data: if frame.isFinal { endMessage() }
        case .skipped, nil: break
        }
        part = nil
        frames += 1
        return takeEvents()
    }

    /// Takes the beginning of the next frame, of which more or the whole is to follow, and gives
    /// the violations that are certain already. Bytes that were given before are not read again.
    public func receive(partial frame: WebSocketFrame) -> [WebSocketEvent] {
        take(frame, isInflated: false)
        return takeEvents()
    }

    /// Says that no frame follows.
    public func finish() -> [WebSocketEvent] {
        if !hasClosed { violate(.closeMissing, detail: message == nil ? "" : "within a message") }
        hasClosed = true
        return takeEvents()
    }

    private func take(_ frame: WebSocketFrame, isInflated: Bool) {
        if part == nil { part = open(frame, isInflated: isInflated) }
        switch part {
        case .control where frame.payload.count > 125:
            violate(.controlTooLong)
            part = .skipped
        case .data(let taken):
            part = .data(taken: frame.payload.count)
            if taken == 0 { choose(isInflated: isInflated) }
            append(frame.payload, from: taken)
        case .control, .skipped, nil: break
        }
    }

    private func takeEvents() -> [WebSocketEvent] {
        defer { events = [] }
        return events
    }

    func violate(
        _ kind: WebSocketViolation.Kind, offset: Int? = nil, detail: String = ""
    ) {
        events.append(
            .violation(WebSocketViolation(kind, frame: frames, offset: offset, detail: detail)))
    }
}
