internal import RepriseSession
internal import RepriseTape

/// The metrics of a report, each with where its values come from.
struct MetricTable {
    private let exchanges: [ExchangeResult]
    private let streams: [StreamResult]
    private let turns: [TurnResult]
    private let failedStreams: Int
    private let failedTurns: Int

    init(_ sessions: [SessionResult]) {
        exchanges = sessions.flatMap(\.exchanges)
        let all = sessions.flatMap(\.streams)
        streams = all.filter(\.outcome.isGood)
        failedStreams = all.count(where: \.outcome.isFailure)
        let allTurns = sessions.flatMap(\.turns)
        turns = allTurns.filter(\.outcome.isGood)
        failedTurns = allTurns.count(where: \.outcome.isFailure)
    }

    var metrics: [Metric] { phaseMetrics + streamMetrics + paceMetrics + turnMetrics }

    private var phaseMetrics: [Metric] {
        [
            phase("lookup", "from the request to the host's address", \.lookup),
            phase("connect", "from the request to the connection", \.connect),
            phase("tls", "from the request to the end of the TLS handshake", \.tls),
            phase("sent", "from the request to the moment when all of it was sent", \.sent),
        ]
    }

    private var streamMetrics: [Metric] {
        [
            stream("first_byte", "from t0 to the first byte of the body", \.firstByte),
            stream("first_event", "from t0 to the first whole event of any kind", \.firstEvent),
            stream(
                "ttft",
                "time to the first token, from t0 to the first content: text, reasoning or a tool "
                    + "call's arguments, not empty", \.ttft),
            stream(
                "ttfo",
                "time to the first output, from t0 to the first content that is no reasoning",
                \.ttfo),
            stream("latency", "from t0 to the last content", \.latency),
            stream("stream_end", "from t0 to the end of the stream", \.streamEnd),
        ]
    }

    private var paceMetrics: [Metric] {
        [
            Metric(
                name: "icl",
                definition:
                    "inter-chunk latency, from a piece of content to the next; pieces that came in "
                    + "one read are 0 apart",
                unit: .milliseconds, scope: .stream,
                distribution: Distribution(streams.flatMap(\.contentGaps))),
            Metric(
                name: "itl",
                definition: "inter-token latency, (latency - ttft) / (reported output tokens - 1)",
                unit: .milliseconds, scope: .stream,
                distribution: Distribution(streams.compactMap(\.itl))),
            Metric(
                name: "output_rate", definition: "1 / itl", unit: .tokensPerSecond, scope: .stream,
                distribution: Distribution(streams.compactMap(\.outputRate))),
            Metric(
                name: "end_to_end_rate", definition: "reported output tokens / latency",
                unit: .tokensPerSecond, scope: .stream,
                distribution: Distribution(streams.compactMap(\.endToEndRate))),
        ]
    }

    private var turnMetrics: [Metric] {
        [
            turn(
                "turn_latency",
                "from a turn's first t0 to its terminal event, tool rounds included",
                \.latency),
            turn(
                "turn_ttft",
                "from a turn's first t0 to the first text or card behind its last tool result",
                \.ttft),
        ]
    }
}

extension MetricTable {
    /// Of new connections only: an open one has no phases before the request.
    private func phase(
        _ name: String, _ definition: String, _ field: (PhasesRecord) -> Int64?
    ) -> Metric {
        let values = exchanges.compactMap(\.phases).filter { $0.reused != true || name == "sent" }
            .compactMap(field)
        return Metric(
            name: name, definition: definition, unit: .milliseconds, scope: .exchange,
            distribution: Distribution(values))
    }

    private func stream(
        _ name: String, _ definition: String, _ field: (StreamResult) -> Int64?
    ) -> Metric {
        let values = streams.compactMap(field)
        return Metric(
            name: name, definition: definition, unit: .milliseconds, scope: .stream,
            distribution: Distribution(values),
            adjusted: AdjustedPercentiles(values, failures: failedStreams))
    }

    private func turn(
        _ name: String, _ definition: String, _ field: (TurnResult) -> Int64?
    ) -> Metric {
        let values = turns.compactMap(field)
        return Metric(
            name: name, definition: definition, unit: .milliseconds, scope: .turn,
            distribution: Distribution(values),
            adjusted: AdjustedPercentiles(values, failures: failedTurns))
    }
}
