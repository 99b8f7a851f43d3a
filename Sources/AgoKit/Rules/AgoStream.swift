internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// One stream of chunks, as far as it has come.
struct AgoStream: Sendable {
    private(set) var messageId: String?
    private(set) var threadId: String?
    private(set) var terminal: AgoStatus?
    /// Where a title or follow-up replies came behind DONE.
    private(set) var late: Place?
    var text: AgoTextTracker
    var calls = AgoStreamCalls()
    var beats = AgoHeartbeats()
    private var answer = BracketVerifier(AgoProfile.stream)
    private var chunks = 0
    private var hasFollowUps = false

    /// A stream that goes on with `text`.
    init(text: AgoTextTracker = AgoTextTracker()) { self.text = text }

    /// Takes the data of an event in.
    mutating func read(
        _ event: ExchangeUnit.StreamEvent, at place: Place, into output: inout DialectOutput
    ) {
        if event.bytes.elementsEqual("heartbeat".utf8) { return beat(at: place, into: &output) }
        beats.interrupt()
        // A comment sent as data is `sse.S5`.
        if event.bytes.first == UInt8(ascii: ":") { return }
        let start = place.at(offset: event.dataOffset)
        do {
            let value = try output.parse(event.bytes, at: start)
            guard let object = value.object else {
                return output.raise(
                    AgoRules.a9a, at: start, expected: "a JSON object",
                    seen: SeenText.quoted(event.data))
            }
            read(AgoChunk(object), object, at: start, into: &output)
        } catch {
            output.raise(
                AgoRules.a9a, at: start.at(offset: event.dataOffset + UInt64(error.offset)),
                expected: "a JSON object (\(error.message))", seen: SeenText.quoted(event.data))
        }
    }

    mutating func beat(at place: Place, into output: inout DialectOutput) {
        output.emit(.heartbeat, at: place)
        beats.beat(at: place)
    }

    private mutating func read(
        _ chunk: AgoChunk, _ object: JSONObject, at place: Place, into output: inout DialectOutput
    ) {
        chunks += 1
        if chunks == 1 { _ = answer.read("chunk") }
        for mismatch in chunk.mismatches {
            output.raise(
                .jsonJ2, at: place, expected: "\(mismatch.path): \(mismatch.expected.rawValue)",
                seen: "\(mismatch.path): \(mismatch.found.rawValue)")
        }
        readIds(chunk, at: place, into: &output)
        readText(chunk, at: place, into: &output)
        if let status = chunk.status { read(status, chunk, at: place, into: &output) }
        if let tool = chunk.tool { calls.read(tool, at: place, into: &output) }
        readRest(chunk, object, at: place, into: &output)
    }
}

extension AgoStream {
    private mutating func readIds(
        _ chunk: AgoChunk, at place: Place, into output: inout DialectOutput
    ) {
        if let id = chunk.messageId, id != messageId {
            if let old = messageId {
                output.raise(
                    AgoRules.a4b, at: place, expected: SeenText.quoted(old),
                    seen: SeenText.quoted(id))
            }
            messageId = id
            output.emit(.namesTurn("message:\(id)"), at: place)
        }
        if let id = chunk.threadId, id != threadId {
            if let old = threadId {
                output.raise(
                    AgoRules.a4c, at: place, expected: SeenText.quoted(old),
                    seen: SeenText.quoted(id))
            }
            threadId = id
        }
    }

    private mutating func readText(
        _ chunk: AgoChunk, at place: Place, into output: inout DialectOutput
    ) {
        var new = ""
        if let content = chunk.content, !content.isEmpty {
            text.append(content)
            new = content
        }
        if let full = chunk.fullContent {
            let (added, disagreement) = text.replace(full)
            // In a chunk with both, the whole is the truth and holds the piece.
            new += added
            report(disagreement, full, at: place, into: &output)
        }
        guard !new.isEmpty else { return }
        let findings = answer.read("content")
        if findings.contains(where: { $0.problem == .continuedAfterClose }), let terminal,
            terminal != .waitingClient
        {
            output.raise(
                AgoRules.a1, at: place, expected: "no text behind \(terminal.text)",
                seen: SeenText.quoted(new))
        }
        output.emit(.text(new), at: place)
    }

    private func report(
        _ disagreement: AgoTextTracker.Disagreement?, _ full: String, at place: Place,
        into output: inout DialectOutput
    ) {
        switch disagreement {
        case nil: break
        case .withContent:
            output.raise(
                AgoRules.a6a, at: place, expected: "the content before it, joined",
                seen: SeenText.quoted(full))
        case .withItself:
            output.raise(
                AgoRules.a6b, at: place, expected: "the last full_content and the content since",
                seen: SeenText.quoted(full))
        }
    }

    private mutating func read(
        _ status: AgoStatus, _ chunk: AgoChunk, at place: Place, into output: inout DialectOutput
    ) {
        if case .unknown(let text) = status {
            output.raise(
                AgoRules.a9b, at: place,
                expected: "IN_PROGRESS, DONE, ERROR, TODO, CANCELED or WAITING_CLIENT",
                seen: SeenText.quoted(text))
        }
        guard let ending = status.ending else { return output.emit(.other("status"), at: place) }
        let findings = answer.read(status.text)
        if findings.contains(where: { $0.problem == .closedTwice }) {
            output.raise(
                AgoRules.a10, at: place, expected: "nothing behind \(terminal?.text ?? "it")",
                seen: status.text)
        }
        // A failure counts wherever it is said, so that a failing service cannot look well.
        if findings.isEmpty || ending == .failed { output.emit(.ended(ending), at: place) }
        terminal = status
        if status == .waitingClient {
            calls.wait(for: chunk.waitingToolCallIds ?? [], at: place, into: &output)
        }
    }

    private mutating func readRest(
        _ chunk: AgoChunk, _ object: JSONObject, at place: Place, into output: inout DialectOutput
    ) {
        if chunk.followUpReplies?.isEmpty == false { hasFollowUps = true }
        if chunk.title != nil { output.emit(.other("title"), at: place) }
        if chunk.followUpReplies != nil { output.emit(.other("follow_up_replies"), at: place) }
        if chunk.knowledgeSources != nil { output.emit(.other("knowledge_sources"), at: place) }
        if chunk.agent != nil { output.emit(.other("agent"), at: place) }
        if terminal == .done, late == nil, chunk.title != nil || chunk.followUpReplies != nil {
            late = place
        }
        if chunk.others.members.count == object.members.count && !object.members.isEmpty {
            let keys = object.members.map(\.key).joined(separator: ", ")
            output.raise(
                AgoRules.a9c, at: place, expected: "a key that AGO's chunks have",
                seen: SeenText.quoted(keys))
        }
    }
}

extension AgoStream {
    /// The stream ended.
    mutating func finish(
        _ closing: ExchangeUnit.Closing, at place: Place, into output: inout DialectOutput
    ) {
        beats.finish(into: &output)
        guard closing.isReadable else { return }
        switch closing.how {
        case .complete: finishWhole(at: place, into: &output)
        case .reset: checkTerminal("the connection was cut", at: place, into: &output)
        case .failed: checkTerminal("the stream failed", at: place, into: &output)
        // What would have come is unknown: the recorder died, or the app did not wait for it.
        case nil, .cancelled, .timedOut: break
        }
    }

    private mutating func finishWhole(at place: Place, into output: inout DialectOutput) {
        guard chunks > 0 else {
            return output.raise(
                AgoRules.a3, at: place, expected: "at least one chunk", seen: "an empty stream")
        }
        checkTerminal("the stream was closed", at: place, into: &output)
        calls.finish(at: place, into: &output)
        guard let terminal else { return }
        if terminal == .done || terminal == .waitingClient {
            checkIds(at: place, into: &output)
        }
        if terminal == .done && text.isEmpty && calls.isEmpty && !hasFollowUps {
            output.raise(
                AgoRules.a7, at: place, expected: "text, a tool or follow-up replies",
                seen: "\(Counted.text(chunks, "chunk")) without any")
        }
    }

    private mutating func checkTerminal(
        _ seen: String, at place: Place, into output: inout DialectOutput
    ) {
        guard chunks == 0 || !answer.finish().isEmpty else { return }
        output.raise(
            AgoRules.a2, at: place, expected: "DONE, ERROR, CANCELED or WAITING_CLIENT",
            seen: "\(seen) after \(Counted.text(chunks, "chunk"))")
    }

    private func checkIds(at place: Place, into output: inout DialectOutput) {
        let seen = "\(Counted.text(chunks, "chunk")) without one"
        if messageId == nil {
            output.raise(AgoRules.a4a, at: place, expected: "a message_id", seen: seen)
        }
        if threadId == nil {
            output.raise(AgoRules.a4d, at: place, expected: "a thread.id", seen: seen)
        }
    }
}

extension AgoStatus {
    /// How the answer ended, where this is a terminal status.
    var ending: SessionEvent.Ending? {
        switch self {
        case .done: .finished
        case .error: .failed
        case .canceled: .cancelled
        case .waitingClient: .paused
        case .inProgress, .todo, .unknown: nil
        }
    }
}
