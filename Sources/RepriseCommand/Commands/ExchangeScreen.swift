internal import RepriseReport
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
    private let dialects: [any Dialect]
    private var reader: (any DialectReader)?
    private var decoder: ContentDecoder?
    private var events: SSEDecoder?
    private var socket: SocketText?
    /// How many more messages of a socket may tell its dialect.
    private var claims = 8
    /// Which of the runs that a connection carries was shown last.
    private var run: String?
    private var count = 0
    private var isSound = true

    init(_ frame: Frame, _ record: RequestRecord, dialects: [any Dialect]) {
        let head = ExchangeHead(number: frame.exchange, request: record, start: frame.time)
        self.head = head
        self.dialects = dialects
        reader = dialects.first { $0.claims(head) }?.makeReader()
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
            return read(record, frame)
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
        if head.request.transport == .websocket {
            socket = SocketText(
                request: head.request.headers, response: record.headers, bytes: ShowText.bytes)
        }
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
        guard reader != nil else { return [.line(event.data)] }
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
        return output.events.flatMap { show($0) }
    }

    /// An event; before the first of another run, which run it is.
    private mutating func show(_ event: SessionEvent) -> [Piece] {
        let piece: Piece
        switch event.kind {
        case .text(let text), .reasoning(let text): piece = .text(text)
        case .toolCall(let call): piece = .line("tool \(call.name ?? call.id)")
        case .card(let id): piece = .line("card \(id)")
        case .ended(let ending): piece = .line("answer \(ending.rawValue)")
        default: return []
        }
        guard let run = event.run, run != self.run else { return [piece] }
        self.run = run
        return [.line("run \(run)"), piece]
    }
}

/// WebSockets.
extension ExchangeScreen {
    /// What a dialect makes of a message, and else the words for the frame. Where there is a dialect,
    /// pings are of no more matter than comments of an event stream.
    private mutating func read(_ record: SocketFrameRecord, _ frame: Frame) -> [Piece] {
        let socket =
            self.socket ?? SocketText(request: [:], response: [:], bytes: ShowText.bytes)
        self.socket = socket
        let (text, events) = socket.read(record)
        var pieces: [Piece] = []
        var isTold = true
        for event in events {
            switch event {
            case .message(let message) where message.isValid && message.kind == .text:
                settle(message)
                pieces += told(
                    .message(
                        ExchangeUnit.SocketMessage(
                            isFromServer: record.sender == .server, isText: true,
                            bytes: message.bytes)), frame)
            case .ping, .pong: break
            case .message, .close, .violation, .unreadable: isTold = false
            }
        }
        if reader != nil, isTold { return pieces }
        return pieces + [.line("\(record.sender.rawValue) \(text)")]
    }

    /// Finds the dialect of a socket whose address says none.
    private mutating func settle(_ message: WebSocketMessage) {
        guard reader == nil, claims > 0 else { return }
        claims -= 1
        reader = dialects.first { $0.claims(firstEvent: message.text, of: head) }?.makeReader()
    }
}
