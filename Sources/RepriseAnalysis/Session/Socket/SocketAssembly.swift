internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// A WebSocket while its frames come: each side from frames to messages, and what it owes the other.
final class SocketAssembly {
    /// One side of it.
    struct Side {
        let reader: WebSocketReader
        /// Its pings that the other did not answer yet.
        var pings = WebSocketPings<Place>()
        /// Its close frame.
        var close: (place: Place, code: WebSocketCloseCode?)?
        var count = SocketResult.Side()
    }

    /// So many messages are looked at to find the dialect.
    static let claimLimit = 8

    private var client: Side
    private var server: Side
    /// Takes what the server sent that is no frame.
    private var decoder = WebSocketFrameDecoder(sender: .server)
    let isDeflated: Bool
    /// Whether the recording shows what is wrong, so that its end need not tell it.
    var hasViolation = false
    /// How many messages may still tell which dialect it is.
    var claims = SocketAssembly.claimLimit

    init(_ agreement: WebSocketAgreement) {
        client = Side(reader: WebSocketReader(sender: .client, deflate: agreement.deflate))
        server = Side(reader: WebSocketReader(sender: .server, deflate: agreement.deflate))
        isDeflated = agreement.deflate != nil
    }

    subscript(role: WebSocketRole) -> Side {
        get { role == .client ? client : server }
        set { if role == .client { client = newValue } else { server = newValue } }
    }

    /// What it comes to.
    var result: SocketResult {
        SocketResult(isDeflated: isDeflated, client: client.count, server: server.count)
    }

    /// Takes the next frame of a side.
    func receive(_ record: SocketFrameRecord, at place: Place) -> [WebSocketEvent] {
        let role = record.sender
        self[role].count.frames += 1
        self[role].count.wireBytes += record.bytes.count
        let events = self[role].reader.receive(record)
        for event in events { note(event, from: role, at: place) }
        return events
    }

    /// Takes bytes of the server that are no frame.
    func receive(_ bytes: [UInt8]) -> [WebSocketViolation] {
        self[.server].count.wireBytes += bytes.count
        return decoder.push(bytes).compactMap {
            if case .violation(let violation) = $0 { violation } else { nil }
        }
    }

    /// Whether the server's last bytes are a frame that did not come whole.
    var endsWithinFrame: Bool { decoder.unfinished > 0 }

    private func note(_ event: WebSocketEvent, from role: WebSocketRole, at place: Place) {
        switch event {
        case .message(let message):
            self[role].count.messages += 1
            self[role].count.bytes += message.bytes.count
        case .ping(let payload): self[role].pings.sent(payload, id: place)
        case .pong(let payload): self[role.peer].pings.answered(payload)
        case .close(let code, _):
            self[role].close = (place, code)
            self[role].count.isClosed = true
            self[role].count.closeCode = code.map { Int($0.rawValue) }
        case .violation, .unreadable: break
        }
    }

    /// Whether the app closed, and the server answered that or did not close.
    var isClosedByApp: Bool { hasClosedFirst(.client) }

    private func hasClosedFirst(_ role: WebSocketRole) -> Bool {
        guard let own = self[role].close?.place.frame else { return false }
        guard let other = self[role.peer].close?.place.frame else { return true }
        return own < other
    }

    /// The pings of a side that its peer owes a pong for: it was there for another second, or closed
    /// behind the side's own close frame and so behind the ping.
    ///
    /// - Parameter end: When the connection ended.
    func owed(to role: WebSocketRole, end: Int64?) -> [Place] {
        let (side, peer) = (self[role], self[role.peer])
        guard let last = peer.close?.place.time ?? end else { return [] }
        let answersClose = peer.close != nil && hasClosedFirst(role)
        return side.pings.unanswered.map(\.id).filter { place in
            answersClose || last - (place.time ?? last) > 1_000_000_000
        }
    }
}
