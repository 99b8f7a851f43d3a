import RepriseTesting
import RepriseTransport
import TestSupport
import Testing

/// The timeline that goes with a test that fails.
@Suite struct TimelineTests {
    private static func lines(_ path: String) throws -> [String] {
        let text = Timeline(try Recording(path: path), name: "t").text
        return text.split(separator: "\n").map(String.init)
    }

    @Test func hasWhatSocketFramesSayInflated() throws {
        let lines = try Self.lines("\(Workspace.root)/Recordings/cometchat-weather.tape")
        let deltas = lines.filter { $0.contains(#"\"text_message_content\""#) }
        #expect(deltas.count > 10)
        #expect(deltas.allSatisfy { $0.contains("← frame text, deflated, ") })
        #expect(deltas.allSatisfy { $0.contains(#"\"delta\":\""#) && $0.count <= 502 })
        #expect(
            lines.contains { $0.hasSuffix(#"→ frame close, code 1002  "USER_LOGGED_OUT""#) })
    }

    @Test func nothingThatASocketSaysMakesALine() throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "x", count: 1_000)
        // The close frame says "a", a line feed and "b".
        let tape = #"""
            {"kind":"session","t":0,"version":1,"session":"00000000000000aa","wall":"2026-11-30T06:06:00.000000000Z","recorder":"hand"}
            {"kind":"request","x":1,"t":1,"transport":"websocket","method":"GET","url":"wss://a.example/","headers":[]}
            {"kind":"response","x":1,"t":2,"status":101,"version":"1.1","headers":[]}
            {"kind":"socketFrame","x":1,"t":3,"from":"client","opcode":"text","text":"a\nb"}
            {"kind":"socketFrame","x":1,"t":4,"from":"server","opcode":"text","text":"\#(long)"}
            {"kind":"socketFrame","x":1,"t":5,"from":"server","opcode":"close","base64":"A+phCmI="}
            {"kind":"end","x":1,"t":6,"how":"complete"}

            """#
        try folder.write("a.jsonl", Array(tape.utf8))
        let lines = try Self.lines(folder.file("a.jsonl"))
        try #require(lines.count == 8)
        #expect(lines[4].hasSuffix(#"  → frame text, 3 bytes  "a\nb""#))
        #expect(lines[5].hasSuffix("xxx…"))
        #expect(lines[6].hasSuffix(#"  ← frame close, code 1002  "a\nb""#))
    }
}
