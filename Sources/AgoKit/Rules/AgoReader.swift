internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// Reads one session of AGO.
struct AgoReader: DialectReader {
    private var streams: [UInt64: AgoStream] = [:]
    /// Texts of messages that are paused, by message id.
    private var paused: [String: AgoTextTracker] = [:]
    private var functions = AgoFunctions()
    private var conduct = AgoConduct()
    private var endedCalls: Set<UInt64> = []
    private var requestPlaces: [UInt64: Place] = [:]

    mutating func read(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        let number = unit.exchange.number
        switch unit.content {
        case .request: readRequest(unit, into: &output)
        case .response(let head):
            conduct.answered(number, status: head.status)
            if case .submit(let call) = AgoEndpoint(unit.exchange), head.status < 400 {
                accept(call, unit, into: &output)
            }
        case .event(let event): streams[number]?.read(event, at: unit.place, into: &output)
        case .comment: streams[number]?.beat(at: unit.place, into: &output)
        case .document(let value):
            AgoReplies.check(value, of: AgoEndpoint(unit.exchange), at: unit.place, into: &output)
        case .message: break
        case .end(let closing): end(unit, closing, into: &output)
        }
    }

    mutating func read(_ call: CallRecord, at place: Place, into output: inout DialectOutput) {
        if call.op == "resetWidgetId" { conduct.loggedOut() }
        if !call.isBeginning { endedCalls.insert(call.call) }
    }

    mutating func finish(into output: inout DialectOutput) {
        conduct.finish(into: &output)
    }
}

extension AgoReader {
    private mutating func readRequest(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        conduct.began(unit.exchange.number)
        requestPlaces[unit.exchange.number] = unit.place
        let endpoint = AgoEndpoint(unit.exchange)
        switch endpoint {
        case .messages:
            output.emit(.opensTurn, at: unit.place)
            streams[unit.exchange.number] = AgoStream()
        case .continue(let message):
            output.emit(.continuesTurn("message:\(message)"), at: unit.place)
            functions.proceed(message, at: unit.place, into: &output)
            let text = paused.removeValue(forKey: message) ?? AgoTextTracker()
            streams[unit.exchange.number] = AgoStream(text: text)
        case .submit(let call):
            output.emit(.continuesTurn("call:\(call)"), at: unit.place)
            output.emit(.toolSubmitted(id: call), at: unit.place)
        case .tickets: AgoTicketForm.check(unit, into: &output)
        default: break
        }
    }

    private mutating func accept(
        _ call: String, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) {
        functions.submitted(call)
        let body = try? JSON.parse(unit.exchange.body).value
        let form = body?["formData"]
        let result = ToolResult(
            id: call, isFailure: form.map(ToolResult.isFailure) ?? false, isSubmission: true,
            size: form?["result"]?.serializedBytes.count)
        var place = unit.place
        place.time = unit.exchange.start
        output.emit(.toolResult(result), at: place)
    }

    private mutating func end(
        _ unit: ExchangeUnit, _ closing: ExchangeUnit.Closing, into output: inout DialectOutput
    ) {
        conduct.add(
            unit.exchange, at: requestPlaces.removeValue(forKey: unit.exchange.number) ?? unit.place
        )
        guard var stream = streams.removeValue(forKey: unit.exchange.number) else { return }
        stream.finish(closing, at: unit.place, into: &output)
        functions.take(
            stream.calls, of: stream.messageId, isWhole: closing.how == .complete, into: &output)
        if stream.terminal == .waitingClient, let id = stream.messageId {
            paused[id] = stream.text
        }
        let hasStopped =
            closing.how == .cancelled
            || unit.exchange.request.call.map(endedCalls.contains) ?? false
        if hasStopped, stream.terminal == .done, let late = stream.late {
            output.raise(
                AgoRules.p5, at: late, expected: "a reader that reads to the close",
                seen: "it stopped at DONE; a title or follow-up replies came behind it")
        }
    }
}
