internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// A session as it plays in a terminal: a line for each thing that happened, and between them the
/// text of the answers as it streamed, indented, which no other line is: no text can look like
/// something that happened.
struct SessionScreen {
    private let output: OutputStream
    private let dialects: [any Dialect]
    private var exchanges: [UInt64: ExchangeScreen] = [:]
    /// The exchange whose text the last line holds, which has no end yet.
    private var writing: UInt64?
    private var text: IndentedText
    /// The columns of a terminal, which would break longer lines.
    private let width: Int?

    init(output: OutputStream, dialects: [any Dialect]) {
        self.output = output
        self.dialects = dialects
        width = output.isTerminal ? output.width : nil
        text = IndentedText(width: width)
    }

    /// Shows what a frame records.
    ///
    /// - Throws: ``TapeError`` for a frame that is not of its kind.
    mutating func show(_ frame: Frame) throws(TapeError) {
        switch try frame.content() {
        case .session(let record): show(record)
        case .client(let record):
            let address = record.config["baseURL"]?.string.map { " at \($0)" } ?? ""
            line("client \(record.client)\(address)", .faint)
        case .call(let record): show(record)
        case .note(let text): line("note: \(text)", .faint)
        case .tool(let record): show(record)
        case .request(let record): open(frame, record)
        case let content: pass(content, frame)
        }
    }

    /// Tells what has no end when the tape has one.
    mutating func finish() {
        for number in exchanges.keys.sorted() {
            mark(number, "■", "no end: the recorder died here", .red)
        }
        endLine()
    }
}

extension SessionScreen {
    private mutating func show(_ record: SessionRecord) {
        line("session \(record.session), \(record.wall), \(record.recorder)", .faint)
    }

    private mutating func show(_ record: CallRecord) {
        if let op = record.op {
            line("call \(record.call) \(op) \(Self.short(record.args ?? .null))", .bold)
        } else if let error = record.error {
            let code = error["code"]?.string ?? "an error"
            line("call \(record.call) failed: \(code)", .red)
        } else {
            line("call \(record.call) done", .bold)
        }
    }

    private mutating func show(_ record: ToolRecord) {
        let outcome = record.outcome.map { ": \($0.rawValue)" } ?? ""
        line("tool \(record.name) \(record.state.rawValue)\(outcome)", .cyan)
    }

    private mutating func open(_ frame: Frame, _ record: RequestRecord) {
        mark(frame.exchange, "→", "\(record.method) \(record.url)", .blue)
        exchanges[frame.exchange] = ExchangeScreen(frame, record, dialects: dialects)
    }

    private mutating func pass(_ content: FrameContent, _ frame: Frame) {
        guard var exchange = exchanges.removeValue(forKey: frame.exchange) else { return }
        for piece in exchange.read(content, frame) {
            switch piece {
            case .text(let text): write(text, of: frame.exchange)
            case .line(let text): mark(frame.exchange, "·", text, .faint)
            }
        }
        switch content {
        case .response(let record):
            let type = record.headers.mediaType.map { " \($0)" } ?? ""
            let codings = record.headers.contentCodings.joined(separator: ", ")
            let coding = codings.isEmpty ? "" : ", \(codings)"
            mark(frame.exchange, "←", "\(record.status)\(type)\(coding)", .blue)
        case .end(let record):
            let why = record.how == .complete ? nil : record.message ?? record.code
            mark(
                frame.exchange, "■", record.how.rawValue + (why.map { ": \($0)" } ?? ""),
                record.how == .complete ? .green : .red)
            return
        default: break
        }
        exchanges[frame.exchange] = exchange
    }

    private static func short(_ value: JSON) -> String {
        let text = value.serialized
        return text.count <= 200 ? text : text.prefix(199) + "…"
    }
}

extension SessionScreen {
    private mutating func mark(
        _ exchange: UInt64, _ sign: String, _ text: String, _ style: OutputStream.Style
    ) {
        line("\(sign) \(exchange) \(text)", style)
    }

    private mutating func line(_ text: String, _ style: OutputStream.Style) {
        endLine()
        let line = IndentedText.hanging(OutputStream.line(text), width: width)
        output.write(output.styled(line, style) + "\n")
    }

    /// Goes on with the text of an exchange; another exchange's begins a line of its own.
    private mutating func write(_ piece: String, of exchange: UInt64) {
        if writing != exchange { endLine() }
        output.write(text.push(OutputStream.printable(piece)))
        writing = text.isBegun ? exchange : nil
    }

    private mutating func endLine() {
        if writing != nil { output.write("\n") }
        writing = nil
        text.endLine()
    }
}
