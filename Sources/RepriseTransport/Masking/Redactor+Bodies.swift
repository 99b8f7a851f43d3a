internal import RepriseTape
internal import RepriseWire

/// The bodies of an exchange while they are masked.
struct RedactedExchange {
    var sensitive: SensitivePaths
    var request: BodyMasker?
    /// Instead of `request`, where the body has a content coding.
    var codedRequest: UndecodedMasker?
    var response: ResponseMasker?
    /// The headers of a request for a WebSocket, until its response.
    var handshake: Headers?
    /// Instead of the other maskers, where the response opened a WebSocket.
    var socket: SocketMasker?
}

extension Redactor {
    /// An exchange begins, whose bodies hold secrets at the given paths.
    package mutating func open(exchange: UInt64, sensitive: SensitivePaths) {
        exchanges[exchange] = RedactedExchange(sensitive: sensitive)
    }

    /// An exchange is over; ``redact(_:exchange:time:frame:)`` of its `end` does the same.
    package mutating func close(exchange: UInt64) { exchanges[exchange] = nil }

    /// Gets ready for the body that follows a head.
    mutating func begin(_ head: FrameContent, _ exchange: UInt64) {
        var state = exchanges[exchange] ?? RedactedExchange(sensitive: SensitivePaths())
        switch head {
        case .request(let record):
            state.handshake = record.transport == .websocket ? record.headers : nil
            state.request = BodyMasker(
                mediaType: record.headers.mediaType, paths: state.sensitive.request)
            // Nothing decodes it, and a replay may cut it elsewhere: so all of it or nothing.
            state.codedRequest =
                record.headers.contentCodings.isEmpty
                ? nil : UndecodedMasker(paths: state.sensitive.request, isText: false)
        case .response(let record):
            state.response = ResponseMasker(record, paths: state.sensitive.response)
            if let handshake = state.handshake, record.status == 101 {
                let agreement = try? WebSocketAgreement(
                    request: handshake, response: record.headers)
                state.socket = SocketMasker(
                    deflate: agreement?.deflate, sensitive: state.sensitive)
            }
            state.handshake = nil
        default: break
        }
        exchanges[exchange] = state
    }

    mutating func redactBody(
        _ content: FrameContent, exchange: UInt64, time: Int64, frame: UInt64
    ) -> [Frame] {
        var state = exchanges[exchange] ?? RedactedExchange(sensitive: SensitivePaths())
        // No second reference while it is changed, or its arrays would be copied.
        exchanges[exchange] = nil
        defer { exchanges[exchange] = state }
        let masked = state.mask(content, frame: frame, table: &table)
        let contents =
            [masked.content] + masked.output.spans.map { .masked($0.record(frame: frame)) }
            + masked.output.corrections
        return contents.frames(exchange, time)
    }

    mutating func finishRequest(_ exchange: UInt64) -> [FrameContent] {
        defer { exchanges[exchange]?.request = nil }
        return exchanges[exchange]?.request?.finish(table: &table) ?? []
    }

    /// What is known at the end, and the end with it.
    mutating func finishExchange(
        _ exchange: UInt64, _ end: EndRecord
    ) -> (contents: [FrameContent], end: EndRecord) {
        defer { close(exchange: exchange) }
        var (contents, end) = (finishRequest(exchange), end)
        contents += exchanges[exchange]?.socket?.finish(table: &table) ?? []
        if var response = exchanges[exchange]?.response {
            contents += response.finish(isWhole: end.how == .complete, table: &table)
            end.coding = response.fault ?? end.coding
        }
        return (contents, end)
    }
}

extension RedactedExchange {
    fileprivate mutating func mask(
        _ content: FrameContent, frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        switch content {
        case .requestBody(let bytes) where codedRequest != nil:
            let output =
                codedRequest?.push(bytes, frame: frame, table: &table)
                ?? BodyMasker.Output(bytes: bytes)
            return (.requestBody(output.bytes), output)
        case .requestBody(let bytes):
            var masker = request.take() ?? BodyMasker(mediaType: nil, paths: sensitive.request)
            defer { request = masker }
            let output = masker.push(bytes, frame: frame, table: &table)
            return (.requestBody(output.bytes), output)
        case .responseBody(let bytes) where socket != nil:
            return socket?.push(stray: bytes, frame: frame, table: &table)
                ?? (content, BodyMasker.Output(bytes: bytes))
        case .responseBody(let bytes):
            var masker = takeResponse()
            defer { response = masker }
            return masker.push(bytes, frame: frame, table: &table)
        case .decodedBody(let bytes):
            var masker = takeResponse()
            defer { response = masker }
            return masker.pushDecoded(bytes, frame: frame, table: &table)
        case .socketFrame(let record):
            var masker = socket.take() ?? SocketMasker(deflate: nil, sensitive: sensitive)
            defer { socket = masker }
            return masker.push(record, frame: frame, table: &table)
        default: return (content, BodyMasker.Output(bytes: []))
        }
    }

    private mutating func takeResponse() -> ResponseMasker {
        response.take() ?? ResponseMasker(ResponseRecord(status: 200), paths: sensitive.response)
    }
}

extension [FrameContent] {
    func frames(_ exchange: UInt64, _ time: Int64) -> [Frame] {
        map { Frame($0, exchange: exchange, time: time) }
    }
}
