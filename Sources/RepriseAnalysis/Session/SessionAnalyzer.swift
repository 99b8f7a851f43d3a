public import RepriseSession
public import RepriseTape
internal import RepriseWire

/// Reads one tape, frame by frame, and says what happened in it and what is wrong.
///
/// Memory grows with what is reported (streams, gaps, tools, violations) and with the exchanges
/// that are open at a time, not with the bytes on the tape. Not thread-safe.
public final class SessionAnalyzer {
    let options: AnalysisOptions
    var table: DialectTable
    private var readers: [String: any DialectReader] = [:]
    private var uses: [DialectUse] = []
    var open: [UInt64: ExchangeAssembly] = [:]
    /// Exchanges that are open, by the frame of their request.
    var requestFrames: [UInt64: UInt64] = [:]
    var turns = TurnLedger()
    var tools = ToolLedger()
    var log: ViolationLog
    var order = FrameOrder()
    var result = SessionResult()

    /// An analyzer for one tape.
    ///
    /// - Parameters:
    ///   - dialects: The vendors' dialects; what none of them knows is read as `generic`.
    ///   - options: How to analyze.
    public init(dialects: [any Dialect], options: AnalysisOptions = AnalysisOptions()) {
        self.options = options
        table = DialectTable(dialects, forced: options.dialect)
        log = ViolationLog(
            rules: Rule.general + dialects.flatMap(\.rules), configuration: options.rules)
    }

    /// Takes what a reader gives.
    public func read(_ item: TapeReader.Item) {
        switch item {
        case .frame(let frame): read(frame)
        case .damage(let damage): read(damage)
        }
    }

    /// Something is wrong with the tape itself.
    public func read(_ damage: Damage) {
        order.read(damage)
        switch damage.kind {
        case .unsealed:
            log.raise(
                .tapeR2, at: Place(),
                expected: "an end of the tape; `reprise repair` makes a sealed copy",
                seen: damage.message)
        case .lost where damage.rule == Rule.tapeR2.id:
            log.raise(
                .tapeR2, at: Place(), expected: "a whole tape", seen: damage.description)
        default:
            log.raise(
                .tapeR3, at: Place(), expected: "a whole tape", seen: damage.description)
        }
    }

    /// The next frame.
    public func read(_ frame: Frame) {
        let time = SessionAnalyzer.bounded(frame.time)
        result.duration = max(result.duration, time)
        let place = Place(exchange: frame.exchange, frame: frame.number, time: time)
        do {
            let content = try frame.content()
            order.read(frame, content)
            read(content, at: place)
        } catch {
            order.read(frame, nil)
            log.raise(
                .tapeR3, at: place, expected: "a frame of its kind", seen: error.description)
        }
    }

    /// A time within 36 years of the session's start: a recording may say anything, and times are
    /// subtracted and added.
    static func bounded(_ time: Int64) -> Int64 {
        min(max(time, -1 << 60), 1 << 60)
    }

    private func read(_ content: FrameContent, at place: Place) {
        switch content {
        case .session(let record): result.session = result.session ?? record
        case .client(let record): read(record)
        case .call(let record): read(record, at: place)
        case .tool(let record):
            let turn = record.call.flatMap { turns.turn(ofCall: $0) }
            tools.read(record, at: place, turn: turn)
        case .masked(let record): read(record)
        case .held(let duration): hold(duration, at: place)
        case .request(let record): begin(record, at: place)
        case .note(let text):
            for name in readers.keys.sorted() {
                tell(name, exchange: nil) { $0.read(note: text, at: place, into: &$1) }
            }
        case .entropy, .reveal, .unknown: break
        default:
            if let exchange = open[place.exchange] { read(content, of: exchange, at: place) }
        }
    }

    private func read(_ record: ClientRecord) {
        table.note(client: record.client)
        guard let dialect = table.named(record.client) else { return }
        ensureReader(dialect)
        tell(dialect.name, exchange: nil) { $0.read(record, into: &$1) }
    }

    private func read(_ record: CallRecord, at place: Place) {
        turns.read(record, at: place.time ?? 0, turnOperations: table.turnOperations)
        for name in readers.keys.sorted() {
            tell(name, exchange: nil) { $0.read(record, at: place, into: &$1) }
        }
    }

    private func read(_ record: MaskedRecord) {
        guard let number = requestFrames[record.frame], let secret = record.secret else { return }
        open[number]?.head.secrets.append(.init(rule: record.rule, number: secret))
    }

    /// A hold on the session itself is one of every stream.
    private func hold(_ duration: Int64, at place: Place) {
        for (number, exchange) in open where place.exchange == 0 || place.exchange == number {
            exchange.held(duration, until: place)
        }
    }
}

extension SessionAnalyzer {
    /// Tells the dialect of an exchange what came.
    ///
    /// - Returns: What the dialect made of it.
    @discardableResult
    func tell(
        _ content: ExchangeUnit.Content, of exchange: ExchangeAssembly, at place: Place
    ) -> [SessionEvent] {
        let unit = ExchangeUnit(content, of: exchange.head, at: place)
        ensureReader(exchange.dialect)
        return tell(exchange.dialect.name, exchange: exchange) { $0.read(unit, into: &$1) }
    }

    private func ensureReader(_ dialect: any Dialect) {
        if readers[dialect.name] == nil { readers[dialect.name] = dialect.makeReader() }
    }

    /// Lets a reader read, and takes what it says.
    @discardableResult
    private func tell(
        _ name: String, exchange: ExchangeAssembly?,
        _ body: (inout any DialectReader, inout DialectOutput) -> Void
    ) -> [SessionEvent] {
        // Out of the table while it is changed, so that its storage is not copied.
        guard var reader = readers.removeValue(forKey: name) else { return [] }
        var output = DialectOutput()
        body(&reader, &output)
        readers[name] = reader
        for violation in output.violations { log.add(violation) }
        for event in output.events { take(event, of: exchange) }
        return output.events
    }

    private func take(_ event: SessionEvent, of exchange: ExchangeAssembly?) {
        let assembly = exchange ?? open[event.place.exchange]
        // A run begins with its first event, and not with the connection that carries it.
        let start = event.run == nil ? assembly?.head.start : event.place.time
        turns.read(event, start: start ?? event.place.time ?? 0)
        let turn = turns.turn(of: event.place.exchange, run: event.run)
        tools.read(event, turn: turn, into: &log)
        assembly?.measure(event)
    }

    /// The tape ends: the readers say what shows only now.
    func finishReaders() {
        for name in readers.keys.sorted() {
            tell(name, exchange: nil) { $0.finish(into: &$1) }
        }
    }

    /// Counts which dialect read an exchange.
    func noteUse(_ exchange: ExchangeAssembly) {
        let (name, reason) = (exchange.dialect.name, exchange.reason)
        if let index = uses.firstIndex(where: { $0.name == name && $0.reason == reason }) {
            uses[index].exchanges += 1
        } else {
            uses.append(DialectUse(name: name, reason: reason, exchanges: 1))
        }
        result.dialects = uses
    }
}
