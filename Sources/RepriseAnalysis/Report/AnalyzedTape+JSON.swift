internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

extension AnalyzedTape {
    var json: JSON {
        let record = session.session
        return [
            "tape": .string(name),
            "session": record.map { .string(SeenText.shown($0.session)) } ?? .null,
            "wall": record.map { .string(SeenText.shown($0.wall)) } ?? .null,
            "recorder": record.map { .string(SeenText.shown($0.recorder)) } ?? .null,
            "durationMs": .milliseconds(session.duration),
            "dialects": .array(session.dialects.map(\.json)),
            "turns": .array(session.turns.map(\.json)),
            "streams": .array(session.streams.map(\.json)),
            "tools": .array(session.tools.map(\.json)),
            "exchanges": .array(session.exchanges.map(\.json)),
        ]
    }

    var provenance: JSON {
        [
            "tape": .string(name), "sha256": .string(sha256), "size": .integer(size),
            "format": session.session.map { .integer($0.version) } ?? .null,
            "frames": .integer(session.tape.frames),
            "unverifiedFrames": .integer(session.tape.unverifiedFrames),
            "sealed": .bool(session.tape.isSealed),
            "damages": .integer(session.tape.damageCount),
        ]
    }
}

extension DialectUse {
    var json: JSON {
        [
            "dialect": .string(name), "reason": .string(reason.rawValue),
            "exchanges": .integer(exchanges),
        ]
    }
}

extension TurnResult {
    var json: JSON {
        [
            "turn": .integer(number), "call": call.map { .integer($0) } ?? .null,
            "operation": operation.map { .string($0) } ?? .null,
            "outcome": .string(outcome.name),
            "reason": outcome.reason.map { .string($0) } ?? .null,
            "startMs": .milliseconds(start), "latencyMs": .milliseconds(latency),
            "ttftMs": .milliseconds(ttft),
            "exchanges": .array(exchanges.map { .integer($0) }),
            "textBytes": .integer(textBytes), "toolCalls": .integer(toolCalls),
            "usage": usage?.json ?? .null,
        ]
    }
}

extension StreamResult {
    var json: JSON {
        [
            "exchange": .integer(exchange), "run": run.map { .string(SeenText.shown($0)) } ?? .null,
            "turn": turn.map { .integer($0) } ?? .null, "outcome": .string(outcome.name),
            "reason": outcome.reason.map { .string($0) } ?? .null,
            "startMs": .milliseconds(start), "firstByteMs": .milliseconds(firstByte),
            "firstEventMs": .milliseconds(firstEvent), "ttftMs": .milliseconds(ttft),
            "ttfoMs": .milliseconds(ttfo), "latencyMs": .milliseconds(latency),
            "terminalMs": .milliseconds(terminal), "streamEndMs": .milliseconds(streamEnd),
            "itlMs": .milliseconds(itl),
            "events": .integer(events), "pieces": .integer(pieces), "bursts": .integer(bursts),
            "byteStallsMs": .array(byteStalls.map { .milliseconds($0) }),
            "eventStallsMs": .array(eventStalls.map { .milliseconds($0) }),
            "spans": .array(spans.map(\.json)), "omittedSpans": .integer(omittedSpans),
            "stalls": .array(stalls.map(\.json)),
            "t0Ms": .milliseconds(hasRequest ? start : nil),
        ]
    }
}

extension ContentSpan {
    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "startMs": .milliseconds(start),
            "endMs": .milliseconds(end), "pieces": .integer(pieces), "bytes": .integer(bytes),
        ]
    }
}

extension StallResult {
    fileprivate var json: JSON {
        [
            "startMs": .milliseconds(start), "lengthMs": .milliseconds(length),
            "heartbeats": .bool(hasHeartbeats),
        ]
    }
}

extension ToolResultRow {
    var json: JSON {
        [
            "id": .string(SeenText.shown(id)),
            "name": name.map { .string(SeenText.shown($0)) } ?? .null,
            "side": .string(side.rawValue), "turn": turn.map { .integer($0) } ?? .null,
            "outcome": .string(outcome.rawValue), "exchange": .integer(exchange),
            "startMs": .milliseconds(start), "handlerStartMs": .milliseconds(handlerStart),
            "validArguments": hasValidArguments.map { .bool($0) } ?? .null,
            "argumentBytes": .integer(argumentBytes),
            "outputBytes": outputBytes.map { .integer($0) } ?? .null,
            "submissions": .integer(submissions), "argumentMs": .milliseconds(argumentTime),
            "executionMs": .milliseconds(executionTime),
            "handlerMs": .milliseconds(handlerTime),
        ]
    }
}

extension ExchangeResult {
    var json: JSON {
        [
            "exchange": .integer(number), "method": .string(method), "path": .string(path),
            "dialect": .string(dialect), "call": call.map { .integer($0) } ?? .null,
            "turn": turn.map { .integer($0) } ?? .null,
            "status": status.map { .integer($0) } ?? .null,
            "end": .string(end?.rawValue ?? "recorderDied"),
            "code": code.map { .string($0) } ?? .null, "startMs": .milliseconds(start),
            "responseMs": .milliseconds(response), "durationMs": .milliseconds(duration),
            "wireBytes": .integer(wireBytes),
            "bytes": .integer(bytes), "phases": phases?.json ?? .null,
            "socket": socket?.json ?? .null,
        ]
    }
}

extension SocketResult {
    fileprivate var json: JSON {
        ["deflate": .bool(isDeflated), "sent": client.json, "received": server.json]
    }
}

extension SocketResult.Side {
    fileprivate var json: JSON {
        [
            "frames": .integer(frames), "messages": .integer(messages),
            "wireBytes": .integer(wireBytes), "bytes": .integer(bytes),
            "closed": .bool(isClosed), "closeCode": closeCode.map { .integer($0) } ?? .null,
        ]
    }
}

extension PhasesRecord {
    fileprivate var json: JSON {
        [
            "lookupMs": .milliseconds(lookup), "connectMs": .milliseconds(connect),
            "tlsMs": .milliseconds(tls), "sentMs": .milliseconds(sent),
            "firstByteMs": .milliseconds(firstByte),
            "reused": reused.map { .bool($0) } ?? .null,
            "protocol": protocolName.map { .string(SeenText.shown($0)) } ?? .null,
        ]
    }
}
