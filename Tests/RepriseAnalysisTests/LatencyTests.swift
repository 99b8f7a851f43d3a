import AgoKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

@Suite struct LatencyTests {
    private static func milliseconds(_ value: Int64?) -> Double? {
        value.map { Double($0) / 1_000_000 }
    }

    /// A stream with everything at a time of its own.
    private static var timed: Recording {
        var recording = Recording()
        recording.request(1, at: 3)
        recording.response(1, at: 90)
        recording.body(1, at: 93, ": heart")
        recording.body(1, at: 95, "beat\n\n")
        recording.body(1, at: 103, Recording.chunk(Recording.begin))
        recording.body(
            1, at: 153,
            Recording.chunk(#"{"tool_call_data":true,"type":"reasoning","message":"hm"}"#))
        recording.body(1, at: 203, Recording.chunk(#"{"content":""}"#))
        // One read with three pieces, one of them cut.
        recording.body(
            1, at: 253,
            Recording.chunk(Recording.text) + Recording.chunk(Recording.text)
                + Recording.chunk(Recording.text) + "data: {\"cont")
        recording.body(1, at: 303, "ent\":\"!\"}\n\n")
        recording.body(1, at: 403, Recording.chunk(Recording.done))
        recording.body(1, at: 453, Recording.chunk(#"{"title":"T"}"#))
        recording.end(1, at: 503)
        return recording
    }

    @Test func timesAStream() throws {
        let session = try Self.timed.analyzed()
        let stream = try #require(session.streams.first)
        #expect(Self.milliseconds(stream.start) == 3)
        #expect(Self.milliseconds(stream.firstByte) == 90)
        #expect(Self.milliseconds(stream.firstEvent) == 100)
        #expect(Self.milliseconds(stream.ttft) == 150)
        #expect(Self.milliseconds(stream.ttfo) == 250)
        #expect(Self.milliseconds(stream.latency) == 300)
        #expect(Self.milliseconds(stream.streamEnd) == 500)
        #expect(stream.contentGaps == [100_000_000, 0, 0, 50_000_000])
        #expect(stream.bursts == 1)
        #expect(stream.pieces == 5)
        #expect(stream.events == 9)
        #expect(stream.itl == nil)
        #expect(stream.outcome == .finished)
        let turn = try #require(session.turns.first)
        #expect(Self.milliseconds(turn.latency) == 400)
        #expect(Self.milliseconds(turn.ttft) == 250)
        #expect(turn.textBytes == 7)
    }

    @Test func reportedTokensGiveAPace() throws {
        let recording = Recording.plain(
            #"{"type":"text"}"#, #"{"type":"text"}"#, #"{"type":"text"}"#)
        let stream = try #require(
            try recording.analyzed(dialects: [PlainDialect()]).streams.first)
        // From 110 to 130 ms; five tokens.
        #expect(Self.milliseconds(stream.ttft) == 110)
        #expect(Self.milliseconds(stream.latency) == 130)
        #expect(stream.itl == 5_000_000)
        #expect(stream.outputRate == 200_000)
        #expect(stream.endToEndRate == 38_461)
    }

    @Test(arguments: [
        // The stall, and what the app held of it until when.
        (1_000.0, 0.0, 0.0, 1),
        (1_000, 900, 200, 1),
        (1_000, 1_000, 600, 0),
        (1_000, 950, 940, 0),
    ])
    func aSlowAppIsNoStalledServer(
        gap: Double, heldUntil: Double, held: Double, stalls: Int
    ) throws {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 90)
        recording.body(1, at: 100, Recording.chunk(Recording.begin))
        for step in 1...6 {
            recording.body(1, at: 100 + Double(step) * 20, Recording.chunk(Recording.text))
        }
        if held > 0 {
            recording.add(
                "held", 1, 220 + heldUntil, ["duration": .integer(Int64(held * 1_000_000))])
        }
        recording.body(1, at: 220 + gap, Recording.chunk(Recording.text))
        recording.body(1, at: 220 + gap + 10, Recording.chunk(Recording.done))
        recording.end(1, at: 2_000)
        let session = try recording.analyzed()
        #expect(session.streams.first?.byteStalls.count == stalls)
        #expect(session.violations.count == stalls)
    }

    @Test func silenceBeforeATimeLimitIsAStall() throws {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 90)
        for step in 1...6 {
            recording.body(1, at: 100 + Double(step) * 20, Recording.chunk(Recording.text))
        }
        recording.end(1, at: 10_220, "timedOut")
        let session = try recording.analyzed()
        #expect(session.streams.first?.byteStalls == [10_000_000_000])
        #expect(session.turns.first?.outcome == .failed("a time limit passed"))
    }

    @Test func failuresAreLeftOutOfPlainValuesAndCountInAdjustedOnes() throws {
        var tapes: [AnalyzedTape] = []
        let recordings = [
            Recording.chunks(Recording.begin, Recording.text, Recording.done),
            .chunks(Recording.begin, Recording.text, how: "reset"),
            .chunks(Recording.begin, Recording.text, how: "cancelled"),
        ]
        for (index, recording) in recordings.enumerated() {
            tapes.append(
                try AnalyzedTape(
                    name: "\(index)", bytes: recording.bytes, dialects: [AgoDialect()]))
        }
        let report = Report(tapes, rules: Rule.general + AgoRules.all)
        let ttft = try #require(report.metrics.first { $0.name == "ttft" })
        #expect(ttft.distribution?.count == 1)
        #expect(ttft.adjusted?.count == 2)
        #expect(ttft.adjusted?.failures == 1)
        #expect(ttft.adjusted?.percentiles.last == .some(nil))
        #expect(report.verdict.failedTurns == 1)
        #expect(report.verdict.isPassed == false)
    }
}
