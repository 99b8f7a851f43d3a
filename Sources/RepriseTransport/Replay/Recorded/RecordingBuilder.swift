package import RepriseTape
internal import RepriseWire

/// Makes a ``Recording`` of frames.
package struct RecordingBuilder {
    private var recording = Recording()
    private var reveals: [RevealRecord] = []
    private var masks = MaskMap()
    private var order = FrameOrder()

    package init() {}

    /// Takes the next frame of the tape.
    package mutating func add(_ frame: Frame) throws(TapeError) {
        if frame.kind == .masked, case .masked(let record) = try frame.content() {
            masks.add(record)
        } else if frame.kind == .reveal, case .reveal(let record) = try frame.content() {
            masks.reveal(record)
            reveals.append(record)
        }
        recording.frames.append(frame)
    }

    /// Takes what the reader found wrong.
    package mutating func add(_ damage: Damage) {
        recording.damages.append(damage)
        if recording.frames.isEmpty { order.read(damage) }
    }

    /// The recording of all that was taken.
    ///
    /// - Throws: ``TapeError`` with code `badFrame` for a frame that is not of its kind.
    package consuming func finish(isSealed: Bool) throws(TapeError) -> Recording {
        recording.isSealed = isSealed
        for reveal in reveals {
            guard let place = recording.frames.place(ofNumber: reveal.frame) else { continue }
            recording.frames[place].restore(reveal)
        }
        recording.masks = masks.masks
        var index = Index()
        for frame in recording.frames {
            let content = try frame.content()
            order.read(frame, content)
            try index.add(content, of: frame)
        }
        recording.problems = order.finish().map(\.description)
        index.fill(&recording)
        return recording
    }
}

/// What belongs together, while frames are read in order.
private struct Index {
    private var session: SessionRecord?
    private var clients: [Recording.Client] = []
    private var calls: [Recording.Call] = []
    private var places: [UInt64: Int] = [:]
    private var exchanges: [Recording.Exchange] = []
    private var exchangePlaces: [UInt64: Int] = [:]
    private var entropy: [EntropyRecord] = []
    private var tools: [Recording.Tool] = []

    mutating func add(_ content: FrameContent, of frame: Frame) throws(TapeError) {
        switch content {
        case .session(let record): session = session ?? record
        case .client(let record):
            clients.append(Recording.Client(record: record, frame: frame.number))
        case .call(let record): add(record, of: frame)
        case .entropy(let record): entropy.append(record)
        case .tool(let record): add(record, of: frame)
        case .request(let record):
            exchangePlaces[frame.exchange] = exchanges.count
            exchanges.append(
                Recording.Exchange(
                    id: frame.exchange, request: record, time: frame.time, frame: frame.number))
        case .requestBody, .requestEnd, .phases, .response, .responseBody, .decodedBody, .end,
            .socketFrame:
            guard let place = exchangePlaces[frame.exchange] else { return }
            exchanges[place].events.append(
                Recording.Event(content: content, time: frame.time, frame: frame.number))
        case .note, .masked, .held, .reveal, .unknown: break
        }
    }

    private mutating func add(_ record: CallRecord, of frame: Frame) {
        if let op = record.op {
            places[record.call] = calls.count
            calls.append(
                Recording.Call(
                    number: record.call, client: record.client, op: op, args: record.args ?? .null,
                    beginFrame: frame.number, beginTime: frame.time))
        } else if let place = places[record.call] {
            calls[place].outcome = Recording.Outcome(record)
            calls[place].endFrame = frame.number
            calls[place].endTime = frame.time
        }
    }

    /// Of two runs of one call the first that has no end is the one that ends.
    private mutating func add(_ record: ToolRecord, of frame: Frame) {
        if record.state == .started {
            tools.append(
                Recording.Tool(
                    started: record, beginFrame: frame.number, beginTime: frame.time))
        } else if let place = tools.firstIndex(where: { $0.isOpen && $0.isOf(record) }) {
            tools[place].finished = record
            tools[place].endTime = frame.time
        }
    }

    func fill(_ recording: inout Recording) {
        recording.session = session
        recording.clients = clients
        recording.calls = calls
        recording.entropy = entropy
        recording.tools = tools
        // Requests of one session can be stamped out of the order they were written in.
        recording.exchanges = exchanges.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }
}

extension Recording.Tool {
    fileprivate var isOpen: Bool { finished == nil }

    fileprivate func isOf(_ record: ToolRecord) -> Bool {
        started.call == record.call && started.id == record.id
    }
}
