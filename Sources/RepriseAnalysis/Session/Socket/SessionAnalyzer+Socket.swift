internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

extension SessionAnalyzer {
    /// The answer to a handshake; any but 101 refuses it, and HTTP goes on.
    func openSocket(_ record: ResponseRecord, of exchange: ExchangeAssembly, at place: Place) {
        guard record.status == 101 else { return }
        let request = exchange.head.request.headers
        if let key = request.first("Sec-WebSocket-Key"),
            record.headers.first("Sec-WebSocket-Accept") != WebSocketHandshake.accept(for: key)
        {
            log.raise(
                .wsW6, at: place, expected: "the answer to the request's key",
                seen: "another Sec-WebSocket-Accept, or none")
        }
        do {
            exchange.socket = SocketAssembly(
                try WebSocketAgreement(request: request, response: record.headers))
        } catch {
            log.raise(
                .wsW6, at: place, expected: "what was offered", seen: error.message)
            let isDeflated = record.headers.all("Sec-WebSocket-Extensions").contains {
                $0.contains(PerMessageDeflate.name)
            }
            exchange.socket = SocketAssembly(
                WebSocketAgreement(deflate: isDeflated ? PerMessageDeflate() : nil))
        }
    }

    /// A frame of either side.
    func take(_ record: SocketFrameRecord, of exchange: ExchangeAssembly, at place: Place) {
        guard exchange.isSocket, exchange.body == nil else { return }
        let socket = exchange.socket ?? SocketAssembly(WebSocketAgreement())
        exchange.socket = socket
        tellRequest(exchange)
        // The answer to a close is the end, and nothing that came.
        if record.sender == .server, record.opcode != WebSocketFrame.Opcode.close.rawValue {
            exchange.arrive(at: place)
        }
        let events = socket.receive(record, at: place)
        // What inflates to nonsense before it fails is one fault.
        let isCorrupt = events.contains { $0.violation == .deflateCorrupt }
        for event in events where !(isCorrupt && event.violation == .invalidText) {
            switch event {
            // What is not text says nothing to a dialect.
            case .message(let message) where message.isValid:
                take(message, of: exchange, from: record.sender, at: place)
            case .violation(let violation):
                raise(violation, of: record.sender, in: exchange, at: place)
            case .unreadable: exchange.isReadable = false
            case .message, .ping, .pong, .close: break
            }
        }
    }

    /// Bytes of the server that are no frame.
    func take(
        socketBytes bytes: [UInt8], _ socket: SocketAssembly, of exchange: ExchangeAssembly,
        at place: Place
    ) {
        exchange.arrive(at: place)
        for violation in socket.receive(bytes) {
            raise(violation, of: .server, in: exchange, at: place)
        }
    }

    private func take(
        _ message: WebSocketMessage, of exchange: ExchangeAssembly, from role: WebSocketRole,
        at place: Place
    ) {
        if message.kind == .text { settle(exchange, firstMessage: message) }
        let place = place.at(offset: 0)
        log.note(
            SeenEvent(
                bytes: message.bytes, start: 0, end: UInt64(message.bytes.count) + 1, dataStart: 0,
                time: place.time),
            of: exchange.head.number)
        tell(
            .message(
                .init(
                    isFromServer: role == .server, isText: message.kind == .text,
                    bytes: message.bytes)),
            of: exchange, at: place)
    }

    private func settle(_ exchange: ExchangeAssembly, firstMessage message: WebSocketMessage) {
        guard !exchange.isDialectSettled, let socket = exchange.socket else { return }
        socket.claims -= 1
        settle(exchange, firstEvent: message.text)
        if exchange.reason == .none { exchange.isDialectSettled = socket.claims <= 0 }
    }

    /// The connection is over.
    func finish(
        _ socket: SocketAssembly, of exchange: ExchangeAssembly, _ record: EndRecord?,
        at place: Place
    ) {
        for role in [WebSocketRole.client, .server] {
            for ping in socket.owed(to: role, end: place.time) {
                log.raise(
                    .wsW4, at: ping, expected: "a pong of the \(role.peer.rawValue)", seen: "none")
            }
        }
        // Who must have closed: of a connection that was cut, the side that cut it.
        let closers: [WebSocketRole] =
            switch record?.how {
            case .complete?: [.client, .server]
            case .reset?: [.server]
            case .cancelled?, .timedOut?, .failed?, nil: []
            }
        for role in closers {
            for case .violation(var violation) in socket[role].reader.finish() {
                if role == .server, violation.kind == .closeMissing, socket.endsWithinFrame {
                    violation.detail = "within a frame"
                }
                raise(violation, of: role, in: exchange, at: place)
            }
        }
        // What the recorder could not tell apart from the end of the bytes.
        if record?.how == .failed, !socket.hasViolation, let code = record?.code,
            code.hasPrefix("websocket."),
            let kind = WebSocketViolation.Kind(rawValue: String(code.dropFirst(10)))
        {
            raise(WebSocketViolation(kind, frame: 0), of: .server, in: exchange, at: place)
        }
    }

    private func raise(
        _ violation: WebSocketViolation, of role: WebSocketRole, in exchange: ExchangeAssembly,
        at place: Place
    ) {
        exchange.socket?.hasViolation = true
        // What is wrong with a close takes nothing from what was before it.
        if !violation.isOfClose { exchange.isReadable = false }
        guard let breach = violation.breach else { return }
        let isText = violation.kind == .invalidText || violation.kind == .invalidReason
        let detail = violation.detail.isEmpty ? "" : " (\(violation.detail))"
        log.raise(
            breach.rule, at: isText ? place.at(offset: violation.offset.map(UInt64.init)) : place,
            expected: breach.expected, seen: "the \(role.rawValue): \(violation.summary)\(detail)")
    }
}

extension WebSocketEvent {
    fileprivate var violation: WebSocketViolation.Kind? {
        if case .violation(let violation) = self { violation.kind } else { nil }
    }
}

extension WebSocketViolation {
    /// Whether it is in how a side closes, or beyond a limit of the reader.
    fileprivate var isOfClose: Bool {
        switch kind {
        case .closeTooShort, .closeCode, .closeMissing, .invalidReason, .dataBehindClose,
            .frameTooLarge, .messageTooLarge:
            true
        default: false
        }
    }

    /// The rule that it breaks, with what was expected; nil for a limit of the reader.
    fileprivate var breach: (rule: Rule, expected: String)? {
        switch kind {
        case .reservedBits: (.wsW1a, "RSV2 and RSV3 clear")
        case .reservedOpcode: (.wsW1a, "an opcode with a meaning")
        case .notMasked: (.wsW1b, "a mask on a client's frame")
        case .masked: (.wsW1b, "no mask on a server's frame")
        case .lengthForm: (.wsW1c, "the shortest form of a length")
        case .lengthBits: (.wsW1c, "a length of at most 63 bits")
        case .controlTooLong: (.wsW1c, "at most 125 bytes in a control frame")
        case .controlFragmented: (.wsW1d, "control frames that are whole")
        case .nothingToContinue: (.wsW1d, "a continuation of something")
        case .messageInterrupted: (.wsW1d, "the end of a message before the next begins")
        case .closeTooShort: (.wsW2a, "no code or a whole one")
        case .closeCode: (.wsW2a, "a code that may be sent")
        case .dataBehindClose: (.wsW2b, "nothing behind the close frame")
        case .closeMissing: (.wsW2c, "a close frame")
        case .invalidText: (.wsW3a, "UTF-8")
        case .invalidReason: (.wsW3b, "UTF-8")
        case .deflateNotNegotiated: (.wsW5a, "no RSV1 without permessage-deflate")
        case .deflateMisplaced: (.wsW5a, "RSV1 where a message begins")
        case .deflateCorrupt: (.wsW5b, "a message that inflates")
        case .frameTooLarge, .messageTooLarge: nil
        }
    }
}
