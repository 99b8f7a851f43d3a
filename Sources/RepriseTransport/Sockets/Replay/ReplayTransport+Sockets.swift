internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

extension ReplayTransport {
    /// Answers the request for a WebSocket with the next one that was recorded.
    ///
    /// The handshake is answered afresh for the key that is sent, which is not compared; a refusal
    /// comes as it was. The server's frames come as they were recorded, each at its time, but not
    /// before the client has sent what it sent before it when recorded, on this WebSocket (whole
    /// messages and the close frame) and as requests since it was opened. Pings, pongs and messages
    /// that only keep the connection alive are neither waited for nor compared.
    ///
    /// What the client sends is compared by message, after masking, whatever its frames: the first
    /// that is none of the recorded ones ends the exchange, with the code of its ``ReplayMiss``. Where
    /// the client does not send what is waited for, reading throws `replay.stalled`.
    public func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        let place = try due(for: request, .websocket, observer)
        return try await connect(request, to: place, options, observer)
    }

    func connect(
        _ request: Request, to place: Int, _ options: SocketOptions,
        _ observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        let due = recording.exchanges[place]
        var asSent = AsSent(request, due)
        guard due.response?.status == 101 else {
            let (exchange, _) = await play(asSent, of: due, observer)
            let head = try await exchange.head()
            return SocketResponse(head: head, outcome: .refused(ResponseBody(exchange)))
        }
        asSent.cut(behind: due.answer(to: request))
        let (exchange, shift) = await play(asSent, of: due, observer)
        let head = try await exchange.head()
        exchange.handOver()
        let socket = open(place, asSent.head, head, request.sensitive, options, shift, observer)
        return SocketResponse(head: head, outcome: .switched(ReplayChannel(socket)))
    }

    /// What is left of the WebSockets that were opened and not played to their ends, in the order
    /// of opening. It changes while they are played.
    public var unconsumedTails: [UnconsumedTail] {
        unconsumedTails(before: .max)
    }

    /// What is left of them before a frame of the tape.
    func unconsumedTails(before frame: UInt64) -> [UnconsumedTail] {
        state.withLock { $0.sockets }.compactMap { $0.tail(before: frame) }
    }

    /// How long a WebSocket waits for the client where time is real, and no executor knows that
    /// it will do nothing more: real nanoseconds, by default 10 s.
    public var waitLimit: Int64 {
        get { gate.limit }
        set { gate.limit = newValue }
    }

    private func open(
        _ place: Int, _ sent: RequestRecord, _ head: ResponseRecord,
        _ sensitive: SensitivePaths, _ options: SocketOptions, _ shift: Int64,
        _ observer: (any ExchangeObserver)?
    ) -> ReplaySocket {
        let due = recording.exchanges[place]
        let path = Shown.cut(URLForm(sent.url.description).path)
        let id = SocketIdentity(
            exchange: due.id, frame: due.frame, name: "exchange \(due.id)", call: sent.call,
            request: "\(sent.method) \(path)")
        let socket = ReplaySocket(
            SocketScript(due, recording, options: options), id, options: options,
            surroundings(of: place, shift, observer))
        state.withLock { state in
            state.matcher.redactor.openSocket(due.id, sent, head, sensitive)
            state.sockets.append(socket)
        }
        return socket
    }

    private func surroundings(
        of place: Int, _ shift: Int64, _ observer: (any ExchangeObserver)?
    ) -> ReplaySocket.Surroundings {
        let due = recording.exchanges[place]
        // The state holds the sockets, which must not hold it.
        return ReplaySocket.Surroundings(
            clock: clock, shift: shift, isFree: clock.anchor == .app, gate: gate,
            observer: observer,
            mask: { [weak state] record, number in
                state?.withLock { state in
                    state.matcher.redactor.redact(
                        .socketFrame(record), exchange: due.id, time: 0, frame: number)
                } ?? [Frame(.socketFrame(record), exchange: due.id, time: 0)]
            },
            missing: { [weak state] frame in
                state?.withLock { $0.matcher.missing(behind: due.frame, before: frame) }
                    .map { "the request \($0.title)" }
            },
            miss: { [weak state] miss in state?.withLock { $0.misses.append(miss) } },
            matching: SocketMatching(matching.order, of: place) { [weak state] body in
                state?.withLock { body(&$0.matcher) }
            })
    }
}

extension Redactor {
    /// Gets ready for the frames of a client, which are masked as those of the exchange `number`.
    mutating func openSocket(
        _ number: UInt64, _ request: RequestRecord, _ response: ResponseRecord,
        _ sensitive: SensitivePaths
    ) {
        open(exchange: number, sensitive: sensitive)
        for head in [FrameContent.request(request), .requestEnd, .response(response)] {
            _ = redact(head, exchange: number, time: 0, frame: 0)
        }
    }
}

extension Recording.Exchange {
    /// The request in a few words.
    fileprivate var title: String {
        "\(request.method) \(Shown.cut(URLForm(request.url.description).path)) (exchange \(id))"
    }

    /// The recorded response to a handshake as it answers the key of another.
    ///
    /// Where the handshake failed for no other reason, the recorded answer was wrong, and stays.
    func answer(to request: Request) -> ResponseRecord {
        var response = response ?? ResponseRecord(status: 101)
        let agreed = try? WebSocketAgreement(
            request: self.request.headers, response: response.headers)
        let wasWrong = end?.code == WebSocketError.handshakeCode && agreed != nil
        guard !wasWrong, let key = request.headers.first("Sec-WebSocket-Key") else {
            return response
        }
        let name = "Sec-WebSocket-Accept"
        let accept = WebSocketHandshake.accept(for: key)
        var fields = response.headers.fields
        let place = fields.firstIndex { field in
            field.name.description.lowercased() == name.lowercased()
        }
        if let place {
            fields[place].value = WireText(accept)
        } else {
            fields.append(Headers.Field(WireText(name), WireText(accept)))
        }
        response.headers = Headers(fields)
        return response
    }
}
