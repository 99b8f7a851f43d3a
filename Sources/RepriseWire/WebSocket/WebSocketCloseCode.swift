/// Why a WebSocket is closed (RFC 6455 section 7.4 and its IANA registry).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt16

    /// A code by its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: what it was opened for is done.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the end goes away.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the peer broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: data of a kind that the end does not take.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1006: no close frame came; never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: data that is not what its type says.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: against the end's policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message too big to be processed.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1011: the server met an unexpected condition.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// Whether a close frame may carry it: the codes that the registry has for that, and the
    /// ranges of libraries (3000 to 3999) and applications (4000 to 4999).
    public var maySend: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The number as text.
    public var description: String { String(rawValue) }
}
