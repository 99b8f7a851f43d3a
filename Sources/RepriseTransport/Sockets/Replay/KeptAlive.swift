internal import RepriseTape
internal import RepriseWire

/// What kept a recorded WebSocket alive: messages of the client that only ask whether the server is
/// there, and its answers.
struct KeptAlive: Sendable {
    /// How soon behind its question an answer of the tape has to come, beyond the time that it took,
    /// to be the one to that.
    private static let slack: Int64 = 250_000_000

    /// What answers what the tape does not: the last answer, not deflated; nil for nothing.
    private(set) var answer: WebSocketFrame?
    /// Whether the client asked once more than the server answered.
    private(set) var isLeftOpen = false
    /// How long each answer took, by the place of the event that completes it.
    private var answers: [(place: Int, delay: Int64)] = []

    /// Nothing did.
    init() {}

    /// - Parameters:
    ///   - events: What the server did.
    ///   - questions: When the client asked.
    init(
        _ events: [SocketScript.Event], questions: [Int64], deflate: PerMessageDeflate?,
        options: SocketOptions
    ) {
        guard !questions.isEmpty else {
            answer = options.keepAliveAnswer.map { WebSocketFrame(.text, Array($0.utf8)) }
            return
        }
        var last = Int64.min
        let reader = WebSocketReader(sender: .server, deflate: deflate, limits: options.limits)
        for (place, event) in events.enumerated() {
            guard case .socketFrame(let record) = event.content else { continue }
            for case .message(let message) in reader.receive(record.frame)
            where options.isKeepAlive(message) {
                guard let asked = questions.last(where: { $0 <= event.time }) else { continue }
                answers.append((place, event.time.saturatingSubtract(asked)))
                answer = WebSocketFrame(message.kind == .text ? .text : .binary, message.bytes)
                last = event.time
            }
        }
        isLeftOpen = questions.contains { $0 > last }
    }

    /// Whether an answer of the tape comes to what is asked now.
    ///
    /// - Parameters:
    ///   - place: The first event that has not come.
    ///   - isDue: Whether an event comes by then without the client doing more.
    func comes(from place: Int, now: Int64, isDue: (_ place: Int, _ time: Int64) -> Bool) -> Bool {
        guard let next = answers.first(where: { $0.place >= place }) else { return false }
        return isDue(next.place, now.saturatingAdd(next.delay).saturatingAdd(Self.slack))
    }
}
