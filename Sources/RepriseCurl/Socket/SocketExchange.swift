internal import RepriseTransport
internal import RepriseWire

/// A WebSocket as it is handed to the reactor.
struct SocketExchange: Sendable {
    /// The request, and the hand-off of its response's head and, where the server refuses, body.
    let exchange: Exchange
    /// The request's URL with a scheme of HTTP.
    let url: String
    /// The head to send.
    let head: HandshakeHead
    /// The hand-off of the server's frames.
    let frames: Handoff<SocketDelivery>
    let limits: WebSocketLimits

    var id: UInt64 { exchange.id }
}

extension SocketDelivery: Handed {
    /// A frame weighs more than its payload, or empty ones would weigh nothing.
    var weight: Int {
        if case .frame(let frame, _) = item { frame.payload.count + 64 } else { 0 }
    }
}

/// Frames on their way to the server, and whoever waits until the system has them.
struct Outgoing: Sendable {
    /// What became of them; nil where the exchange had ended before.
    typealias Outcome = Result<Void, TransportError>?

    var frames: [WebSocketFrame]
    let waiter: CheckedContinuation<Outcome, Never>
}
