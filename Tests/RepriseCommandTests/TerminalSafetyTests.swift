import TestSupport
import Testing

/// What a service or a tape says may not steer the terminal that shows it.
@Suite("On a terminal", .timeLimit(.minutes(5)))
struct TerminalSafetyTests {
    /// Runs `reprise` on a terminal of its own, which takes no colours: whatever steers it would be
    /// recorded content.
    private func onTerminal(
        _ words: [String], in folder: TemporaryFolder, columns: Int = 80
    ) async throws -> Command.Result {
        let script =
            "import os, pty, sys; "
            + "sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        var command = Command(
            try Workspace.python, ["-c", script, try Workspace.command] + words)
        command.environment = [
            "TERM": "dumb", "COLUMNS": "\(columns)", "AUTH": "planted-token-1234567890",
        ]
        command.folder = folder.path
        return try await command.run()
    }

    /// The characters that a terminal obeys, as they came; a terminal's line ends are `\r\n`.
    private static func controls(in text: String) -> [String] {
        text.replacing("\r\n", with: "\n").unicodeScalars
            .filter {
                ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F..<0xA0).contains($0.value)
            }
            .map { "U+" + String($0.value, radix: 16) }
    }

    /// ESC, CSI as one character, BEL, backspace, and a return without a line's end.
    private static let evil = #"\u001b[2J\u009b31m\u0007\b\rX"#

    /// A tape that holds them wherever it can.
    private static let tape: String = {
        let inner = evil.replacing("\\", with: "\\\\")
        return #"""
            {"kind":"session","t":0,"version":1,"session":"aa","wall":"2026-11-30T06:06:00.000000000Z","recorder":"EVIL","labels":{"EVIL":"EVIL"}}
            {"kind":"client","t":1,"client":"ago","config":{"baseURL":"http://a.example/EVIL","origin":"EVIL"}}
            {"kind":"call","t":2,"call":1,"op":"sendMessage","args":{"content":"EVIL"}}
            {"kind":"request","x":1,"t":3,"call":1,"transport":"http","method":"POST","url":"http://a.example/api/sdk/v1/messages?EVIL","headers":[["Host","a.example"],["X-EVIL","EVIL"],["Accept","text/event-stream"]]}
            {"kind":"requestBody","x":1,"t":4,"text":"{\"content\":\"EVIL\"}"}
            {"kind":"requestEnd","x":1,"t":5}
            {"kind":"response","x":1,"t":100,"status":200,"version":"1.1","reason":"EVIL","headers":[["Content-Type","text/event-stream"],["X-EVIL","EVIL"]]}
            {"kind":"responseBody","x":1,"t":110,"text":"data: {\"message_id\":\"m\",\"thread\":{\"id\":\"INNER\",\"title\":\"INNER\"},\"content\":\"He INNER\"}\n\n"}
            {"kind":"responseBody","x":1,"t":111,"text":"data: {\"message_id\":\"m\",\"tool\":{\"name\":\"INNER\",\"status\":\"INNER\"}}\n\nevent: EVIL\ndata: EVIL\n\n"}
            {"kind":"end","x":1,"t":140,"how":"reset","code":"EVIL","message":"EVIL"}
            {"kind":"tool","t":141,"call":1,"name":"EVIL","state":"started","input":{"EVIL":"EVIL"}}
            {"kind":"note","t":142,"text":"EVIL"}
            {"kind":"call","t":150,"call":1,"error":{"code":"EVIL","message":"EVIL"}}
            {"kind":"request","x":2,"t":200,"transport":"http","method":"EVIL","url":"EVIL","headers":[]}
            {"kind":"response","x":2,"t":201,"status":404,"version":"1.1","headers":[["Content-Type","EVIL"]]}
            {"kind":"responseBody","x":2,"t":202,"text":"EVIL"}

            """#.replacing("EVIL", with: evil).replacing("INNER", with: inner)
    }()

    @Test(
        "Nothing on a tape steers it",
        arguments: [
            ["show"], ["show", "--full"], ["cat"], ["replay", "--pace", "instant"],
            ["replay", "--check"], ["report"], ["report", "--format", "json"],
            ["report", "--format", "markdown"], ["report", "--format", "html"], ["check"],
            ["verify"],
        ])
    func tapes(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jsonl", Array(Self.tape.utf8))
        let result = try await onTerminal(words + ["a.jsonl"], in: folder)
        #expect(result.output.count > 50, "\(result.text)")
        #expect(Self.controls(in: result.text) == [], "\(result.text)")
    }

    @Test("No long line of a replay makes the terminal begin one that looks like another")
    func longLines() async throws {
        let folder = try TemporaryFolder()
        let forged = "■ 1 complete" + String(repeating: "·", count: 500)
        let wide = String(repeating: "漢", count: 100) + String(repeating: "é🎉", count: 60)
        let text = ReplayCommandTests.whole
            .replacing("llo", with: String(repeating: forged, count: 8) + wide)
            .replacing("\"url\":\"", with: "\"url\":\"\(forged)")
        try folder.write("a.jsonl", Array(text.utf8))
        let result = try await onTerminal(["replay", "--pace", "instant", "a.jsonl"], in: folder)
        let lines = result.text.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.count > 50)
        #expect(lines.count { $0.hasPrefix("■") } == 1)
        #expect(lines.allSatisfy { Self.cells($0) <= 80 })
    }

    /// How far a line reaches where every sign beyond the plain alphabets takes two cells.
    private static func cells(_ line: Substring) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
    }

    /// What a service says to each client, with a path for each.
    private static let services: [(words: [String], path: String, events: [String])] = [
        (
            [
                "ago", "send", "--origin", "https://a.example", "--jwt-env", "AUTH", "--widget-id",
                "w",
            ], "/messages",
            [
                #"{"message_id":"m","thread":{"id":"EVIL","title":"EVIL"},"content":"EVIL"}"#,
                #"{"message_id":"m","content":"EVIL","follow_up_replies":["EVIL"]}"#,
                #"{"message_id":"m","status":"DONE"}"#,
            ]
        ),
        (
            ["chatbase", "send", "--agent", "a"], "/agents/a/chat",
            [
                #"{"type":"start","messageId":"EVIL"}"#, #"{"type":"text-delta","delta":"EVIL"}"#,
                #"{"type":"text-delta","delta":"EVIL"}"#,
                #"{"type":"finish","finishReason":"stop","messageMetadata":{"conversationId":"EVIL"}}"#,
            ]
        ),
    ]

    @Test("Nothing that a service says steers it", arguments: 0..<2, [200, 500])
    func services(_ index: Int, _ status: Int) async throws {
        let service = Self.services[index]
        let folder = try TemporaryFolder()
        let peer = try await Peer.start("raw_http.py")
        let events = service.events.map { "data: \($0)\\n\\n" }.joined() + "data: [DONE]\\n\\n"
        let error = #"{"code":"EVIL","error":{"code":"EVIL","message":"EVIL"},"message":"EVIL"}"#
        let body = (status == 200 ? events : error).replacing("\"", with: "\\\"")
            .replacing("EVIL", with: Self.evil.replacing("\\", with: "\\\\"))
        let type = status == 200 ? "text/event-stream" : "application/json"
        try await peer.tell(
            #"script {"path":"\#(service.path)","steps":[{"send":"HTTP/1.1 \#(status) OK\r\n"#
                + #"Content-Type: \#(type)\r\nConnection: close\r\n\r\n\#(body)"},{"fin":true}]}"#)
        let result = try await onTerminal(
            service.words + [
                "--base-url", "http://127.0.0.1:\(peer.port)", "--tape", "a.tape", "Hi",
            ],
            in: folder)
        #expect(Self.controls(in: result.text) == [], "\(result.text)")
        // What is not an answer's text is without them already.
        #expect(result.text.contains(status == 200 ? #"\u{1b}[2J"# : "500"), "\(result.text)")
    }
}
