import RepriseAnalysis
import RepriseSession
import Testing

@Suite struct SpanTests {
    private func stream(_ pieces: [(time: Double, json: String)], stop: Double = 9_000)
        throws -> StreamResult
    {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 40)
        for piece in pieces { recording.body(1, at: piece.time, Recording.chunk(piece.json)) }
        recording.end(1, at: stop)
        return try #require(try recording.analyzed().streams.first)
    }

    private func shown(_ stream: StreamResult) -> [String] {
        stream.spans.map {
            "\($0.kind.rawValue) \($0.start / 1_000_000)-\($0.end / 1_000_000) "
                + "\($0.pieces) \($0.bytes)"
        }
    }

    private let thought = #"{"tool_call_data":true,"type":"reasoning","message":"hm"}"#

    @Test func kindsAndPausesPartTheContent() throws {
        let stream = try stream([
            (50, Recording.begin), (60, thought), (70, thought), (80, Recording.text),
            (90, Recording.text), (90, Recording.text), (100, Recording.text),
            (200, Recording.text), (210, Recording.done),
        ])
        #expect(
            shown(stream) == [
                "reasoning 60-70 2 4", "text 80-100 4 8", "text 200-200 1 2",
            ])
        #expect(stream.terminal == 210_000_000)
        #expect(stream.omittedSpans == 0)
    }

    @Test func manyPausesAreFewer() throws {
        // Three pieces close together, then a pause that is longer each time.
        var time = 50.0
        var pieces = [(time, Recording.begin)]
        for round in 0..<400 {
            for _ in 0..<3 {
                time += 1
                pieces.append((time, Recording.text))
            }
            time += 30 + Double(round)
        }
        let stream = try stream(pieces, stop: time + 1)
        #expect(stream.spans.count > 20 && stream.spans.count <= ContentSpan.limit)
        #expect(stream.spans.map(\.pieces).reduce(0, +) == 1_200)
        #expect(stream.omittedSpans == 0)
    }

    @Test func changesOfKindBeyondTheLimitAreCounted() throws {
        let pieces = (0..<300).map { index in
            (50 + Double(index), index.isMultiple(of: 2) ? thought : Recording.text)
        }
        let stream = try stream(pieces)
        #expect(stream.spans.count == ContentSpan.limit)
        #expect(stream.omittedSpans == 300 - ContentSpan.limit)
    }

    @Test func aStallSaysWhere() throws {
        let stream = try stream([
            (50, Recording.text), (60, Recording.text), (70, Recording.text),
            (1_070, Recording.text), (1_080, Recording.done),
        ])
        #expect(stream.stalls.map(\.start) == [70_000_000])
        #expect(stream.stalls.map(\.length) == [1_000_000_000])
        #expect(stream.stalls.map(\.hasHeartbeats) == [false])
    }
}
