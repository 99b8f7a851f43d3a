import RepriseSession
import RepriseTape
import RepriseWire

/// Reads one session of Chatbase.
struct ChatbaseReader: DialectReader {
    /// The SDK's own limit of streams in a turn.
    static let usualLimit = 10

    private var limit = ChatbaseReader.usualLimit
    private var turns: [TurnTally] = []
    private var turnOfConversation: [String: Int] = [:]
    private var turnOfExchange: [UInt64: Int] = [:]
    private var streams: [UInt64: ChatbaseStream] = [:]
    private var calls = ChatbaseCalls()
    private var submissions: [UInt64: Submission] = [:]

    /// A tool's result on its way.
    private struct Submission: Sendable {
        var tool: ChatbaseEndpoint.ToolSubmission
        var isTaken = false
    }

    mutating func read(_ client: ClientRecord, into output: inout DialectOutput) {
        limit =
            client.config["maxToolLoopSteps"]?.integer.flatMap { Int(exactly: $0) } ?? limit
    }

    mutating func read(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        let number = unit.exchange.number
        switch unit.content {
        case .request: readRequest(unit, into: &output)
        case .response(let head) where head.status < 300: begin(unit, into: &output)
        case .response, .comment, .message: break
        case .event(let event):
            change(number, into: &output) { $0.read(event, at: unit.place, in: &$1) }
        case .document(let value): readDocument(value, unit, into: &output)
        case .end(let closing): end(unit, closing, into: &output)
        }
    }

    mutating func finish(into output: inout DialectOutput) {
        for turn in turns { turn.end(into: &output) }
    }
}

extension ChatbaseReader {
    private mutating func readRequest(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        switch ChatbaseEndpoint(unit.exchange) {
        case .chat(let chat): open(chat, unit, into: &output)
        case .toolResult(let tool): submit(tool, unit, into: &output)
        default: break
        }
    }

    private mutating func open(
        _ chat: ChatbaseEndpoint.Chat, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) {
        let known = chat.conversation.flatMap { turnOfConversation[$0] }
        if chat.isContinuation, let conversation = chat.conversation {
            output.emit(.continuesTurn("conversation:\(conversation)"), at: unit.place)
        } else {
            output.emit(.opensTurn, at: unit.place)
        }
        let turn: Int
        if chat.isContinuation, let known {
            turn = known
            checkResults(of: turns[turn], at: unit.place, into: &output)
            turns[turn].pending = []
        } else {
            turn = turns.count
            turns.append(TurnTally(conversation: chat.conversation))
        }
        turnOfExchange[unit.exchange.number] = turn
        guard let conversation = chat.conversation else { return }
        turnOfConversation[conversation] = turn
        output.emit(.namesTurn("conversation:\(conversation)"), at: unit.place)
    }

    /// Rule `chatbase.B8a`.
    private func checkResults(
        of turn: TurnTally, at place: Place, into output: inout DialectOutput
    ) {
        for call in turn.pending where calls.isPending(call) {
            output.raise(
                ChatbaseRules.b8a, at: place, expected: "a result for \(call) before it",
                seen: "none", subject: call)
        }
    }

    private mutating func submit(
        _ tool: ChatbaseEndpoint.ToolSubmission, _ unit: ExchangeUnit,
        into output: inout DialectOutput
    ) {
        output.emit(.continuesTurn("conversation:\(tool.conversation)"), at: unit.place)
        guard let call = tool.call else { return }
        output.emit(.continuesTurn("call:\(call)"), at: unit.place)
        output.emit(.toolSubmitted(id: call), at: unit.place)
        calls.submit(
            call, tool.output ?? .null, isKnown: turnOfConversation[tool.conversation] != nil,
            at: unit.place, into: &output)
        submissions[unit.exchange.number] = Submission(tool: tool)
    }

    /// The service answers as it should.
    private mutating func begin(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        let number = unit.exchange.number
        submissions[number]?.isTaken = true
        guard let turn = turnOfExchange[number] else { return }
        turns[turn].begin(limit: limit, at: unit.place, into: &output)
        streams[number] = ChatbaseStream(turn: turn)
    }

    /// Lets a stream change, and what it changes beside itself.
    private mutating func change(
        _ number: UInt64, into output: inout DialectOutput,
        _ body: (inout ChatbaseStream, inout ChatbaseStream.Surroundings) -> Void
    ) {
        // Out of the tables while they are changed, so that their storage is not copied.
        guard var stream = streams.removeValue(forKey: number) else { return }
        var around = ChatbaseStream.Surroundings(
            turn: turns[stream.turn], calls: calls, output: output)
        calls = ChatbaseCalls()
        output = DialectOutput()
        body(&stream, &around)
        turns[stream.turn] = around.turn
        (calls, output) = (around.calls, around.output)
        if let name = around.turn.conversation { turnOfConversation[name] = stream.turn }
        streams[number] = stream
    }
}

extension ChatbaseReader {
    private mutating func readDocument(
        _ value: JSON, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) {
        let endpoint = ChatbaseEndpoint(unit.exchange)
        ChatbaseReplies.check(value, of: endpoint, at: unit.place, into: &output)
        switch endpoint {
        case .chat:
            change(unit.exchange.number, into: &output) {
                $0.read(reply: value, at: unit.place, in: &$1)
            }
        case .toolResult:
            if value["data"]?["success"]?.bool == false {
                submissions[unit.exchange.number]?.isTaken = false
            }
        default: break
        }
    }

    private mutating func end(
        _ unit: ExchangeUnit, _ closing: ExchangeUnit.Closing, into output: inout DialectOutput
    ) {
        let number = unit.exchange.number
        accept(submissions.removeValue(forKey: number), unit, into: &output)
        change(number, into: &output) { $0.end(closing, at: unit.place, in: &$1) }
        streams[number] = nil
        turnOfExchange[number] = nil
    }

    private mutating func accept(
        _ submission: Submission?, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) {
        guard let submission, submission.isTaken, let call = submission.tool.call else { return }
        let value = submission.tool.output ?? .null
        guard calls.accept(call, value) else { return }
        var place = unit.place
        place.time = unit.exchange.start
        output.emit(
            .toolResult(
                ToolResult(
                    id: call, isFailure: ToolResult.isFailure(value), isSubmission: true,
                    size: value.serializedBytes.count)), at: place)
    }
}
