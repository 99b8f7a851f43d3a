/// One end of a WebSocket as a state machine on frames (RFC 6455 sections 5 to 7): what to tell the
/// application, what to answer the peer, when to disconnect.
///
/// It holds no clock and does no input or output: its driver sends the replies in order, disconnects
/// when told to, and limits how long it waits for a peer's close. Not thread-safe.
public final class WebSocketEndpoint {
    /// Where the connection is in its life.
    public enum State: Sendable, Hashable {
        /// Both sides may send. Left by ``send(close:reason:)`` to `closing`, by the peer's close
        /// to `closed`, by a violation to `failed`.
        case open
        /// This end sent its close frame, the peer did not. Messages still come in. Left by the
        /// peer's close to `closed`, by a violation to `failed`.
        case closing
        /// Both sides sent their close frames.
        case closed
        /// The peer broke the protocol, or ended without closing; this end said why in its close
        /// frame, where it had sent none before.
        case failed
    }

    /// What to do with the transport, after the replies.
    public enum Disconnection: Sendable, Hashable {
        /// Keep it.
        case none
        /// Read on, drop what comes, and wait for the peer to disconnect, but not for long: the
        /// server goes first (RFC 6455 section 7.1.1).
        case awaitPeer
        /// Disconnect. Where bytes may still come, shut the sending side first and read to the
        /// end, lest they turn the close frame on its way into a reset.
        case now
    }

    /// What follows from something received.
    public struct Step: Sendable, Hashable {
        /// What to tell the application, in order.
        public var events: [WebSocketEvent] = []
        /// The frames to send, in order: pongs, and the answer to a close or a violation.
        public var replies: [WebSocketFrame] = []
        /// What to do with the transport then.
        public var disconnection = Disconnection.none

        /// Nothing follows.
        public init() {}
    }

    /// Which end this is.
    public let role: WebSocketRole
    /// Where the connection is in its life.
    public private(set) var state = State.open
    private var hasEnded = false
    private let reader: WebSocketReader
    private let writer: WebSocketWriter

    /// The end of an open connection.
    public init(
        role: WebSocketRole, agreement: WebSocketAgreement = WebSocketAgreement(),
        limits: WebSocketLimits = WebSocketLimits()
    ) {
        self.role = role
        reader = WebSocketReader(sender: role.peer, deflate: agreement.deflate, limits: limits)
        writer = WebSocketWriter(sender: role, deflate: agreement.deflate)
    }

    /// Takes a frame of the peer.
    public func receive(_ frame: WebSocketFrame) -> Step {
        isOver ? over : step(reader.receive(frame))
    }

    /// Takes the beginning of a frame of the peer, to fail as early as possible: text that is not
    /// UTF-8, for instance, need not be read to its end.
    public func receive(partial frame: WebSocketFrame) -> Step {
        isOver ? over : step(reader.receive(partial: frame))
    }

    /// Takes what is wrong with the peer's bytes, as their decoder has it.
    public func receive(_ violation: WebSocketViolation) -> Step {
        isOver ? over : step([.violation(violation)])
    }

    /// Takes what the decoder of the peer's bytes gives.
    public func receive(_ item: WebSocketFrameDecoder.Item) -> Step {
        switch item {
        case .frame(let frame, _): receive(frame)
        case .violation(let violation): receive(violation)
        }
    }

    /// Says that the peer disconnected, or that its bytes ended.
    public func finish() -> Step {
        hasEnded = true
        return isOver ? over : step(reader.finish())
    }

    private var isOver: Bool { state == .closed || state == .failed }

    private var over: Step {
        var step = Step()
        step.disconnection = role == .client && !hasEnded ? .awaitPeer : .now
        return step
    }

    private func step(_ events: [WebSocketEvent]) -> Step {
        var step = Step()
        for event in events {
            step.events.append(event)
            switch event {
            case .ping(let payload): step.replies.append(WebSocketFrame(.pong, payload))
            case .close(let code, _): close(answering: code, &step)
            case .violation(let violation): fail(violation, &step)
            case .message, .pong, .unreadable: break
            }
            // A failed connection says nothing more (section 7.1.7).
            if isOver {
                step.disconnection = over.disconnection
                break
            }
        }
        return step
    }

    private func close(answering code: WebSocketCloseCode?, _ step: inout Step) {
        if state == .open { step.replies.append(WebSocketWriter.close(code)) }
        state = .closed
    }

    private func fail(_ violation: WebSocketViolation, _ step: inout Step) {
        if state == .open && violation.kind != .closeMissing {
            step.replies.append(WebSocketWriter.close(violation.closeCode))
        }
        state = .failed
    }
}

extension WebSocketEndpoint {
    /// The frames of a text message.
    ///
    /// - Parameters:
    ///   - text: The message in UTF-8.
    ///   - deflated: Whether to deflate it, where that was agreed on.
    ///   - frameBytes: How many bytes of payload a frame may have; nil for one frame.
    public func send(
        text: [UInt8], deflated: Bool = true, frameBytes: Int? = nil
    ) throws(WebSocketSendError) -> [WebSocketFrame] {
        try checkOpen()
        guard text.span.firstInvalidUTF8() == nil else { throw .invalidText }
        return writer.message(.text, text, deflated: deflated, frameBytes: frameBytes)
    }

    /// The frames of a binary message.
    ///
    /// - Parameters:
    ///   - binary: The message.
    ///   - deflated: Whether to deflate it, where that was agreed on.
    ///   - frameBytes: How many bytes of payload a frame may have; nil for one frame.
    public func send(
        binary: [UInt8], deflated: Bool = true, frameBytes: Int? = nil
    ) throws(WebSocketSendError) -> [WebSocketFrame] {
        try checkOpen()
        return writer.message(.binary, binary, deflated: deflated, frameBytes: frameBytes)
    }

    /// A ping of at most 125 bytes.
    public func send(ping payload: [UInt8]) throws(WebSocketSendError) -> WebSocketFrame {
        try control(.ping, payload)
    }

    /// A pong that answers no ping; those that do are among the replies.
    public func send(pong payload: [UInt8]) throws(WebSocketSendError) -> WebSocketFrame {
        try control(.pong, payload)
    }

    /// This end's close frame; behind it nothing can be sent.
    public func send(
        close code: WebSocketCloseCode?, reason: String = ""
    ) throws(WebSocketSendError) -> WebSocketFrame {
        try checkOpen()
        if let code, !code.maySend { throw .closeCode }
        guard reason.utf8.count <= (code == nil ? 0 : 123) else { throw .closeReason }
        state = .closing
        return WebSocketWriter.close(code, reason: reason)
    }

    private func control(
        _ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]
    ) throws(WebSocketSendError) -> WebSocketFrame {
        try checkOpen()
        guard payload.count <= 125 else { throw .controlTooLong }
        return WebSocketFrame(opcode, payload)
    }

    private func checkOpen() throws(WebSocketSendError) {
        if state != .open { throw .closed }
    }
}
