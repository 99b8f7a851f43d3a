internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// The frames of a WebSocket over the reactor: reading takes from the hand-off, sending goes
/// through the inbox, dropping it cancels.
final class CurlSocket: SocketChannel {
    private let socket: SocketExchange
    private let inbox: Inbox

    init(_ socket: SocketExchange, inbox: Inbox) {
        self.socket = socket
        self.inbox = inbox
    }

    deinit {
        if socket.frames.end == nil { inbox.post(.cancel(socket.id)) }
    }

    func next() async throws(TransportError) -> SocketDelivery? {
        let (id, inbox) = (socket.id, inbox)
        return try await socket.frames.next { inbox.post(.resume(id)) }.get()
    }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        let outcome = await withCheckedContinuation { waiter in
            let isPosted = inbox.post(.send(socket.id, Outgoing(frames: frames, waiter: waiter)))
            if !isPosted { waiter.resume(returning: nil) }
        }
        guard let outcome else { throw failure }
        try outcome.get()
    }

    /// Why nothing can be sent once the exchange is over.
    private var failure: TransportError {
        guard let end = socket.frames.end else { return .transportReleased }
        return TransportError(end) ?? .ended(socket.exchange.target)
    }

    func finishSending() { inbox.post(.finishSending(socket.id)) }

    func end(_ record: EndRecord) { inbox.post(.end(socket.id, record)) }
}
