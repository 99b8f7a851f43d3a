import AgoKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

/// Recordings that no recorder wrote: whatever they say, they are read to their end.
@Suite struct HostileTests {
    private static let whole: [String] = RuleCase.continued(submits: true).lines

    private func analyze(_ lines: [String]) throws {
        let text = lines.map { $0 + "\n" }.joined()
        let tape = try AnalyzedTape(
            name: "t", bytes: Array(text.utf8), dialects: [AgoDialect(), PlainDialect()])
        #expect(!Report([tape], rules: Rule.general + AgoRules.all).jsonText.isEmpty)
    }

    @Test func readsARecordingWithoutAnyOfItsFrames() throws {
        for index in Self.whole.indices {
            var lines = Self.whole
            lines.remove(at: index)
            try analyze(lines)
        }
    }

    @Test func readsARecordingWithAnyFrameTwice() throws {
        for index in Self.whole.indices {
            try analyze(Self.whole[...index] + [Self.whole[index]] + Self.whole[(index + 1)...])
        }
    }

    @Test func readsARecordingThatEndsAnywhere() throws {
        for count in 1...Self.whole.count { try analyze(Array(Self.whole.prefix(count))) }
    }

    @Test func readsARecordingBackwards() throws {
        try analyze(Self.whole.reversed())
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func readsAnyTime(time: Int64) throws {
        for index in Self.whole.indices {
            var lines = Self.whole
            let parts = lines[index].split(separator: ",", maxSplits: 3)
            lines[index] = "\(parts[0]),\(parts[1]),\"t\":\(time),\(parts.dropFirst(3).joined())"
            if parts.count < 4 { lines[index] = "\(parts[0]),\(parts[1]),\"t\":\(time)}" }
            try analyze(lines)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func readsAnyDurationAndCount(value: Int64) throws {
        var recording = Recording.plain(
            #"{"type":"text"}"#, #"{"type":"text"}"#,
            usage: #"{"type":"usage","input":\#(value),"output":\#(value),"total":\#(value)}"#)
        recording.add("request", 2, 600, ["transport": "http", "method": "GET", "url": "x"])
        recording.add("held", 2, 601, ["duration": .integer(value)])
        recording.add("held", 2, 602, ["duration": .integer(value)])
        recording.add(
            "phases", 2, 603, ["lookup": .integer(value), "sent": .integer(value)])
        try analyze(recording.lines)
    }
}
