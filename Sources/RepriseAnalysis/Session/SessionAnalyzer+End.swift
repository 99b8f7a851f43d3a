internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

extension SessionAnalyzer {
    /// An exchange is over; without a record its recorder died.
    func end(_ exchange: ExchangeAssembly, _ record: EndRecord?, at place: Place) {
        tellRequest(exchange)
        let isWhole = record?.how == .complete
        if isWhole { exchange.isEventStream = exchange.isEventStream || exchange.lacksContentType }
        if var body = exchange.body {
            exchange.body = nil
            let isWhole = isWhole && exchange.isReadable
            for item in body.finish(isWhole: isWhole, fault: record?.coding) {
                take(item, of: exchange, at: place)
            }
            exchange.body = body
            checkLength(exchange, record, body, at: place)
        }
        if let socket = exchange.socket { finish(socket, of: exchange, record, at: place) }
        let size = exchange.body.map { UInt64($0.count) }
        tell(
            .end(
                .init(
                    how: record?.how, isReadable: exchange.isReadable && exchange.response != nil,
                    isByApp: exchange.socket?.isClosedByApp ?? false)),
            of: exchange,
            at: place.at(offset: size))
        if record == nil {
            log.raise(
                .tapeR1, at: place, expected: "an end of exchange \(exchange.head.number)",
                seen: "the recording stops here")
        }
        close(exchange, record, at: place)
    }

    /// Rule `http.H2`.
    private func checkLength(
        _ exchange: ExchangeAssembly, _ record: EndRecord?, _ body: BodyReader, at place: Place
    ) {
        // Where the head came, a failure is one of the body: framing that is none, for instance.
        if record?.how == .reset || record?.how == .failed {
            return raiseCut(exchange, record, at: place)
        }
        guard record?.how == .complete, body.isVerbatim,
            exchange.head.request.method != "HEAD", let head = exchange.response?.record,
            head.status != 204, head.status != 304,
            let announced = head.headers.first("Content-Length").flatMap({ Int($0) }),
            body.wireCount < announced
        else { return }
        log.raise(
            .httpH2, at: place.at(offset: UInt64(body.count)), expected: "\(announced) bytes",
            seen: Counted.text(body.wireCount, "byte"))
    }

    private func raiseCut(
        _ exchange: ExchangeAssembly, _ record: EndRecord?, at place: Place
    ) {
        let expected =
            switch record?.framing {
            case .length?: "as many bytes as Content-Length says"
            case .chunked?: "an end of the chunked body"
            case .close?, .http2?, nil: "an orderly end of the body"
            }
        let count = exchange.body?.wireCount ?? 0
        log.raise(
            .httpH2, at: place.at(offset: UInt64(exchange.body?.count ?? 0)), expected: expected,
            seen: record?.how == .reset
                ? "the connection was cut after \(Counted.text(count, "byte"))"
                : "it failed after \(Counted.text(count, "byte"))")
    }

    private func close(_ exchange: ExchangeAssembly, _ record: EndRecord?, at place: Place) {
        let number = exchange.head.number
        open[number] = nil
        if let frame = exchange.requestPlace.frame { requestFrames[frame] = nil }
        noteUse(exchange)
        result.exchanges.append(exchangeResult(exchange, record, at: place))
        if exchange.isStream || !exchange.runs.all.isEmpty {
            addStreams(exchange, record, at: place)
        }
        log.forget(number)
    }

    private func exchangeResult(
        _ exchange: ExchangeAssembly, _ record: EndRecord?, at place: Place
    ) -> ExchangeResult {
        let head = exchange.head
        let socket = exchange.socket?.result
        return ExchangeResult(
            number: head.number, method: SeenText.shown(head.request.method),
            path: SeenText.shown(head.path), dialect: exchange.dialect.name,
            call: head.request.call, status: exchange.response?.record.status, end: record?.how,
            code: record?.code.map(SeenText.shown), start: head.start,
            response: exchange.response?.place.time.map { $0 - head.start },
            duration: record == nil ? nil : place.time.map { $0 - head.start },
            wireBytes: exchange.body?.wireCount ?? socket?.server.wireBytes ?? 0,
            bytes: exchange.body?.count ?? socket?.server.bytes ?? 0,
            phases: exchange.phases, socket: socket)
    }
}
