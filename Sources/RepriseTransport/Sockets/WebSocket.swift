public import RepriseTape
public import RepriseWire

/// A client's end of an open WebSocket, whatever transport it runs over.
///
/// One task reads ``messages``; pings are answered and the closing handshake is made as it reads,
/// so a client keeps reading, also where it only sends. Any number of tasks may send: each
/// message goes out whole before the next. Dropping the WebSocket, or cancelling the task that
/// reads, ends the exchange as `cancelled`.
public final class WebSocket: Sendable {
    /// A message of the peer.
    public struct Message: Sendable, Hashable {
        /// What the bytes are.
        public var kind: WebSocketMessage.Kind
        /// The message, inflated.
        public var bytes: [UInt8]
        /// When its last frame arrived, nanoseconds of the transport's clock.
        public var time: Int64

        /// A message.
        public init(kind: WebSocketMessage.Kind, bytes: [UInt8], time: Int64) {
            self.kind = kind
            self.bytes = bytes
            self.time = time
        }

        /// The bytes as text; those of a text message are UTF-8.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// How the peer closed.
    public struct Closure: Sendable, Hashable {
        /// The code; nil where its close frame had none.
        public var code: WebSocketCloseCode?
        /// The reason; empty for none.
        public var reason: String

        /// A close frame.
        public init(code: WebSocketCloseCode?, reason: String = "") {
            self.code = code
            self.reason = reason
        }
    }

    /// The response that opened it.
    public let head: ResponseRecord
    /// What the handshake agreed on.
    public let agreement: WebSocketAgreement
    private let driver: SocketDriver

    init(head: ResponseRecord, agreement: WebSocketAgreement, driver: SocketDriver) {
        self.head = head
        self.agreement = agreement
        self.driver = driver
    }

    deinit { driver.cancel() }

    /// The peer's close frame, once it came.
    public var closure: Closure? { driver.closure }

    /// The peer's messages as they come, for one reader.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a text and returns when the system has it.
    ///
    /// Cancelling the task while the message is on its way ends the exchange, since half a message
    /// cannot be taken back.
    ///
    /// - Parameter deflated: Whether to deflate it, where that was agreed on.
    /// - Throws: ``WebSocketError``, `closed` where one of the ends closed.
    public func send(text: String, deflated: Bool = true) async throws(WebSocketError) {
        try await driver.send { endpoint throws(WebSocketSendError) in
            try endpoint.send(text: Array(text.utf8), deflated: deflated)
        }
    }

    /// Sends bytes and returns when the system has them; see ``send(text:deflated:)``.
    public func send(binary: [UInt8], deflated: Bool = true) async throws(WebSocketError) {
        try await driver.send { endpoint throws(WebSocketSendError) in
            try endpoint.send(binary: binary, deflated: deflated)
        }
    }

    /// Sends a ping of at most 125 bytes; nothing tells of its pong.
    public func ping(_ payload: [UInt8] = []) async throws(WebSocketError) {
        try await driver.send { endpoint throws(WebSocketSendError) in
            [try endpoint.send(ping: payload)]
        }
    }

    /// Closes, and returns when the closing handshake is over.
    ///
    /// Where no task reads messages it reads itself; what comes in before the peer's close is kept
    /// for the reader, beyond ``WebSocketLimits/messageBytes`` in all it is dropped. Where the
    /// peer closed before, its handshake goes on and nothing is sent.
    ///
    /// - Parameters:
    ///   - code: Why; nil for a close frame without a code.
    ///   - reason: In words, at most 123 bytes; not without a code.
    /// - Throws: ``WebSocketError``: `send` for a code or reason that may not be sent, or else what
    ///   ended the exchange where that is no closing handshake.
    public func close(
        code: WebSocketCloseCode? = .normal, reason: String = ""
    ) async throws(WebSocketError) {
        try await driver.close { endpoint throws(WebSocketSendError) in
            [try endpoint.send(close: code, reason: reason)]
        }
    }

    /// Ends the exchange at once, without a closing handshake, if it has not ended.
    public func cancel() { driver.cancel() }
}

extension WebSocket {
    /// The peer's messages as they come, for one reader.
    ///
    /// The sequence ends after an orderly closing handshake, whichever end began it; every other
    /// end throws its ``WebSocketError``. Not reading on holds the peer back.
    public struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: WebSocket

        /// Reads the messages.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let socket: WebSocket

            /// The next message; nil at the end.
            public mutating func next() async throws(WebSocketError) -> Message? {
                try await socket.driver.next()
            }

            /// The next message; nil at the end. The isolation is of no matter to it.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(WebSocketError) -> Message? {
                try await socket.driver.next()
            }
        }

        /// The iterator; all iterators of a WebSocket share one position.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
    }
}
