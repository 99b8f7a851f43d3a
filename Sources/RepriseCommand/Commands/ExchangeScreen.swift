internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// One exchange while a session plays: its body decoded and put into words.
struct ExchangeScreen {
    /// Something to show.
    enum Piece {
        /// A piece of the answer's text.
        case text(String)
        /// A line of its own.
        case line(String)
    }

    private var head: ExchangeHead
    private let dialect: (any Dialect)?
    private var reader: (any DialectReader)?
    private var decoder: ContentDecoder?
    private var events: SSEDecoder?
    private var count = 0
    private var isSound = true

    init(_ frame: Frame, _ record: RequestRecord, dialects: [any Dialect]) {
        let head = ExchangeHead(number: frame.exchange, request: record, start: frame.time)
        self.head = head
        dialect = dialects.first { $0.claims(head) }
        reader = dialect?.makeReader()
    }

    /// What a frame of the exchange adds.
    mutating func read(_ content: FrameContent, _ frame: Frame) -> [Piece] {
        switch content {
        case .requestBody(let bytes):
            head.append(body: bytes)
            return []
        case .response(let record):
            begin(record)
            return told(.request, frame) + told(.response(record), frame)
        case .responseBody(let bytes): return decoded(bytes, frame)
        case .decodedBody(let bytes):
            // What is still coded behind it could not be decoded.
            isSound = false
            return read(bytes, frame)
        case .socketFrame(let record):
            let sender = record.flags.contains(.fromServer) ? "server" : "client"
            let size = Counted.text(record.bytes.count, "byte")
            return [.line("\(sender) frame, opcode \(record.opcode), \(size)")]
        case .end:
            if events != nil || count == 0 { return [] }
            return [.line(Counted.text(count, "byte"))]
        default: return []
        }
    }

    private mutating func begin(_ record: ResponseRecord) {
        let codings = record.headers.contentCodings
        decoder = codings.isEmpty ? nil : try? ContentDecoder(codings: codings)
        isSound = codings.isEmpty || decoder != nil
        if record.headers.mediaType == "text/event-stream" { events = SSEDecoder() }
    }

    private mutating func decoded(_ bytes: [UInt8], _ frame: Frame) -> [Piece] {
        guard isSound else { return [] }
        guard let decoder else { return read(bytes, frame) }
        var output: [UInt8] = []
        do {
            try decoder.push(bytes, into: &output)
            return read(output, frame)
        } catch {
            isSound = false
            return read(output, frame) + [.line("the body cannot be decoded on: \(error)")]
        }
    }

    private mutating func read(_ bytes: [UInt8], _ frame: Frame) -> [Piece] {
        count += bytes.count
        var pieces: [Piece] = []
        for item in events?.push(bytes) ?? [] {
            guard case .event(let event) = item else { continue }
            pieces += show(event, frame)
        }
        return pieces
    }

    private mutating func show(_ event: SSEDecoder.Event, _ frame: Frame) -> [Piece] {
        guard dialect != nil else { return [.line(event.data)] }
        return told(
            .event(
                ExchangeUnit.StreamEvent(
                    type: event.type, bytes: event.dataBytes, dataOffset: UInt64(event.start))),
            frame)
    }

    /// What the dialect makes of a unit.
    private mutating func told(_ content: ExchangeUnit.Content, _ frame: Frame) -> [Piece] {
        let place = Place(exchange: frame.exchange, frame: frame.number, time: frame.time)
        var output = DialectOutput()
        reader?.read(ExchangeUnit(content, of: head, at: place), into: &output)
        return output.events.compactMap { event in
            switch event.kind {
            case .text(let text), .reasoning(let text): .text(text)
            case .toolCall(let call): .line("tool \(call.name ?? call.id)")
            case .card(let id): .line("card \(id)")
            case .ended(let ending): .line("answer \(ending.rawValue)")
            default: nil
            }
        }
    }
}
