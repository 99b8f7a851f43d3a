internal import RepriseSession
internal import RepriseSupport
public import RepriseWire

extension Report {
    /// The JSON form, `reprise.report/1`: one order of keys, no wall clock, no path of this machine.
    public var json: JSON {
        [
            "schema": .string(Report.schema),
            "verdict": verdict.json,
            "summary": summary.json,
            "latency": .object([
                "stall": .string(stallRule),
                "metrics": .array(metrics.map(\.json)),
            ]),
            "usage": usage?.json ?? .null,
            "tools": .array(tools.map(\.json)),
            "violations": .object([
                "findings": .array(findings.map(\.json)),
                "configured": .array(configured.map(Report.json)),
            ]),
            "sessions": .array(tapes.map(\.json)),
            "provenance": provenance,
        ]
    }

    /// The text of ``json``, two blanks a level, with a line end at its end.
    public var jsonText: String { json.prettyPrinted + "\n" }

    private var provenance: JSON {
        [
            "analyzer": .string("reprise/\(RepriseVersion.text)"),
            "percentiles": "exact; linear interpolation; adjusted ones by nearest rank",
            "tapes": .array(tapes.map(\.provenance)),
            "skipped": .array(skipped.map { .string($0) }),
            "unreadable": .array(
                unreadable.map { ["tape": .string($0.name), "reason": .string($0.reason)] }),
        ]
    }

    private static func json(_ item: (rule: String, entry: RuleConfiguration.Entry)) -> JSON {
        [
            "rule": .string(item.rule),
            "severity": .string(item.entry.severity?.rawValue ?? "off"),
            "reason": .string(item.entry.reason),
        ]
    }
}

extension Report.Verdict {
    var json: JSON {
        [
            "passed": .bool(isPassed), "errors": .integer(errors), "warnings": .integer(warnings),
            "infos": .integer(infos), "failedTurns": .integer(failedTurns),
            "turns": .integer(turns), "unreadable": .integer(unreadable),
        ]
    }
}

extension Report.Summary {
    var json: JSON {
        [
            "tapes": .integer(tapes), "durationMs": .milliseconds(duration),
            "exchanges": .integer(exchanges), "reusedConnections": .integer(reusedConnections),
            "turns": Report.Summary.json(turns), "streams": Report.Summary.json(streams),
            "events": .integer(events), "pieces": .integer(pieces), "bursts": .integer(bursts),
            "textBytes": .integer(textBytes), "wireBytes": .integer(wireBytes),
            "bytes": .integer(bytes), "byteStalls": .integer(byteStalls),
            "eventStalls": .integer(eventStalls),
        ]
    }

    static func json(_ counts: [Count]) -> JSON {
        .object(JSONObject(counts.map { .init($0.name, .integer($0.count)) }))
    }
}

extension Metric {
    var json: JSON {
        [
            "name": .string(name), "definition": .string(definition),
            "unit": .string(unit.rawValue), "scope": .string(scope.rawValue),
            "n": .integer(distribution?.count ?? 0),
            "values": distribution.map { json($0) } ?? .null,
            "adjusted": adjusted.map { json($0) } ?? .null,
        ]
    }

    private func json(_ value: Distribution) -> JSON {
        [
            "mean": number(value.mean), "sd": number(value.deviation),
            "min": number(value.minimum), "max": number(value.maximum),
            "percentiles": percentiles(value.percentiles.map { number($0) }),
        ]
    }

    private func json(_ value: AdjustedPercentiles) -> JSON {
        [
            "n": .integer(value.count), "failures": .integer(value.failures),
            "percentiles": percentiles(value.percentiles.map { $0.map { number($0) } ?? .null }),
        ]
    }

    private func number(_ value: Int64) -> JSON {
        unit == .milliseconds ? .milliseconds(value) : .number(text(value))
    }

    private func percentiles(_ values: [JSON]) -> JSON {
        .object(
            JSONObject(zip(Distribution.percents, values).map { .init("p\($0)", $1) }))
    }
}

extension Usage {
    var json: JSON {
        let count = { (value: Int64?) in value.map { JSON.integer($0) } ?? .null }
        return [
            "source": "reported", "input": count(input), "output": count(output),
            "cached": count(cached), "reasoning": count(reasoning), "total": count(total),
            "credits": Usage.json(credits), "clientCredits": Usage.json(clientCredits),
        ]
    }

    private static func json(_ credits: Int64?) -> JSON {
        credits.map { .number(Credits.text($0)) } ?? .null
    }
}

extension Report.ToolSummary {
    var json: JSON {
        [
            "name": name.map { .string(SeenText.shown($0)) } ?? .null,
            "side": .string(side.rawValue), "calls": .integer(calls),
            "outcomes": Report.Summary.json(outcomes), "judged": .integer(judged),
            "succeeded": .integer(succeeded), "retries": .integer(retries),
            "argumentMs": ReportTimes.json(argumentTime),
            "executionMs": ReportTimes.json(executionTime),
        ]
    }
}

extension Report.Finding {
    var json: JSON {
        [
            "rule": .string(rule.id), "severity": .string(severity.rawValue),
            "title": .string(rule.title), "explanation": .string(rule.explanation),
            "source": .string(rule.source), "count": .integer(count),
            "violations": .array(violations.map(\.json)),
        ]
    }
}

extension Report.Located {
    var json: JSON {
        let place = violation.place
        return [
            "tape": .string(tape), "exchange": .integer(place.exchange),
            "frame": place.frame.map { .integer($0) } ?? .null,
            "offset": place.offset.map { .integer($0) } ?? .null,
            "timeMs": .milliseconds(place.time), "expected": .string(violation.expected),
            "seen": .string(violation.seen), "event": violation.event?.json ?? .null,
        ]
    }
}

extension Excerpt {
    fileprivate var json: JSON {
        [
            "offset": .integer(offset), "around": .bool(isAround), "before": .string(before),
            "after": .string(after),
        ]
    }
}

enum ReportTimes {
    /// The two percentiles that a table of many rows has room for.
    static func json(_ value: Distribution?) -> JSON {
        guard let value else { return .null }
        return [
            "n": .integer(value.count), "p50": .milliseconds(value.percentile(50)),
            "p95": .milliseconds(value.percentile(95)),
        ]
    }
}

extension JSON {
    /// A number of milliseconds; null for none, and for one that no session lasts.
    static func milliseconds(_ nanoseconds: Int64?) -> JSON {
        guard let nanoseconds, Milliseconds.isInRange(nanoseconds) else { return .null }
        return .number(Milliseconds.text(nanoseconds))
    }
}
