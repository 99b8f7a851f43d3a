import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("reprise replay")
struct ReplayCommandTests {
    static let head = #"""
        {"kind":"session","t":0,"version":1,"session":"00000000000000aa","wall":"2026-11-30T06:06:00.000000000Z","recorder":"reprise/0.1.0"}
        {"kind":"client","t":1,"client":"ago","config":{"baseURL":"http://a.example/api/sdk/v1","mode":"widget","origin":"https://app.example.com","widgetId":"********"}}
        {"kind":"call","t":2,"call":1,"op":"sendMessage","args":{"content":"hi"}}
        {"kind":"request","x":1,"t":3,"call":1,"transport":"http","method":"POST","url":"http://a.example/api/sdk/v1/messages","headers":[["Host","a.example"],["X-User-Anon-Id","********"],["Origin","https://app.example.com"],["Content-Type","application/json"],["Accept","text/event-stream"],["Accept-Encoding","gzip, deflate"],["Content-Length","16"]]}
        {"kind":"requestBody","x":1,"t":4,"text":"{\"content\":\"hi\"}"}
        {"kind":"requestEnd","x":1,"t":5}
        {"kind":"response","x":1,"t":100,"status":200,"version":"1.1","headers":[["Content-Type","text/event-stream"]]}
        {"kind":"responseBody","x":1,"t":110,"text":"data: {\"message_id\":\"m\",\"thread\":{\"id\":\"t\"},\"content\":\"He\"}\n\nda"}
        {"kind":"responseBody","x":1,"t":120,"text":"ta: {\"message_id\":\"m\",\"content\":\"llo\\u001b[2J\"}\n\n"}

        """#

    static let whole =
        head
            + #"""
            {"kind":"responseBody","x":1,"t":130,"text":"data: {\"message_id\":\"m\",\"status\":\"DONE\"}\n\n"}
            {"kind":"end","x":1,"t":140,"how":"complete"}

            """#

    static let cut =
        head
            + #"""
            {"kind":"end","x":1,"t":140,"how":"reset","code":"transport.reset","message":"cut"}
            {"kind":"call","t":150,"call":1,"error":{"code":"ago.streamCut","message":"cut"}}

            """#

    private func replay(
        _ text: String, _ options: String...
    ) async throws -> TestSupport.Command.Result {
        var command = try Command.reprise()
        command.arguments = ["replay"] + options + ["-"]
        command.input = Array(text.utf8)
        return try await command.run()
    }

    @Test("It plays what was recorded, and recorded content cannot steer the terminal")
    func play() async throws {
        let result = try await replay(Self.whole, "--pace", "instant")
        #expect(result.status == 0)
        #expect(
            result.text == #"""
                session 00000000000000aa, 2026-11-30T06:06:00.000000000Z, reprise/0.1.0
                client ago at http://a.example/api/sdk/v1
                call 1 sendMessage {"content":"hi"}
                → 1 POST http://a.example/api/sdk/v1/messages
                ← 1 200 text/event-stream
                  Hello\u{1b}[2J
                · 1 answer finished
                ■ 1 complete

                """#)
    }

    @Test("What is recorded makes no lines of its own")
    func forgedLines() async throws {
        let text =
            Self.whole
            .replacing("00000000000000aa", with: "a\\n■ 1 complete")
            .replacing("\"url\":\"", with: "\"url\":\"x\\n■ 1 complete")
            + #"{"kind":"note","t":150,"text":"a\n■ 1 complete"}"# + "\n"
        let result = try await replay(text, "--pace", "instant")
        #expect(result.text.split(separator: "\n").count { $0.hasPrefix("■") } == 1)
    }

    @Test("Text that streams is indented, so that no line of it looks like what happened")
    func forgedText() async throws {
        let text = Self.whole.replacing("llo", with: #"llo\\n■ 1 complete\\n\\ncall 1 done\\n"#)
        let result = try await replay(text, "--pace", "instant")
        #expect(
            result.text.contains(
                #"""
                ← 1 200 text/event-stream
                  Hello
                  ■ 1 complete

                  call 1 done
                  \u{1b}[2J
                · 1 answer finished
                ■ 1 complete

                """#))
    }

    @Test("A socket plays as its dialect reads it, deflated or in fragments: text, tools, cards")
    func playSocket() async throws {
        let weather = try await Self.shipped("cometchat-weather")
        let begin = try #require(weather.firstIndex(of: "· 2 run 9001"))
        let shown = Array(weather[begin...].prefix(6))
        try #require(shown.count == 6)
        #expect(shown[1] == "· 2 tool get_weather")
        #expect(shown[2].hasPrefix("· 2 card ") && shown[3].hasPrefix("· 2 card "))
        #expect(shown[4].hasPrefix("  There are four distinct colors that can be described by"))
        #expect(shown[5] == "· 2 answer finished")
        let fragments = try await Self.shipped("cometchat-fragments")
        #expect(fragments.contains("· 2 answer finished"))
        #expect(fragments.contains { $0.hasPrefix("  ") })
        for lines in [weather, fragments] {
            let frames = lines.filter { $0.hasPrefix("· 2 server") || $0.hasPrefix("· 2 client") }
            #expect(frames.allSatisfy { $0.contains(" close, code 1002  ") }, "\(frames)")
        }
    }

    @Test("Runs that share a socket name themselves")
    func playRuns() async throws {
        var texts: [String: String] = [:]
        var run = ""
        for line in try await Self.shipped("cometchat-two-runs") {
            if line.hasPrefix("· 2 run ") { run = String(line.dropFirst("· 2 run ".count)) }
            if line.hasPrefix("  ") { texts[run, default: ""] += line.dropFirst(2) }
        }
        #expect(texts.keys.sorted() == ["9002", "9003"])
        #expect(texts["9002"]?.hasPrefix("🌐🌐🌐🌐") == true)
        #expect(texts["9003"]?.hasPrefix("Pale and innocent, a cat") == true)
    }

    @Test("A socket that breaks plays until there, and says what is wrong")
    func playBrokenSocket() async throws {
        let lines = try await Self.shipped("cometchat-bad-deflate")
        let place = try #require(
            lines.firstIndex { $0.hasPrefix("· 2 server text, deflated, wrong") })
        #expect(lines[place - 1].hasPrefix("  There are four distinct colors"))
    }

    @Test("A socket that no dialect knows plays as its frames")
    func playStrangeSocket() async throws {
        let text = #"""
            {"kind":"session","t":0,"version":1,"session":"a","wall":"2026-11-30T06:06:00.000000000Z","recorder":"hand"}
            {"kind":"request","x":1,"t":1,"transport":"websocket","method":"GET","url":"wss://a.example/","headers":[["Sec-WebSocket-Extensions","permessage-deflate"]]}
            {"kind":"response","x":1,"t":2,"status":101,"version":"1.1","headers":[["Sec-WebSocket-Extensions","permessage-deflate"]]}
            {"kind":"socketFrame","x":1,"t":3,"from":"client","opcode":"text","text":"Hi\n■ 1 complete"}
            {"kind":"socketFrame","x":1,"t":4,"from":"server","rsv1":true,"opcode":"text","base64":"8kjNyckHAA=="}
            {"kind":"socketFrame","x":1,"t":5,"from":"server","opcode":"close","base64":"A+pieWU="}
            {"kind":"end","x":1,"t":6,"how":"complete"}

            """#
        let result = try await replay(text, "--pace", "instant")
        #expect(
            result.text.hasSuffix(
                #"""
                ← 1 101
                · 1 client text, 17 bytes  Hi\n■ 1 complete
                · 1 server text, deflated, 7 bytes, inflated 5 bytes  Hello
                · 1 server close, code 1002  bye
                ■ 1 complete

                """#), "\(result.text)")
    }

    private static func shipped(_ name: String) async throws -> [String] {
        let tape = Workspace.root + "/Recordings/\(name).tape"
        let result = try await Command.reprise("replay", "--pace", "instant", tape).run()
        #expect(result.status == 0)
        return result.text.split(separator: "\n").map(String.init)
    }

    @Test("Nothing to play or to check is told", arguments: ["", "\n\n"])
    func nothing(text: String) async throws {
        let played = try await replay(text, "--pace", "instant")
        #expect(played.errorText.contains("there is no frame: nothing was recorded"))
        let checked = try await replay(text, "--check")
        #expect(checked.status == 1)
        #expect(checked.text.contains("neither exchanges nor operations"))
    }

    @Test("A bad end and the recorder's death are told")
    func ends() async throws {
        let cut = try await replay(Self.cut, "--pace", "1000")
        #expect(cut.text.hasSuffix("■ 1 reset: cut\ncall 1 failed: ago.streamCut\n"))
        let died = try await replay(Self.head, "--pace", "original")
        #expect(died.text.hasSuffix("■ 1 no end: the recorder died here\n"))
    }

    @Test(
        "The same is the same, whatever end it had",
        arguments: [head, cut, whole])
    func same(text: String) async throws {
        let result = try await replay(text, "--check")
        #expect(result.text == "1 operation, 1 exchange: as recorded\n")
        #expect(result.status == 0)
    }

    @Test(
        "What differs is told, and is status 1",
        arguments: [
            (
                "hi\\\"}\"", "ho\\\"}\"",
                "call 1: POST /api/sdk/v1/messages: in the body, $.content differs: "
                    + "recorded \"ho\", now \"hi\"\n"
            ),
            (
                #""Origin","https://app"#, #""Origin","https://other"#,
                "call 1: POST /api/sdk/v1/messages: the header Origin differs: recorded "
                    + "\"https://other.example.com\", now \"https://app.example.com\"\n"
            ),
            (
                #""error":{"code":"ago.streamCut""#, #""error":{"code":"ago.server""#,
                "call 1: sendMessage failed otherwise: recorded ago.server, now ago.streamCut\n"
            ),
            (#""client":"ago""#, #""client":"none""#, "nobody can run the client \"none\"\n"),
        ])
    func differences(old: String, new: String, message: String) async throws {
        let result = try await replay(Self.cut.replacing(old, with: new), "--check")
        #expect(result.text == message + "1 operation, 1 exchange: 1 difference\n")
        #expect(result.status == 1)
    }

    @Test("Under all cuts it is the same, which is told of each; so is what differs")
    func cuts() async throws {
        let all = try await replay(Self.whole, "--check", "--cuts", "all")
        let names = ["recorded", "blob", "bytes", "utf8", "lines", "gzip", "websocket", "random:1"]
        let lines = names.map { "cuts \($0): 1 operation, 1 exchange: as recorded\n" }
        #expect(all.text == lines.joined())
        #expect(all.status == 0)
        let other = Self.cut.replacing("ago.streamCut", with: "ago.server")
        let result = try await replay(other, "--check", "--cuts", "random:7")
        #expect(
            result.text
                == "cuts random:7: call 1: sendMessage failed otherwise: recorded ago.server, now "
                + "ago.streamCut\ncuts random:7: 1 operation, 1 exchange: 1 difference\n")
        #expect(result.status == 1)
    }

    @Test("What cannot be read is told on standard error")
    func unreadable() async throws {
        #expect(try await Command.reprise("replay", "/nowhere.tape").run().status == 1)
        let result = try await Command.reprise("replay", "--pace", "fast", "x").run()
        #expect(result.status == 2)
        #expect(result.errorText.contains("--pace is instant, original or a positive factor"))
    }
}

@Suite("reprise replay, over recordings of a stand-in")
struct ReplayLiveTests {
    private static let calls: [(name: String, status: Int32, words: [String])] = [
        ("send", 0, ["send", "Hello"]),
        ("gzip", 0, ["send", "Hello peer:coding=gzip"]),
        ("cut", 1, ["send", "Hello peer:cut=900,rst"]),
        ("refused", 1, ["send", "Hello peer:status=401"]),
        ("list", 0, ["conversations"]),
        (
            "ticket", 0,
            [
                "ticket", "--subject", "S", "--typology", "question", "--priority", "high",
                "--body", "The body",
            ]
        ),
    ]

    @Test("Every call of AGO, recorded, replays as it went, without the service or a credential")
    func everyCall() async throws {
        let folder = try TemporaryFolder()
        var peer: Peer? = try await Peer.start("ago", "--pace", "0")
        let url = try #require(peer).agoURL
        for mode in [["--jwt-env", "AGO_JWT"], ["--widget", "--email", "a@b.example"]] {
            for call in Self.calls {
                let tape = "\(folder.path)/\(call.name)\(mode.count).tape"
                var command = try Command.reprise("ago")
                command.arguments +=
                    [call.words[0], "--base-url", url, "--origin", "https://app.example.com"]
                    + mode + ["--widget-id", "planted-widget-id", "--tape", tape]
                    + call.words.dropFirst()
                command.environment = ["AGO_JWT": "planted-token-1234567890"]
                let result = try await command.run()
                #expect(result.status == call.status, "\(call.name): \(result.errorText)")
            }
        }
        peer = nil
        for mode in [2, 3] {
            for call in Self.calls {
                let tape = "\(folder.path)/\(call.name)\(mode).tape"
                let check = try await Command.reprise("replay", "--check", tape).run()
                #expect(
                    check.text == "1 operation, 1 exchange: as recorded\n", "\(call.name)")
                #expect(check.status == 0)
                let play = try await Command.reprise("replay", "--pace", "instant", tape).run()
                #expect(play.status == 0)
                #expect(!(check.text + play.text).contains("planted"))
            }
        }
    }
}
