import AgoKit
import ChatbaseKit
import CometChatKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

/// Recordings that no recorder wrote: whatever they say, they are read to their end.
@Suite struct HostileTests {
    /// Recordings of every vendor, with as much in them as there is.
    private static let recordings: [[String]] = [
        RuleCase.continued(submits: true).lines,
        ChatbaseTurnTests.threeStreams(withCall: true).lines,
        CometChatTurnTests.twoSockets().lines,
    ]

    private func analyze(_ lines: [String]) throws {
        let text = lines.map { $0 + "\n" }.joined()
        let tape = try AnalyzedTape(
            name: "t", bytes: Array(text.utf8),
            dialects: [AgoDialect(), ChatbaseDialect(), CometChatDialect(), PlainDialect()])
        let rules = Rule.general + AgoRules.all + ChatbaseRules.all + CometChatRules.all
        #expect(!Report([tape], rules: rules).jsonText.isEmpty)
    }

    @Test(arguments: recordings)
    func readsARecordingWithoutAnyOfItsFrames(_ whole: [String]) throws {
        for index in whole.indices {
            var lines = whole
            lines.remove(at: index)
            try analyze(lines)
        }
    }

    @Test(arguments: recordings)
    func readsARecordingWithAnyFrameTwice(_ whole: [String]) throws {
        for index in whole.indices {
            try analyze(whole[...index] + [whole[index]] + whole[(index + 1)...])
        }
    }

    @Test(arguments: recordings)
    func readsARecordingThatEndsAnywhere(_ whole: [String]) throws {
        for count in 1...whole.count { try analyze(Array(whole.prefix(count))) }
    }

    @Test(arguments: recordings)
    func readsARecordingBackwards(_ whole: [String]) throws {
        try analyze(whole.reversed())
    }

    @Test(arguments: recordings, [Int64.min, -1, 0, .max])
    func readsAnyTime(_ whole: [String], time: Int64) throws {
        for index in whole.indices {
            var lines = whole
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
