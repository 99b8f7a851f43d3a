internal import RepriseTape
internal import RepriseWire

/// A WebSocket with faults in what the server sends.
final class FaultChannel: SocketChannel {
    private let base: any SocketChannel
    private let run: FaultRun<SocketDelivery>

    init(_ base: any SocketChannel, _ run: FaultRun<SocketDelivery>) {
        self.base = base
        self.run = run
    }

    deinit { end(TransportError.socketCancelled.endRecord) }

    func next() async throws(TransportError) -> SocketDelivery? {
        guard let (delivery, time) = try await run.next() else { return nil }
        return SocketDelivery(delivery.item, time: time)
    }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        if case .failure(let error) = run.end { throw error }
        try await base.send(frames)
    }

    func finishSending() { base.finishSending() }

    func end(_ record: EndRecord) {
        run.close(TransportError(record) ?? .socketCancelled, record)
    }
}
