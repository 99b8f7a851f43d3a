import RepriseSession
import RepriseTape
import RepriseWire

/// Reads one session of CometChat.
struct CometChatReader: DialectReader {
    var sockets: [UInt64: CometChatSocket] = [:]
    /// Runs whose socket is gone, by their keys: another socket may go on with one.
    var past: [Int64: CometChatRun] = [:]
    var queue = CometChatQueue()
    /// Ids that are agents' for certain.
    var agents: Set<String> = []
    /// Messages that are no text.
    var others: [(receiver: String, type: String, place: Place)] = []
    /// Keys of the runs that a turn has.
    var known: Set<Int64> = []
    /// Keys of the runs by the ids of the messages that they answer, and by the messages' exchanges
    /// where those have not answered yet.
    var answers: [Int64: Int64] = [:]
    var early: [UInt64: Int64] = [:]
    /// Keys of the runs that the app waited for in vain.
    var missed: Set<Int64> = []
    /// Messages whose runs an operation waits for, by its number.
    private var waits: [UInt64: Int64] = [:]

    mutating func read(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        let isSocket = unit.exchange.request.transport == .websocket
        switch unit.content {
        case .request where !isSocket: readRequest(unit, into: &output)
        case .response(let head) where !isSocket && head.status >= 300:
            queue.drop(unit.exchange.number)
        case .document(let value): readDocument(value, unit, into: &output)
        case .message(let message): read(message, unit, into: &output)
        case .end(let closing) where isSocket: end(unit, closing, into: &output)
        case .request, .response, .event, .comment, .end: break
        }
    }

    mutating func read(_ call: CallRecord, at place: Place, into output: inout DialectOutput) {
        if call.op == "run" {
            // Who waits for a run takes the receiver for an agent.
            if let agent = call.args?["agent"]?.string { agents.insert(agent) }
            waits[call.call] = call.args?["message"]?.integer
        } else if let message = waits.removeValue(forKey: call.call), let run = answers[message],
            call.error?["code"]?.string == "cometchat.runTimeout"
        {
            missed.insert(run)
        }
    }

    /// Rule `cometchat.P2`.
    mutating func read(note: String, at place: Place, into output: inout DialectOutput) {
        let prefix = "cometchat.listener.leaked "
        guard note.hasPrefix(prefix),
            let facts = try? JSON.parse(Array(note.dropFirst(prefix.count).utf8)).value
        else { return }
        let kind = facts["kind"]?.string.map { "\($0) " } ?? ""
        output.raise(
            CometChatRules.p2, at: place, expected: "no listener behind the session's end",
            seen: "\(kind)listener \(SeenText.quoted(facts["id"]?.string ?? ""))")
    }

    mutating func finish(into output: inout DialectOutput) {
        for exchange in queue.waiting {
            output.emit(
                .refusesTurn("request:\(exchange)", reason: "no run followed"), at: Place())
        }
        for other in others where agents.contains(other.receiver) {
            output.raise(
                CometChatRules.p1, at: other.place, expected: "a text message",
                seen: "one of type \(SeenText.quoted(other.type))")
        }
    }
}

/// Requests.
extension CometChatReader {
    private mutating func readRequest(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        guard case .message(let outgoing) = CometChatEndpoint(unit.exchange) else { return }
        guard outgoing.isText else {
            let type = outgoing.category == "message" ? outgoing.type : outgoing.category
            return others.append((outgoing.receiver, type, unit.place))
        }
        let number = unit.exchange.number
        output.emit(.opensTurn, at: unit.place)
        output.emit(.namesTurn("request:\(number)"), at: unit.place)
        queue.open(number, call: unit.exchange.request.call, outgoing)
    }

    private mutating func readDocument(
        _ value: JSON, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) {
        let endpoint = CometChatEndpoint(unit.exchange)
        CometChatReplies.check(value, of: endpoint, at: unit.place, into: &output)
        switch endpoint {
        case .message:
            guard let body = value["data"]?.object else { return }
            let message = ChatMessage(body)
            queue.answer(unit.exchange.number, message)
            if let run = early.removeValue(forKey: unit.exchange.number), let id = message.id {
                answers[id] = run
            }
            let receiver = body["data"]?["entities"]?["receiver"]?["entity"]
            if receiver?["role"]?.string == "@agentic" { agents.insert(message.receiver) }
            moderate(message, at: unit.place, into: &output)
        case .history:
            for case .object(let body) in value["data"]?.array ?? [] {
                persist(ChatMessage(body), unit, isHistory: true, into: &output)
            }
        case .user, .other: break
        }
    }

    /// What moderation made of a message.
    mutating func moderate(
        _ message: ChatMessage, at place: Place, into output: inout DialectOutput
    ) {
        guard message.moderation == .disapproved, let id = message.id,
            let exchange = queue.refuse(id)
        else { return }
        output.emit(
            .refusesTurn("request:\(exchange)", reason: "moderation disapproved the message"),
            at: place)
    }

    /// A message that the service keeps.
    mutating func persist(
        _ message: ChatMessage, _ unit: ExchangeUnit, isHistory: Bool,
        into output: inout DialectOutput
    ) {
        guard message.agenticKind != nil else { return }
        agents.insert(message.sender)
        guard let key = message.runId else { return }
        let number = unit.exchange.number
        if sockets[number]?.runs[key] != nil {
            sockets[number]?.runs[key]?.persist(
                message, at: unit.place, isHistory: isHistory, into: &output)
        } else if past[key] != nil {
            past[key]?.persist(message, at: unit.place, isHistory: isHistory, into: &output)
        } else if isHistory {
            for other in sockets.keys.sorted() where sockets[other]?.runs[key] != nil {
                sockets[other]?.runs[key]?.persist(
                    message, at: unit.place, isHistory: true, into: &output)
            }
        }
    }
}
