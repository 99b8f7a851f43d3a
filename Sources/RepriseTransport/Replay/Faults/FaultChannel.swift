internal import RepriseTape
internal import RepriseWire

/// A WebSocket with faults in what the server sends.
final class FaultChannel: ForeseeingChannel {
    private let base: any SocketChannel
    private let run: FaultRun<SocketPiece>

    init(_ base: any SocketChannel, _ run: FaultRun<SocketPiece>) {
        self.base = base
        self.run = run
    }

    deinit { end(TransportError.socketCancelled.endRecord) }

    func next() async throws(TransportError) -> SocketDelivery? {
        while let (piece, time) = try await run.next() {
            // Of a frame that is cut off a reader gets nothing.
            if let item = piece.item { return SocketDelivery(item, time: time) }
        }
        return nil
    }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        if case .failure(let error) = run.end { throw error }
        try await base.send(frames)
    }

    func finishSending() { base.finishSending() }

    func isNextCertain() async -> Bool {
        await run.isNextCertain { [base] in
            await (base as? any ForeseeingChannel)?.isNextCertain() == true
        }
    }

    func end(_ record: EndRecord) {
        run.close(TransportError(record) ?? .socketCancelled, record)
    }
}

/// What comes on a WebSocket, with the bytes that are no frame, of which only its observer is told.
struct SocketPieces: Sendable {
    private let channel: any SocketChannel
    private let observer: FaultObserver

    init(_ channel: any SocketChannel, _ observer: FaultObserver) {
        self.channel = channel
        self.observer = observer
    }

    /// What comes next; nil for the end of the peer's bytes.
    func next() async -> Result<SocketPiece?, TransportError> {
        let found: Result<SocketDelivery?, TransportError>
        do throws(TransportError) { found = .success(try await channel.next()) } catch {
            found = .failure(error)
        }
        if case .success(let delivery?) = found {
            var piece = SocketPiece(delivery.item, time: delivery.time)
            if piece.frame == nil { piece.stray = observer.takeStray()?.bytes ?? [] }
            return .success(piece)
        }
        // The end is still there when it is asked for again.
        if let (bytes, time) = observer.takeStray() {
            return .success(SocketPiece(nil, stray: bytes, time: time))
        }
        return found.map { _ in nil }
    }
}
