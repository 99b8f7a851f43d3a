import RepriseSession
import RepriseWire

/// One run of an agent on one socket, as far as it has come.
struct CometChatRun: Sendable {
    /// What tells it from others.
    let key: Int64
    /// `id` of its first event.
    let bodyId: Int64?
    /// Whether events of it are missing, because the connection that carried it was lost.
    var isPartial = false
    private(set) var isFinished = false
    /// Whether the service has persisted its reply.
    private(set) var hasReply = false
    var content = CometChatContent()
    var calls = CometChatToolCalls()
    var verifier = BracketVerifier(CometChatProfile.run)
    /// Brackets that a fault opened, or left open: what follows from it is no fault of its own.
    var faulty: Set<String> = []
    /// What came within another bracket, by that, and where.
    var interleaved: [String: (what: String, place: Place)] = [:]
    private var raised: Set<String> = []
    private var threadId = ""
    /// Persisted messages that came before it finished.
    private var early: [(message: ChatMessage, place: Place)] = []

    init(_ event: AgentEvent, key: Int64) {
        self.key = key
        bodyId = event.id
    }

    /// Its name.
    var name: String { String(key) }

    /// What a call of a tool is called in the session: ids need be their own in a run only.
    func subject(_ call: String) -> String { "\(name)/\(call)" }

    /// Takes an event of a known kind in.
    mutating func read(
        _ event: AgentEvent, at place: Place, into output: inout DialectOutput
    ) {
        guard let kind = event.kind else { return }
        let wasFinished = isFinished
        checkThread(event, at: place, into: &output)
        if !event.hasData {
            output.raise(
                CometChatRules.c15b, at: place, expected: "data in \(event.type)", seen: "none")
        } else if let missing = event.missing.first, event.mismatches.isEmpty {
            output.raise(
                .jsonJ2, at: place, expected: "data.\(missing) in \(event.type)",
                seen: "data.\(missing): missing")
        }
        let isFrame = kind == .runStarted || kind == .runFinished
        guard isFrame || (event.hasData && event.bracketKey != nil) else {
            return output.emit(.other(event.type), at: place, run: name)
        }
        checkOrder(event, kind, at: place, into: &output)
        guard !wasFinished else {
            return output.emit(.other(event.type), at: place, run: name)
        }
        take(event, kind, at: place, into: &output)
    }

    private mutating func take(
        _ event: AgentEvent, _ kind: AgentEventKind, at place: Place,
        into output: inout DialectOutput
    ) {
        switch kind {
        case .toolCallStart, .toolCallArgs, .toolCallEnd, .toolCallResult:
            readTool(event, kind, at: place, into: &output)
        case .textMessageStart, .textMessageContent, .textMessageEnd:
            readText(event, kind, at: place, into: &output)
        case .card:
            content.add(card: event.cardId)
            output.emit(.card(id: event.cardId), at: place, run: name)
        case .cardEnd:
            if !faulty.contains("card \(event.cardId)") {
                content.end(card: event.cardId, at: place)
            }
            output.emit(.other(event.type), at: place, run: name)
        case .runFinished: finish(at: place, into: &output)
        default: output.emit(.other(event.type), at: place, run: name)
        }
    }

    /// Rule `cometchat.C16b`.
    private mutating func checkThread(
        _ event: AgentEvent, at place: Place, into output: inout DialectOutput
    ) {
        guard !event.threadId.isEmpty, event.threadId != threadId else { return }
        if !threadId.isEmpty {
            output.raise(
                CometChatRules.c16b, at: place, expected: SeenText.quoted(threadId),
                seen: SeenText.quoted(event.threadId))
        }
        threadId = event.threadId
    }

    /// Whether its beginning is missing, so that more may be.
    private var isHeadless: Bool { raised.contains("\(CometChatRules.c1.id) ") }

    /// Raises a rule once for what it is about.
    mutating func raiseOnce(
        _ rule: Rule, about key: String = "", at place: Place, expected: String, seen: String,
        subject: String? = nil, into output: inout DialectOutput
    ) {
        guard raised.insert("\(rule.id) \(key)").inserted else { return }
        output.raise(rule, at: place, expected: expected, seen: seen, subject: subject)
    }
}

extension CometChatRun {
    private mutating func readText(
        _ event: AgentEvent, _ kind: AgentEventKind, at place: Place,
        into output: inout DialectOutput
    ) {
        let key = event.textKey
        switch kind {
        case .textMessageStart: content.begin(text: key)
        case .textMessageContent:
            checkDelta(event, at: place, into: &output)
            for call in calls.open {
                interleaved["tool \(call)"] = ("a text within a tool call", place)
            }
            let text = content.add(event.delta ?? "", event.deltaSurrogates, to: key)
            if !text.isEmpty { return output.emit(.text(text), at: place, run: name) }
        default:
            raiseInterleaved("text \(key)", into: &output)
            let rest = content.end(text: key)
            if !rest.isEmpty { return output.emit(.text(rest), at: place, run: name) }
        }
        output.emit(.other(event.type), at: place, run: name)
    }

    /// Rule `cometchat.C15c`.
    func checkDelta(
        _ event: AgentEvent, at place: Place, into output: inout DialectOutput
    ) {
        guard event.delta?.isEmpty == true else { return }
        output.raise(
            CometChatRules.c15c, at: place, expected: "a delta that is not empty",
            seen: "an empty one in \(event.type)")
    }

    /// Rule `cometchat.C15d`, once what was interrupted ends: else that it does not is the fault.
    mutating func raiseInterleaved(_ bracket: String, into output: inout DialectOutput) {
        guard let (what, place) = interleaved[bracket] else { return }
        raiseOnce(
            CometChatRules.c15d, at: place, expected: "texts and tool calls one after the other",
            seen: what, into: &output)
    }

    private mutating func finish(at place: Place, into output: inout DialectOutput) {
        isFinished = true
        if !isPartial {
            if !content.hasText && !isHeadless {
                output.raise(
                    CometChatRules.c10, at: place, expected: "a text in the run", seen: "none")
            }
            for (card, place) in content.emptyCards {
                output.raise(
                    CometChatRules.c7e, at: place, expected: "card for \(card) before it",
                    seen: "none")
            }
            for (id, call) in calls.unanswered {
                output.raise(
                    CometChatRules.c12, at: place, expected: "a result",
                    seen: "none for \(call ?? "the call") \(id)", subject: subject(id))
            }
        }
        let rest = content.end()
        if !rest.isEmpty { output.emit(.text(rest), at: place, run: name) }
        output.emit(.ended(.finished), at: place, run: name)
        for (message, place) in early {
            output.raise(
                CometChatRules.c14, at: place, expected: "run_finished before it",
                seen: "a message of type \(message.type)")
            compare(message, at: place, into: &output)
        }
        early = []
    }

    /// A message of the run was persisted.
    mutating func persist(
        _ message: ChatMessage, at place: Place, isHistory: Bool, into output: inout DialectOutput
    ) {
        if message.agenticKind == .assistant { hasReply = true }
        guard isFinished else {
            // What is fetched may be older than what is streamed.
            if !isPartial && !isHistory { early.append((message, place)) }
            return
        }
        compare(message, at: place, into: &output)
    }

    private mutating func compare(
        _ message: ChatMessage, at place: Place, into output: inout DialectOutput
    ) {
        guard message.agenticKind == .assistant, !isPartial else { return }
        content.compare(message, at: place, into: &output)
    }
}
