import RepriseSession
import RepriseTape
import RepriseWire

/// Sockets.
extension CometChatReader {
    mutating func read(
        _ message: ExchangeUnit.SocketMessage, _ unit: ExchangeUnit,
        into output: inout DialectOutput
    ) {
        // Binary messages are ignored, as in the vendor's clients.
        guard message.isText else { return }
        let document: JSON.Document
        do {
            document = try output.document(message.bytes, at: unit.place)
        } catch {
            return output.raise(
                .jsonJ1, at: unit.place.at(offset: UInt64(error.offset)),
                expected: "JSON (\(error.message))",
                seen: SeenText.quoted(String(decoding: message.bytes, as: UTF8.self)))
        }
        if message.isFromServer {
            readServer(document, unit, into: &output)
        } else {
            readClient(document.value, unit)
        }
    }

    private mutating func readClient(_ value: JSON, _ unit: ExchangeUnit) {
        let number = unit.exchange.number
        if value["type"]?.string == "auth" {
            let deviceId = value["deviceId"] ?? value["body"]?["deviceId"]
            sockets[number, default: CometChatSocket()].deviceId = deviceId?.string ?? ""
        } else if value["action"]?.string == "ping" || value["type"]?.string == "ping" {
            sockets[number, default: CometChatSocket()].pings.append(unit.place)
        }
    }

    private mutating func readServer(
        _ document: JSON.Document, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) {
        guard let frame = ServiceFrame(document) else {
            return output.raise(
                .jsonJ2, at: unit.place, expected: "an object",
                seen: JSON.Mismatch.Found(document.value).rawValue)
        }
        for mismatch in frame.allMismatches {
            output.raise(
                .jsonJ2, at: unit.place,
                expected: "\(mismatch.path): \(mismatch.expected.rawValue)",
                seen: "\(mismatch.path): \(mismatch.found.rawValue)")
        }
        let number = unit.exchange.number
        guard !frame.isEcho(of: sockets[number]?.deviceId ?? "") else {
            return output.emit(.other("echo"), at: unit.place)
        }
        switch frame.content {
        case .pong:
            sockets[number]?.pings = []
            output.emit(.heartbeat, at: unit.place)
        case .event(let event): read(event, of: frame, unit, into: &output)
        case .message(let message):
            output.emit(.other(message.type), at: unit.place)
            persist(message, unit, isHistory: false, into: &output)
        case .moderation(let message):
            output.emit(.other(frame.type), at: unit.place)
            moderate(message, at: unit.place, into: &output)
        case .auth, .other:
            output.emit(.other(frame.type), at: unit.place)
            checkType(of: frame, document.value, at: unit.place, into: &output)
        }
    }

    /// What the vendor's clients know and what is of no matter here.
    private static let knownTypes: Set<String> = [
        "auth", "ping", "pong", "presence", "typing_indicator", "receipts", "message",
        "transient_message", "interaction_completed", "reaction", "on_moderation_status_changed",
        "streamed_message",
    ]

    /// Rule `json.J3`.
    private func checkType(
        of frame: ServiceFrame, _ value: JSON, at place: Place, into output: inout DialectOutput
    ) {
        guard !CometChatReader.knownTypes.contains(frame.type), frame.mismatches.isEmpty else {
            return
        }
        output.raise(
            .jsonJ3, at: place, expected: "a known type",
            seen: frame.type.isEmpty ? "none" : SeenText.quoted(frame.type))
    }

    /// The socket is over, and what it carried goes on over another one at best.
    mutating func end(
        _ unit: ExchangeUnit, _ closing: ExchangeUnit.Closing, into output: inout DialectOutput
    ) {
        guard var socket = sockets.removeValue(forKey: unit.exchange.number) else { return }
        let end = unit.place.time ?? 0
        for ping in socket.pings where end - (ping.time ?? end) > 1_000_000_000 {
            output.raise(.wsW4, at: ping, expected: "a pong of the server", seen: "none")
        }
        // What would have come is unknown: the recorder died, or the app did not wait for it.
        let hasEnded = [.complete, .reset, .failed].contains(closing.how)
        for key in socket.runs.keys.sorted() {
            guard var run = socket.runs.removeValue(forKey: key) else { continue }
            if !run.isFinished {
                let isByApp = closing.isByApp && closing.how != .failed
                let isMissed = run.hasReply || missed.contains(key)
                if hasEnded && closing.isReadable && (isMissed || !isByApp) {
                    if isByApp {
                        output.emit(.ended(.missed), at: unit.place, run: run.name)
                    }
                    let words = closing.how == .reset ? "cut" : "closed"
                    output.raise(
                        CometChatRules.c9, at: unit.place,
                        expected: "run_finished of run \(run.name)",
                        seen: "the connection was \(words)")
                }
                run.isPartial = true
            }
            past[key] = run
        }
    }
}

/// Runs.
extension CometChatReader {
    private mutating func read(
        _ event: AgentEvent, of frame: ServiceFrame, _ unit: ExchangeUnit,
        into output: inout DialectOutput
    ) {
        if !frame.sender.isEmpty { agents.insert(frame.sender) }
        guard let kind = event.kind else { return output.emit(.other("event"), at: unit.place) }
        guard kind.isKnown else {
            output.raise(
                CometChatRules.c15a, at: unit.place, expected: "a known type",
                seen: SeenText.quoted(event.type))
            return output.emit(.other(event.type), at: unit.place)
        }
        guard let key = event.runKey else {
            if event.mismatches.isEmpty {
                output.raise(
                    .jsonJ2, at: unit.place, expected: "id or data.runId in \(event.type)",
                    seen: "neither")
            }
            return output.emit(.other(event.type), at: unit.place)
        }
        let number = unit.exchange.number
        // Out of the table while it is changed, so that its storage is not copied.
        var socket = sockets.removeValue(forKey: number) ?? CometChatSocket()
        var run = find(event, key, of: frame, in: &socket, unit, into: &output)
        run.read(event, at: unit.place, into: &output)
        socket.runs[run.key] = run
        sockets[number] = socket
    }

    /// The run that an event belongs to, taken out of its socket.
    private mutating func find(
        _ event: AgentEvent, _ key: Int64, of frame: ServiceFrame,
        in socket: inout CometChatSocket, _ unit: ExchangeUnit, into output: inout DialectOutput
    ) -> CometChatRun {
        let key = socket.resolved(key)
        if let run = socket.runs.removeValue(forKey: key) { return run }
        if let other = socket.renamed(event, key), let run = socket.runs.removeValue(forKey: other)
        {
            socket.rename(other, to: key)
            output.raise(
                CometChatRules.c16a, at: unit.place, expected: "run \(other)", seen: "run \(key)")
            return run
        }
        var run = past.removeValue(forKey: key) ?? CometChatRun(event, key: key)
        if run.isFinished && event.kind == .runStarted { run = CometChatRun(event, key: key) }
        attach(run, event, of: frame, unit, into: &output)
        return run
    }

    /// A run is seen for the first time, or goes on over another socket.
    private mutating func attach(
        _ run: CometChatRun, _ event: AgentEvent, of frame: ServiceFrame, _ unit: ExchangeUnit,
        into output: inout DialectOutput
    ) {
        let (place, name) = (unit.place, run.name)
        if !known.insert(run.key).inserted {
            output.emit(.continuesTurn("run:\(name)"), at: place, run: name)
        } else if let request = queue.take(
            conversation: event.conversationId, sender: frame.sender)
        {
            output.emit(.continuesTurn("request:\(request.exchange)"), at: place, run: name)
            if let id = request.message?.id {
                answers[id] = run.key
            } else {
                early[request.exchange] = run.key
            }
        } else {
            output.emit(.opensTurn, at: place, run: name)
        }
        output.emit(.namesTurn("run:\(name)"), at: place, run: name)
    }
}
