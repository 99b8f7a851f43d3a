import RepriseSession
import RepriseTape
import RepriseWire

/// One stream of a reply, as far as it has come.
struct ChatbaseStream: Sendable {
    /// Which of the session's turns it belongs to.
    let turn: Int
    var state = ReplyState()
    var verifier = BracketVerifier(ChatbaseProfile.stream)
    /// Texts that text-start opened and nothing closed.
    var openTexts: Set<String> = []
    /// Whether any text-start came, and the first text that came before one.
    var usesTextStart = false
    var bareText: Place?
    /// Where finish came.
    var finishPlace: Place?
    /// Whether `[DONE]` came.
    var isDone = false
    /// Calls whose arguments came in pieces, and calls that this stream brought an output of.
    var piecewise: Set<String> = []
    var answered: Set<String> = []
    /// Whether it came whole, as one JSON text.
    var isReply = false
    /// What was raised that is raised once in a stream.
    private var raised: Set<String> = []

    init(turn: Int) { self.turn = turn }

    /// What a stream tells beside itself.
    struct Surroundings {
        var turn: TurnTally
        var calls: ChatbaseCalls
        var output: DialectOutput
    }

    /// Takes the data of an event in.
    mutating func read(
        _ event: ExchangeUnit.StreamEvent, at place: Place, in around: inout Surroundings
    ) {
        let place = place.at(offset: event.dataOffset)
        if event.bytes.elementsEqual("[DONE]".utf8) { return readDone(at: place, in: &around) }
        // A comment sent as data is `sse.S5`.
        if event.bytes.first == UInt8(ascii: ":") { return }
        do {
            let document = try around.output.document(event.bytes, at: place)
            let name = event.type == "message" ? nil : event.type
            guard let part = StreamPart(document, event: name) else {
                return around.output.raise(
                    .jsonJ2, at: place, expected: "an object with type: string",
                    seen: SeenText.quoted(event.data))
            }
            check(part, at: place, in: &around)
            take(part, at: place, in: &around)
        } catch {
            around.output.raise(
                .jsonJ1, at: place.at(offset: event.dataOffset + UInt64(error.offset)),
                expected: "JSON (\(error.message))", seen: SeenText.quoted(event.data))
        }
    }

    mutating func readDone(at place: Place, in around: inout Surroundings) {
        if isDone { raiseOnce(ChatbaseRules.b2b, "nothing", "[DONE]", at: place, in: &around) }
        isDone = true
        around.output.emit(.other("[DONE]"), at: place)
    }

    /// Takes a part in, its members being as they should.
    mutating func take(
        _ part: StreamPart, at place: Place, in around: inout Surroundings
    ) {
        checkOrder(part, at: place, in: &around)
        for case .textChunk(let text) in state.apply(part) {
            around.output.emit(.text(text), at: place)
        }
        switch part.kind {
        case .textDelta: break
        case .reasoningDelta where part.delta?.isEmpty == false:
            around.output.emit(.reasoning(part.delta ?? ""), at: place)
        case .toolInputStart, .toolInputDelta, .toolInputAvailable:
            readInput(part, at: place, in: &around)
        case .toolOutputAvailable, .toolOutputError: readOutput(part, at: place, in: &around)
        case .error: around.output.emit(.ended(.failed), at: place)
        case .finish where finishPlace == nil: readFinish(at: place, in: &around)
        default: around.output.emit(.other(part.kind.rawValue), at: place)
        }
        if let id = state.info.conversationId, id != around.turn.conversation {
            around.turn.name(id, at: place, into: &around.output)
            around.output.emit(.namesTurn("conversation:\(id)"), at: place)
        }
    }

    /// Rules `chatbase.B11a` and `json.J2`.
    private func check(_ part: StreamPart, at place: Place, in around: inout Surroundings) {
        if !part.kind.isKnown {
            around.output.raise(
                ChatbaseRules.b11a, at: place, expected: "a known type", seen: part.kind.rawValue)
        }
        for mismatch in part.mismatches {
            around.output.raise(
                .jsonJ2, at: place, expected: "\(mismatch.path): \(mismatch.expected.rawValue)",
                seen: "\(mismatch.path): \(mismatch.found.rawValue)")
        }
        guard part.mismatches.isEmpty, let missing = missing(in: part) else { return }
        around.output.raise(
            .jsonJ2, at: place, expected: "\(missing) in \(part.kind.rawValue)",
            seen: "\(missing): missing")
    }

    /// What the iOS SDK needs and other clients do without.
    private func missing(in part: StreamPart) -> String? {
        switch part.kind {
        case .start where part.messageId == nil: "messageId"
        // The facts may have come before, in older forms of the protocol.
        case .finish where part.metadata == nil && state.metadata.members.isEmpty:
            "messageMetadata"
        default: nil
        }
    }

    mutating func raiseOnce(
        _ rule: Rule, _ expected: String, _ seen: String, at place: Place,
        in around: inout Surroundings
    ) {
        guard raised.insert(rule.id).inserted else { return }
        around.output.raise(rule, at: place, expected: expected, seen: seen)
    }
}
