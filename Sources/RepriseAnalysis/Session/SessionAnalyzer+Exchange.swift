internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

extension SessionAnalyzer {
    /// An exchange opens.
    func begin(_ record: RequestRecord, at place: Place) {
        let number = place.exchange
        // A number that is used again: what was open under it never ended.
        if let before = open[number] { end(before, nil, at: before.lastPlace) }
        let head = ExchangeHead(number: number, request: record, start: place.time ?? 0)
        let exchange = ExchangeAssembly(
            head, at: place, choice: table.choose(for: head), floor: options.stallFloor)
        open[number] = exchange
        if let frame = place.frame { requestFrames[frame] = number }
        turns.open(head)
    }

    /// Something of an open exchange.
    func read(_ content: FrameContent, of exchange: ExchangeAssembly, at place: Place) {
        exchange.lastPlace = place
        switch content {
        case .requestBody(let bytes): exchange.head.append(body: bytes)
        case .requestEnd: tellRequest(exchange)
        case .phases(let record): exchange.phases = record.bounded
        case .response(let record): respond(record, of: exchange, at: place)
        case .responseBody(let bytes):
            if let socket = exchange.socket {
                take(socketBytes: bytes, socket, of: exchange, at: place)
            } else {
                take(bytes, isDecoded: false, of: exchange, at: place)
            }
        case .socketFrame(let record): take(record, of: exchange, at: place)
        case .decodedBody(let bytes):
            take(bytes, isDecoded: true, of: exchange, at: place)
        case .end(let record): end(exchange, record, at: place)
        default: break
        }
    }

    func tellRequest(_ exchange: ExchangeAssembly) {
        guard !exchange.isRequestTold else { return }
        exchange.isRequestTold = true
        exchange.expectation = exchange.dialect.expectation(for: exchange.head)
        tell(.request, of: exchange, at: exchange.requestPlace)
    }

    private func respond(
        _ record: ResponseRecord, of exchange: ExchangeAssembly, at place: Place
    ) {
        tellRequest(exchange)
        exchange.response = (record, place)
        let isFailure =
            exchange.isSocket
            ? record.status != 101 : record.status >= 300 && !exchange.expects(record.status)
        if isFailure {
            log.raise(
                .httpH1, at: place,
                expected: exchange.isSocket ? "status 101" : "a status below 300",
                seen: "\(record.status)")
        }
        if exchange.isSocket { openSocket(record, of: exchange, at: place) }
        tell(.response(record), of: exchange, at: place)
        if exchange.socket != nil { return }
        let form = form(of: record, of: exchange, at: place)
        do {
            exchange.body = try BodyReader(form, codings: record.headers.contentCodings)
        } catch {
            exchange.isReadable = false
            exchange.body = try? BodyReader(.unread, codings: [])
            log.raise(
                .httpH5, at: place, expected: "gzip, deflate or none",
                seen: SeenText.quoted(error.coding))
        }
    }

    /// What the body is read as.
    private func form(
        of record: ResponseRecord, of exchange: ExchangeAssembly, at place: Place
    ) -> BodyReader.Form {
        guard (200..<300).contains(record.status), !exchange.isSocket else {
            exchange.isReadable = false
            return .unread
        }
        let type = record.headers.mediaType
        let isEvents = type == "text/event-stream"
        switch exchange.expectation.body {
        case .eventStream:
            guard let type else {
                exchange.lacksContentType = true
                return .unread
            }
            if !isEvents { refuse(type, of: exchange, at: place) }
            exchange.isEventStream = isEvents
            return isEvents ? .events(SSEDecoder()) : .unread
        case .json, .reply: return .json([])
        case .any:
            exchange.isEventStream = isEvents
            if isEvents { return .events(SSEDecoder()) }
            let isJSON = type == "application/json" || type?.hasSuffix("+json") ?? false
            return isJSON ? .json([]) : .unread
        }
    }

    private func refuse(_ type: String?, of exchange: ExchangeAssembly, at place: Place) {
        exchange.isReadable = false
        log.raise(
            .httpH3, at: place, expected: "text/event-stream",
            seen: type.map(SeenText.quoted) ?? "no content type")
    }

    private func take(
        _ bytes: [UInt8], isDecoded: Bool, of exchange: ExchangeAssembly, at place: Place
    ) {
        guard var body = exchange.body else { return }
        if exchange.lacksContentType && !bytes.isEmpty {
            exchange.lacksContentType = false
            refuse(nil, of: exchange, at: place)
        }
        let start = UInt64(body.count)
        if !bytes.isEmpty { exchange.meter.arrive(at: place.at(offset: start)) }
        exchange.body = nil
        let items = isDecoded ? body.push(decoded: bytes) : body.push(bytes)
        exchange.body = body
        for item in items { take(item, of: exchange, at: place) }
    }
}

extension SessionAnalyzer {
    /// Something that the body's bytes made.
    func take(_ item: BodyReader.Item, of exchange: ExchangeAssembly, at place: Place) {
        switch item {
        case .event(let event): take(event, of: exchange, at: place)
        case .comment(let start):
            let place = place.at(offset: UInt64(start))
            tell(.comment, of: exchange, at: place)
        case .remark(let remark):
            guard let breach = remark.breach else { return }
            log.raise(
                breach.rule, at: place.at(offset: UInt64(remark.start)),
                expected: breach.expected, seen: breach.seen)
        case .json(let bytes): takeDocument(bytes, of: exchange, at: place)
        case .fault(let error):
            // What follows the end takes nothing from what was before it.
            if error.kind != .trailingBytes { exchange.isReadable = false }
            log.raise(
                .httpH4, at: place.at(offset: UInt64(error.offset)),
                expected: "\(error.coding) to its end", seen: error.description)
        }
    }

    private func take(
        _ event: SSEDecoder.Event, of exchange: ExchangeAssembly, at place: Place
    ) {
        if !exchange.isDialectSettled { settle(exchange, firstEvent: event.data) }
        let place = place.at(offset: UInt64(event.start))
        let content = ExchangeUnit.StreamEvent(
            type: event.type, bytes: event.dataBytes,
            dataOffset: UInt64(event.offset(ofDataByte: 0)))
        log.note(
            SeenEvent(
                bytes: event.dataBytes, start: UInt64(event.start), end: UInt64(event.end),
                dataStart: content.dataOffset, time: place.time),
            of: exchange.head.number)
        exchange.meter.event(at: place)
        let events = tell(.event(content), of: exchange, at: place)
        let isHeartbeat = !events.isEmpty && events.allSatisfy { $0.kind == .heartbeat }
        exchange.meter.eventEnds(isHeartbeat: isHeartbeat)
    }

    /// The request told nothing; the first event may.
    func settle(_ exchange: ExchangeAssembly, firstEvent data: String) {
        exchange.isDialectSettled = true
        guard let choice = table.choose(firstEvent: data, of: exchange.head) else { return }
        exchange.dialect = choice.dialect
        exchange.reason = choice.reason
        exchange.expectation = choice.dialect.expectation(for: exchange.head)
        tell(.request, of: exchange, at: exchange.requestPlace)
        if let response = exchange.response {
            tell(.response(response.record), of: exchange, at: response.place)
        }
    }

    private func takeDocument(
        _ bytes: [UInt8], of exchange: ExchangeAssembly, at place: Place
    ) {
        if bytes.isEmpty && exchange.expectation.body == .any { return }
        let start = place.at(offset: 0)
        log.note(
            SeenEvent(
                bytes: bytes, start: 0, end: UInt64(bytes.count) + 1, dataStart: 0,
                time: place.time),
            of: exchange.head.number)
        var output = DialectOutput()
        do {
            let value = try output.parse(bytes, at: start)
            for violation in output.violations { log.add(violation) }
            tell(.document(value), of: exchange, at: start)
        } catch {
            exchange.isReadable = false
            log.raise(
                .jsonJ1, at: place.at(offset: UInt64(error.offset)),
                expected: "JSON (\(error.message))",
                seen: SeenText.quoted(String(decoding: bytes, as: UTF8.self)))
        }
    }
}

extension PhasesRecord {
    /// The same with times that can be added.
    fileprivate var bounded: PhasesRecord {
        var record = self
        for field in [\PhasesRecord.lookup, \.connect, \.tls, \.sent, \.firstByte] {
            record[keyPath: field] = record[keyPath: field].map(SessionAnalyzer.bounded)
        }
        return record
    }
}
