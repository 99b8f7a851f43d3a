/// Why a handshake opens no WebSocket (RFC 6455 sections 4.1 and 4.2).
public struct WebSocketHandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The response's status is not 101.
        case status
        /// The request is not a GET over HTTP/1.1.
        case request
        /// `Upgrade` does not say `websocket`.
        case upgrade
        /// `Connection` does not say `Upgrade`.
        case connection
        /// `Sec-WebSocket-Version` is not 13.
        case version
        /// `Sec-WebSocket-Key` is absent, there twice, or not 16 bytes in base64.
        case key
        /// `Sec-WebSocket-Accept` is absent or not the answer to the request's key.
        case accept
        /// An extension that was not offered, or with wrong parameters.
        case extensions
        /// A subprotocol that was not offered, or several.
        case subprotocol
    }

    /// What is wrong.
    public var kind: Kind
    /// What is wrong in words, without any value of a header but numbers.
    public var message: String

    /// An error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The error in words.
    public var description: String { "no WebSocket: \(message)" }

    /// The status that a server refuses with (RFC 6455 section 4.2.2); a 426 goes with
    /// `Sec-WebSocket-Version: 13`.
    public var status: Int { kind == .version ? 426 : 400 }
}
