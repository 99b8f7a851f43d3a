internal import RepriseTransport

/// A response's body over the reactor: reading it takes from the hand-off, dropping it cancels.
final class CurlBody: ResponseBody.Source {
    private let exchange: Exchange
    private let inbox: Inbox

    init(_ exchange: Exchange, inbox: Inbox) {
        self.exchange = exchange
        self.inbox = inbox
    }

    deinit { cancel() }

    func cancel() {
        if exchange.handoff.end == nil { inbox.post(.cancel(exchange.id)) }
    }

    func next() async throws(TransportError) -> Delivery? {
        let (id, inbox, handoff) = (exchange.id, inbox, exchange.handoff)
        let next = await withTaskCancellationHandler {
            await handoff.next { inbox.post(.resume(id)) }
        } onCancel: {
            inbox.post(.cancel(id))
        }
        return try next.get()
    }
}
