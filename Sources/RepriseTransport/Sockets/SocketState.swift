internal import RepriseTape
internal import RepriseWire

/// What a driver keeps behind its lock.
struct SocketState {
    /// The peer's close frame, once it came.
    private(set) var closure: WebSocket.Closure?
    /// How the exchange ended; success is an orderly closing handshake.
    private(set) var end: Result<Void, WebSocketError>?

    private let endpoint: WebSocketEndpoint
    private let inboxLimit: Int
    /// Messages that came and nobody took, oldest first.
    private var inbox: [WebSocket.Message] = []
    private var inboxBytes = 0
    private var violation: WebSocketViolation?
    private var limit: Task<Void, any Error>?
    private var hasLimit = false

    init(_ agreement: WebSocketAgreement, _ limits: WebSocketLimits) {
        endpoint = WebSocketEndpoint(role: .client, agreement: agreement, limits: limits)
        inboxLimit = limits.messageBytes
    }

    // MARK: Reading

    /// The next message, or how the exchange ended; nil where there is neither.
    mutating func takeMessage() -> Result<WebSocket.Message?, WebSocketError>? {
        if inbox.isEmpty { return end?.map { nil } }
        let message = inbox.removeFirst()
        inboxBytes -= message.bytes.count
        return .success(message)
    }

    /// Takes what the peer sent; nil for the end of its bytes.
    mutating func take(_ delivery: SocketDelivery?) -> WebSocketEndpoint.Step {
        let step = delivery.map { endpoint.receive($0.item) } ?? endpoint.finish()
        for event in step.events {
            switch event {
            case .message(let message): keep(message, at: delivery?.time ?? 0)
            case .close(let code, let reason):
                closure = WebSocket.Closure(code: code, reason: reason)
            case .violation(let found): violation = violation ?? found
            case .ping, .pong, .unreadable: break
            }
        }
        return step
    }

    private mutating func keep(_ message: WebSocketMessage, at time: Int64) {
        guard inbox.isEmpty || message.bytes.count <= inboxLimit - inboxBytes else { return }
        inbox.append(WebSocket.Message(kind: message.kind, bytes: message.bytes, time: time))
        inboxBytes += message.bytes.count
    }

    // MARK: Sending

    /// The frames that `frames` makes.
    ///
    /// - Throws: ``WebSocketError`` where the exchange is over, or `frames` throws.
    mutating func make(_ frames: SocketDriver.Frames) throws(WebSocketError) -> [WebSocketFrame] {
        if case .failure(let error) = end { throw error }
        if end != nil { throw .closed }
        do throws(WebSocketSendError) { return try frames(endpoint) } catch { throw .init(error) }
    }

    // MARK: Ending

    /// How the exchange ended with the peer's bytes.
    var endOfBytes: Result<Void, WebSocketError> { end(of: .closeMissing) }

    /// How the exchange ended with the limit of its closing.
    var endOfLimit: Result<Void, WebSocketError> { end(of: .closeTimeout) }

    /// How the exchange ended where it broke: behind a closing handshake, or the failure of the
    /// connection, that is not of importance any more.
    func end(of error: TransportError) -> Result<Void, WebSocketError> {
        if endpoint.state == .closed { return .success(()) }
        if let violation, violation.kind != .closeMissing { return .failure(.violation(violation)) }
        return .failure(.transport(error))
    }

    /// Ends the exchange; false where it has ended before.
    mutating func end(as end: Result<Void, WebSocketError>) -> Bool {
        guard self.end == nil else { return false }
        self.end = end
        limit?.cancel()
        limit = nil
        if case .failure(.transport(let error)) = end, error.how == .cancelled {
            // Who stopped wants none of it.
            inbox = []
        }
        return true
    }

    /// Whether the limit is to be started now; once.
    mutating func mayStartLimit() -> Bool {
        defer { hasLimit = true }
        return !hasLimit && end == nil
    }

    mutating func keep(_ limit: Task<Void, any Error>) {
        if end == nil { self.limit = limit } else { limit.cancel() }
    }
}
