internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// The tool calls of a session, joined by id over streams, requests and `tool` frames.
struct ToolLedger {
    /// The most bytes of a call's arguments that are kept until they are complete: 4 MiB.
    static let limit = 4 << 20

    private struct Entry {
        var call: ToolCall
        /// What it is called in the session: ids need be their own in a run only.
        var key: String
        var place: Place
        var turn: Int?
        var arguments: [UInt8] = []
        var argumentBytes = 0
        var ready: Int64?
        var isValid: Bool?
        var result: ToolResult?
        var resultTime: Int64?
        var submissions = 0
        var handlerStart: Int64?
        var handlerTime: Int64?
        var handlerOutcome: ToolRecord.Outcome?
        var hasHandlerFailure = false
        var outputBytes: Int?
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    /// The last key of each id.
    private var keys: [String: String] = [:]

    /// Something happened, in the turn of that index.
    mutating func read(_ event: SessionEvent, turn: Int?, into log: inout ViolationLog) {
        switch event.kind {
        case .toolCall(let call):
            begin(call, ToolLedger.key(call.id, event.run), at: event.place, turn: turn)
        case .toolArguments(let id, let piece):
            take(Array(piece.utf8), of: ToolLedger.key(id, event.run))
        case .toolReady(let id, let arguments):
            complete(ToolLedger.key(id, event.run), arguments, at: event.place, into: &log)
        case .toolSubmitted(let id): entries[keys[id] ?? id]?.submissions += 1
        case .toolResult(let result):
            answer(
                result, ToolLedger.key(result.id, event.run), at: event.place, into: &log)
        default: break
        }
    }

    private static func key(_ id: String, _ run: String?) -> String {
        run.map { "\($0)/\(id)" } ?? id
    }

    private mutating func begin(_ call: ToolCall, _ key: String, at place: Place, turn: Int?) {
        keys[call.id] = key
        guard var entry = entries[key] else {
            entries[key] = Entry(call: call, key: key, place: place, turn: turn)
            order.append(key)
            return
        }
        // Told twice, for instance as a line of text and as the call itself: more is known now.
        entry.call.name = entry.call.name ?? call.name
        if call.expectsResult {
            entry.call.side = call.side
            entry.call.expectsResult = true
        }
        entries[key] = entry
    }

    private mutating func take(_ piece: [UInt8], of id: String) {
        guard let count = entries[id]?.arguments.count else { return }
        entries[id]?.argumentBytes += piece.count
        if count + piece.count <= ToolLedger.limit { entries[id]?.arguments += piece }
    }

    private mutating func complete(
        _ id: String, _ whole: String?, at place: Place, into log: inout ViolationLog
    ) {
        guard let entry = entries[id] else { return }
        let bytes = whole.map { Array($0.utf8) } ?? entry.arguments
        let size = whole.map(\.utf8.count) ?? entry.argumentBytes
        entries[id]?.arguments = []
        entries[id]?.argumentBytes = size
        entries[id]?.ready = place.time
        guard size <= ToolLedger.limit else { return }
        do {
            if !bytes.isEmpty { _ = try JSON.parse(bytes) }
            entries[id]?.isValid = true
        } catch {
            entries[id]?.isValid = false
            log.raise(
                .toolL1, at: place, expected: "JSON (\(error.message))",
                seen: SeenText.quoted(String(decoding: bytes, as: UTF8.self)), subject: id)
        }
    }

    private mutating func answer(
        _ result: ToolResult, _ key: String, at place: Place, into log: inout ViolationLog
    ) {
        let wrong: (expected: String, seen: String)? =
            switch entries[key] {
            case nil: ("a call with that id", "a result for \(result.id)")
            case let entry? where entry.result != nil && result.isSubmission:
                ("one result", "another one for \(result.id)")
            case let entry? where entry.ready == nil && entry.call.expectsResult:
                ("a result behind the call's end", "one for \(result.id) before it")
            default: nil
            }
        if let wrong {
            log.raise(
                .toolL3, at: place, expected: wrong.expected, seen: wrong.seen, subject: key)
        }
        guard var entry = entries[key] else { return }
        entry.result = result
        entry.outputBytes = result.size ?? entry.outputBytes
        entry.resultTime = entry.resultTime ?? place.time
        entries[key] = entry
    }
}

extension ToolLedger {
    /// A handler of the app started or finished.
    mutating func read(_ record: ToolRecord, at place: Place, turn: Int?) {
        let key = keys[record.id] ?? record.id
        if entries[key] == nil {
            begin(
                ToolCall(id: record.id, name: record.name, side: .client, expectsResult: false),
                key, at: place, turn: turn)
        }
        switch record.state {
        case .started: entries[key]?.handlerStart = place.time
        case .finished:
            let start = entries[key]?.handlerStart
            if let start, let time = place.time { entries[key]?.handlerTime = time - start }
            entries[key]?.handlerOutcome = record.outcome
            entries[key]?.hasHandlerFailure = record.output.map(ToolResult.isFailure) ?? false
            if let output = record.output {
                entries[key]?.outputBytes = output.serializedBytes.count
            }
        }
    }

    /// The tape ends here.
    ///
    /// - Parameters:
    ///   - outcomes: How each turn came out, by index.
    ///   - isWhole: Whether nothing is missing at its end.
    func finish(
        _ outcomes: [Outcome], isWhole: Bool, into log: inout ViolationLog
    ) -> [ToolResultRow] {
        order.compactMap { entries[$0] }.map { entry in
            let turn = entry.turn.flatMap { outcomes.indices.contains($0) ? outcomes[$0] : nil }
            let outcome = outcome(of: entry, in: turn)
            let isKnown = isWhole && !(turn?.isFailure ?? false) && turn != .cancelled
            if outcome == .unanswered && isKnown {
                log.raise(
                    .toolL2, at: entry.place, expected: "a result",
                    seen: "none for \(entry.call.name ?? "the call") \(entry.call.id)",
                    subject: entry.key)
            }
            return row(entry, outcome)
        }
    }

    private func outcome(of entry: Entry, in turn: Outcome?) -> ToolOutcome {
        switch entry.handlerOutcome {
        case .threw: return .threw
        case .missing: return .missing
        case .cancelled: return .cancelled
        case .value where entry.result == nil && !entry.call.expectsResult:
            return entry.hasHandlerFailure ? .failed : .succeeded
        case .value, nil: break
        }
        if let result = entry.result { return result.isFailure ? .failed : .succeeded }
        guard entry.call.expectsResult else { return .unknown }
        switch turn {
        case .cancelled: return .cancelled
        case .failed(let reason) where reason == Outcome.timedOut: return .timedOut
        default: return .unanswered
        }
    }

    private func row(_ entry: Entry, _ outcome: ToolOutcome) -> ToolResultRow {
        ToolResultRow(
            id: entry.call.id, name: entry.call.name, side: entry.call.side,
            turn: entry.turn.map { $0 + 1 }, outcome: outcome,
            exchange: entry.place.exchange, start: entry.place.time,
            handlerStart: entry.handlerStart,
            hasValidArguments: entry.isValid, argumentBytes: entry.argumentBytes,
            outputBytes: entry.outputBytes, submissions: entry.submissions,
            argumentTime: difference(entry.ready, entry.place.time),
            executionTime: difference(entry.resultTime, entry.ready),
            handlerTime: entry.handlerTime)
    }

    private func difference(_ end: Int64?, _ start: Int64?) -> Int64? {
        guard let end, let start else { return nil }
        return end - start
    }
}

extension Outcome {
    /// The reason of a failure that was a time limit.
    static let timedOut = "a time limit passed"
}
