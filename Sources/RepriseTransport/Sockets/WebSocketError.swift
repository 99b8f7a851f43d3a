public import RepriseTape
public import RepriseWire

/// Why a WebSocket was not opened, or what ended it.
public enum WebSocketError: CodedError, Sendable, Hashable, CustomStringConvertible {
    /// The exchange ended otherwise than by a closing handshake: `transport.closed` or
    /// `transport.reset` where the peer cut it, `transport.cancelled` where the app stopped it,
    /// `websocket.closeTimeout` where the peer did not answer the close.
    case transport(TransportError)
    /// The server answered the handshake with another status than 101; the body is cut at 64 KiB.
    case refused(ResponseRecord, body: [UInt8])
    /// The server's response opens no WebSocket.
    case handshake(WebSocketHandshakeError)
    /// The peer broke the protocol, or a limit of this end.
    case violation(WebSocketViolation)
    /// Nothing can be sent any more: one of the ends closed.
    case closed
    /// What was to be sent cannot be.
    case send(WebSocketSendError)

    /// `websocket.refused`, `websocket.handshake`, `websocket.closed`, `websocket.badSend`,
    /// `websocket.` and the kind of a violation, or the transport's code.
    public var errorCode: String {
        switch self {
        case .transport(let error): error.code.rawValue
        case .refused: "websocket.refused"
        case .handshake: WebSocketError.handshakeCode
        case .violation(let violation): WebSocketError.codePrefix + violation.kind.rawValue
        case .closed: "websocket.closed"
        case .send: "websocket.badSend"
        }
    }

    /// What happened, without bodies and header values.
    public var message: String {
        switch self {
        case .transport(let error): error.message
        case .refused(let head, _): "the server refused the WebSocket with status \(head.status)"
        case .handshake(let error): error.description
        case .violation(let violation): "the peer broke the WebSocket protocol: \(violation)"
        case .closed: WebSocketSendError.closed.description
        case .send(let error): error.description
        }
    }

    /// The message.
    public var description: String { message }

    /// The code of a handshake that failed.
    static let handshakeCode = "websocket.handshake"

    private static let codePrefix = "websocket."

    /// The kind of violation that a code may name.
    static func violationName(ofCode code: String) -> String? {
        code.hasPrefix(codePrefix) ? String(code.dropFirst(codePrefix.count)) : nil
    }

    init(_ error: WebSocketSendError) { self = error == .closed ? .closed : .send(error) }
}

extension TransportError.Code {
    /// The peer did not answer this end's close frame within the limit.
    public static let closeTimeout = TransportError.Code(rawValue: "websocket.closeTimeout")
}

extension TransportError {
    static let socketCancelled = TransportError(
        how: .cancelled, .cancelled, "the app stopped the WebSocket")
    static let closeMissing = TransportError(
        how: .reset, .closed, "the peer disconnected without a close frame")
    static let closeTimeout = TransportError(
        how: .timedOut, .closeTimeout, "the peer did not answer the close frame within the limit")

    /// What a tape says of an exchange that ended so.
    var endRecord: EndRecord { EndRecord(how: how, code: code.rawValue, message: message) }
}

extension WebSocketError {
    /// What a tape says of an exchange that this ended.
    var endRecord: EndRecord {
        if case .transport(let error) = self { return error.endRecord }
        return EndRecord(how: .failed, code: errorCode, message: message)
    }
}
