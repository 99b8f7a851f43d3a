internal import RepriseReport
internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// One line of `reprise show` for one frame.
struct ShowText {
    let sign: String
    let text: String
    let style: OutputStream.Style?
    /// More lines, for who wants everything.
    var details: [String] = []

    init(_ sign: String, _ text: String, _ style: OutputStream.Style? = nil) {
        self.sign = sign
        self.text = text
        self.style = style
    }

    /// - Parameter body: What is known of the frame's exchange; nil while it is not open.
    init(_ content: FrameContent, body: inout ShowBody?) {
        switch content {
        case .request(let record):
            body = ShowBody(record)
            self.init("→", "\(record.method) \(record.url)", .blue)
            details = Self.lines(record.headers)
        case .requestBody(let bytes): self.init("→", Self.bytes(bytes))
        case .requestEnd: self.init("→", "end of the request", .faint)
        case .response(let record):
            body?.begin(record)
            let words = ["\(record.status)", record.reason, "HTTP/\(record.version)"]
            let type = record.headers.first("Content-Type").map { ", \($0)" } ?? ""
            let codings = record.headers.contentCodings.map { ", \($0)" }.joined()
            let terms = body?.socket?.terms ?? ""
            self.init(
                "←", words.compactMap(\.self).joined(separator: " ") + type + codings + terms, .blue
            )
            details = Self.lines(record.headers)
        case .responseBody(let bytes):
            let text = body?.text(bytes) ?? Self.bytes(bytes)
            self.init("←", body?.socket == nil ? text : "no frame, \(text)")
        case .decodedBody(let bytes):
            body?.stop()
            self.init("←", "decoded, " + Self.bytes(bytes))
        case .socketFrame(let record):
            let socket = body?.socket ?? SocketText(request: [:], response: [:], bytes: Self.bytes)
            self.init(record.sender == .server ? "←" : "→", socket.read(record).text)
        case .end(let record):
            body = nil
            self.init(record)
        default: self.init(aside: content)
        }
    }

    private static func lines(_ headers: Headers) -> [String] {
        headers.fields.map { "\($0.name): \($0.value)" }
    }

    /// The size of some bytes, and the bytes where they are text.
    static func bytes(_ bytes: [UInt8]) -> String {
        let size = TapeArgument.counted(UInt64(bytes.count), "byte")
        guard !bytes.isEmpty, !bytes.contains(0) else { return size }
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains("\u{FFFD}")
        {
            return "\(size)  \(text)"
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // A cut may be inside a character; what is broken elsewhere is no text.
        let isCut: (Character) -> Bool = { $0 == "\u{FFFD}" }
        let inner = text.drop(while: isCut).reversed().drop(while: isCut)
        let isText = !inner.contains(where: isCut) && text.count - inner.count <= 6
        return isText && !inner.isEmpty ? "\(size)  \(text)" : size
    }
}

extension ShowText {
    private init(_ record: EndRecord) {
        var words = [record.how.rawValue]
        if let framing = record.framing { words.append(framing.rawValue) }
        if let proven = record.proven { words.append(proven ? "proven" : "not proven") }
        let text = words.joined(separator: ", ")
        let why = [record.code, record.message, record.coding?.description].compactMap(\.self)
            .joined(separator: ": ")
        self.init(
            "■", why.isEmpty ? text : "\(text): \(why)", record.how == .complete ? .green : .red)
        details = record.trailers.map(Self.lines) ?? []
    }

    /// What does not cross the wire.
    private init(aside content: FrameContent) {
        switch content {
        case .session(let record):
            self.init("·", "session \(record.session), \(record.wall), \(record.recorder)", .faint)
            details = record.labels.members.map { "\($0.key): \($0.value.serialized)" }
        case .client(let record):
            self.init(
                "·", "client \(record.client) \(JSON.object(record.config).serialized)", .faint)
        case .call(let record): self.init(record)
        case .tool(let record):
            let outcome = record.outcome.map { ", \($0.rawValue)" } ?? ""
            let value = (record.input ?? record.output).map { " \($0.serialized)" } ?? ""
            self.init("·", "tool \(record.name) \(record.state.rawValue)\(outcome)\(value)", .cyan)
        case .note(let text): self.init("·", "note: \(text)", .faint)
        case .entropy(let record):
            self.init("·", "drew \(record.purpose) \(record.value)", .faint)
        case .phases(let record): self.init("·", Self.text(record), .faint)
        case .masked(let record):
            let secret = record.secret.map { ", secret \($0)" } ?? ""
            self.init(
                "·",
                "masked \(Counted.text(record.length, "byte")) of frame \(record.frame) "
                    + "from byte \(record.offset) on, \(record.rule)\(secret)", .faint)
        case .reveal(let record):
            self.init(
                "·",
                "no secret: \(Counted.text(record.bytes.count, "byte")) of frame \(record.frame)",
                .faint)
        case .held(let duration):
            self.init("·", "the app held the stream for \(Self.milliseconds(duration))", .yellow)
        default:
            self.init("·", "a frame of kind \(content.kind.rawValue), unknown here", .faint)
        }
    }

    private init(_ record: CallRecord) {
        let head = "call \(record.call)"
        if let op = record.op {
            self.init("·", "\(head) \(op) \(record.args?.serialized ?? "")", .bold)
        } else if let error = record.error {
            self.init("·", "\(head) failed: \(error.serialized)", .red)
        } else {
            self.init("·", "\(head) done \(record.result?.serialized ?? "")", .bold)
        }
    }

    private static func text(_ record: PhasesRecord) -> String {
        let times = [
            ("lookup", record.lookup), ("connected", record.connect), ("TLS", record.tls),
            ("sent", record.sent), ("first byte", record.firstByte),
        ]
        var parts = times.compactMap { name, time in time.map { "\(name) \(milliseconds($0))" } }
        if record.reused == true { parts.append("connection used again") }
        if let name = record.protocolName { parts.append(name) }
        return parts.isEmpty ? "phases" : parts.joined(separator: ", ")
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000
        return "\(tenths / 10).\(abs(tenths % 10)) ms"
    }
}

/// The body of a response, decoded as it came; or the WebSocket in its place.
struct ShowBody {
    private let request: RequestRecord
    /// The WebSocket that was opened.
    private(set) var socket: SocketText?
    private var decoder: ContentDecoder?
    private var isCoded = false

    /// How much one delivery may decode to.
    private static let limit = 16 << 20

    init(_ request: RequestRecord) { self.request = request }

    mutating func begin(_ record: ResponseRecord) {
        if request.transport == .websocket && record.status == 101 {
            socket = SocketText(
                request: request.headers, response: record.headers, bytes: ShowText.bytes)
        }
        let codings = record.headers.contentCodings
        isCoded = !codings.isEmpty
        decoder = isCoded ? try? ContentDecoder(codings: codings, outputLimit: Self.limit) : nil
    }

    /// What is still coded from here on could not be decoded.
    mutating func stop() { decoder = nil }

    mutating func text(_ bytes: [UInt8]) -> String {
        guard isCoded else { return ShowText.bytes(bytes) }
        let size = TapeArgument.counted(UInt64(bytes.count), "byte")
        guard let decoder else { return "\(size), coded" }
        var output: [UInt8] = []
        do {
            try decoder.push(bytes, into: &output)
        } catch {
            self.decoder = nil
            return "\(size), which cannot be decoded: \(error)"
        }
        return "\(size), decoded \(ShowText.bytes(output))"
    }
}
