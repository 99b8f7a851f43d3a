#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A client's side of the opening handshake (RFC 6455 section 4.1).
public struct WebSocketHandshake: Sendable, Hashable {
    enum Field {
        static let key = "Sec-WebSocket-Key"
        static let accept = "Sec-WebSocket-Accept"
        static let version = "Sec-WebSocket-Version"
        static let extensions = "Sec-WebSocket-Extensions"
        static let subprotocol = "Sec-WebSocket-Protocol"
    }

    /// The value of `Sec-WebSocket-Key`.
    public let key: String
    /// The subprotocols to offer, most-wanted first.
    public let subprotocols: [String]
    /// What to offer for deflated messages, most-wanted first; empty for none.
    public let offers: [PerMessageDeflate.Offer]

    /// A handshake.
    ///
    /// - Parameter nonce: 16 random bytes, drawn anew for each connection.
    public init(
        nonce: [UInt8], subprotocols: [String] = [],
        offers: [PerMessageDeflate.Offer] = [PerMessageDeflate.Offer()]
    ) {
        key = Data(nonce).base64EncodedString()
        self.subprotocols = subprotocols
        self.offers = offers
    }

    /// The headers of the request besides `Host`; it is a GET over HTTP/1.1.
    public var requestHeaders: Headers {
        var headers: Headers = [
            "Upgrade": "websocket", "Connection": "Upgrade", Field.key: key, Field.version: "13",
        ]
        if !subprotocols.isEmpty {
            headers.append(Field.subprotocol, subprotocols.joined(separator: ", "))
        }
        if !offers.isEmpty {
            headers.append(
                Field.extensions, offers.map(\.element.text).joined(separator: ", "))
        }
        return headers
    }

    /// What the server's response agrees to.
    ///
    /// - Throws: The first thing that is wrong with it.
    public func validate(
        status: Int, headers: Headers
    ) throws(WebSocketHandshakeError) -> WebSocketAgreement {
        guard status == 101 else {
            throw WebSocketHandshakeError(.status, "the server answered with status \(status)")
        }
        try headers.checkUpgrade(of: "the response")
        let accepts = headers.all(Field.accept)
        guard accepts.count == 1 else {
            throw WebSocketHandshakeError(
                .accept, "the response has \(accepts.count) Sec-WebSocket-Accept headers")
        }
        guard accepts[0] == Self.accept(for: key) else {
            throw WebSocketHandshakeError(
                .accept, "Sec-WebSocket-Accept does not answer the request's key")
        }
        return try WebSocketAgreement(
            response: headers, offers: offers, subprotocols: subprotocols)
    }

    /// The value of `Sec-WebSocket-Accept` that answers a key (RFC 6455 section 4.2.2).
    public static func accept(for key: String) -> String {
        let digest = SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }

    static func isKey(_ key: String) -> Bool { Data(base64Encoded: key)?.count == 16 }
}

extension Headers {
    func checkUpgrade(of what: String) throws(WebSocketHandshakeError) {
        guard has("websocket", in: "Upgrade") else {
            throw WebSocketHandshakeError(.upgrade, "\(what) has no Upgrade to websocket")
        }
        guard has("upgrade", in: "Connection") else {
            throw WebSocketHandshakeError(.connection, "\(what) has no Connection: Upgrade")
        }
    }
}
