import RepriseTape
import TestSupport
import Testing

@Suite("Commands over tapes")
struct TapeCommandTests {
    private static let lines = """
        {"kind":"session","x":0,"t":0,"version":1,"session":"0123456789abcdef",\
        "wall":"2026-11-30T06:06:00.000000001Z","recorder":"reprise/0.1.0"}
        {"kind":"request","x":1,"t":3000,"transport":"http","method":"POST",\
        "url":"https://a.example/messages","headers":[["Accept","text/event-stream"]]}
        {"kind":"requestBody","x":1,"t":81000,"text":"{\\"content\\":\\"hi\\"}"}
        {"kind":"requestEnd","x":1,"t":82000}
        {"kind":"response","x":1,"t":90500000,"status":200,"version":"1.1",\
        "headers":[["Content-Type","text/event-stream"]]}
        {"kind":"responseBody","x":1,"t":91000000,"text":"data: 1\\u001b[31m\\n\\n"}
        {"kind":"responseBody","x":1,"t":92000000,"base64":"H4sA/w=="}
        {"kind":"#42","x":1,"t":93000000,"base64":"AAEC"}

        """

    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("a.jsonl", Array(lines.utf8))
        #expect(try await run("import", folder.file("a.jsonl")).status == 0)
        return folder
    }

    @discardableResult
    private static func run(_ arguments: String..., input: [UInt8] = []) async throws
        -> Command.Result
    {
        var command = Command(try Workspace.command, arguments)
        command.input = input
        command.environment["COLUMNS"] = "80"
        return try await command.run()
    }

    @Test("cat prints what import read")
    func roundTrip() async throws {
        let folder = try await Self.folder()
        let cat = try await Self.run("cat", folder.file("a.tape"))
        #expect(cat.text == Self.lines)
        #expect(cat.errorText == "")
        #expect(cat.status == 0)
        #expect(try await Self.run("cat", "-", input: folder.bytes("a.tape")).text == Self.lines)
        #expect(try await Self.run("cat", folder.file("a.jsonl")).text == Self.lines)
        let copy = try await Self.run("import", "-", "-o", "-", input: cat.output)
        #expect(copy.output == (try folder.bytes("a.tape")))
    }

    @Test("import names the line that is no frame, and leaves no tape")
    func badLine() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jsonl", Array((Self.lines + "{\"kind\":\"note\"}\n").utf8))
        let result = try await Self.run("import", folder.file("a.jsonl"))
        #expect(result.status == 1)
        #expect(
            result.errorText == "reprise: import: \(folder.file("a.jsonl")): "
                + "a note frame needs t, which is missing (line 9)\n")
        #expect(throws: (any Error).self) { try folder.bytes("a.tape") }
        #expect(try await Self.run("import", "-").status == 2)
    }

    @Test("import does not replace a tape unless told to")
    func existing() async throws {
        let folder = try await Self.folder()
        let refused = try await Self.run("import", folder.file("a.jsonl"))
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("exists already"))
        #expect(try await Self.run("import", "--replace", folder.file("a.jsonl")).status == 0)
    }

    @Test("A reader that goes away is no failure", arguments: ["cat", "import", "show"])
    func brokenPipe(verb: String) async throws {
        let folder = try TemporaryFolder()
        let line =
            #"{"kind":"responseBody","x":1,"t":1,"text":""#
            + String((0..<9000).map { Character(UnicodeScalar(UInt8(33 + $0 * $0 % 57))) })
            .replacing("\\", with: "x").replacing("\"", with: "y") + "\"}\n"
        try folder.write("a.jsonl", Array(String(repeating: line, count: 2000).utf8))
        let options = verb == "import" ? " -o -" : ""
        let shell = Command(
            "/bin/sh",
            [
                "-c", "\"$0\" \(verb)\(options) \"$1\" | head -c 1 >/dev/null",
                try Workspace.command, folder.file("a.jsonl"),
            ])
        let result = try await shell.run()
        #expect(result.errorText == "")
        #expect(result.status == 0)
    }

    @Test("verify tells whole, unsealed and damaged tapes apart")
    func verify() async throws {
        let folder = try await Self.folder()
        let bytes = try folder.bytes("a.tape")
        try folder.write("torn.tape", Array(bytes.prefix(bytes.count - 100)))
        var flipped = bytes
        flipped[100] ^= 0xFF
        try folder.write("bad.tape", flipped)
        try folder.write("other", Array("hello".utf8))

        let whole = try await Self.run("verify", folder.file("a.tape"), folder.file("a.jsonl"))
        #expect(whole.status == 0)
        #expect(
            whole.text == """
                \(folder.file("a.tape")): whole, 8 frames, 1 member, 1 exchange
                \(folder.file("a.jsonl")): whole, 8 frames, 1 exchange

                """)
        let torn = try await Self.run("verify", folder.file("torn.tape"))
        #expect(torn.status == 0)
        #expect(torn.text.contains("warning: the tape has no end"))
        let bad = try await Self.run("verify", folder.file("bad.tape"), folder.file("a.tape"))
        #expect(bad.status == 1)
        #expect(bad.text.contains("error: a member cannot be read"))
        #expect(bad.text.contains("a.tape: whole"))
        try folder.write("empty", [])
        for name in ["other", "nowhere", "empty"] {
            let result = try await Self.run("verify", folder.file(name))
            #expect(result.status == 1)
            #expect(result.text.contains("error: "))
            // Its name is there once a line.
            #expect(!result.text.contains("\(name): error: \(folder.path)"))
        }
        #expect(try await Self.run("verify").status == 2)
    }

    @Test("repair makes a sealed copy and leaves the original alone")
    func repair() async throws {
        let folder = try await Self.folder()
        let whole = try await Self.run("repair", folder.file("a.tape"))
        #expect(whole.status == 0)
        #expect(whole.text.contains("nothing to repair"))
        #expect(throws: (any Error).self) { try folder.bytes("a.repaired.tape") }

        let torn = Array(try folder.bytes("a.tape").prefix(300))
        try folder.write("b.tape", torn)
        let result = try await Self.run("repair", folder.file("b.tape"))
        #expect(result.status == 0)
        #expect(result.text.contains("of them unverified"))
        #expect(try folder.bytes("b.tape") == torn)
        let verified = try await Self.run("verify", folder.file("b.repaired.tape"))
        #expect(verified.status == 0)
        #expect(verified.text.contains("repaired, "))
        // What is lost is told, and not how to repair what is repaired.
        let check = try await Self.run("check", folder.file("b.repaired.tape"))
        #expect(check.text.contains("tape.R2"))
        #expect(check.text.contains("the tape was repaired"))
        #expect(!check.text.contains("reprise repair"))
        let before = try await Self.run("cat", folder.file("b.tape"))
        let after = try await Self.run("cat", folder.file("b.repaired.tape"))
        #expect(before.errorText.contains("has no end"))
        #expect(
            before.text.split(separator: "\n").dropLast()
                == after.text.split(separator: "\n").dropLast())
        // It does not write over anything.
        #expect(try await Self.run("repair", folder.file("b.tape")).status == 1)
        let onto = try await Self.run("repair", folder.file("b.tape"), "-o", folder.file("b.tape"))
        #expect(onto.status == 1)
        #expect(try folder.bytes("b.tape") == torn)
    }

    @Test("repair --output - is standard output: a tape and nothing else, of a whole one too")
    func repairToOutput() async throws {
        let folder = try await Self.folder()
        let whole = try folder.bytes("a.tape")
        for (name, input, text) in [
            ("torn", Array(whole.prefix(300)), "the copy: "), ("whole", whole, "nothing to repair"),
        ] {
            var repair = Command(try Workspace.command, ["repair", "-", "-o", "-"])
            repair.folder = folder.path
            repair.input = input
            let result = try await repair.run()
            #expect(result.status == 0, "\(name)")
            #expect(result.errorText.contains(text), "\(name): \(result.errorText)")
            let verified = try await Self.run("verify", "-", input: result.output)
            #expect(verified.status == 0, "\(name): \(verified.text)")
            #expect(throws: (any Error).self) { try folder.bytes("-") }
        }
    }

    @Test("show is a timeline that recorded bytes cannot steer")
    func show() async throws {
        let folder = try await Self.folder()
        for path in ["a.tape", "a.jsonl"] {
            let result = try await Self.run("show", folder.file(path))
            #expect(result.status == 0)
            #expect(
                result.text == """
                         0.000000       · session 0123456789abcdef, 2026-11-30T06:06:00.000000001Z,
                                          reprise/0.1.0
                         0.000003     1 → POST https://a.example/messages
                         0.000081     1 → 16 bytes  {"content":"hi"}
                         0.000082     1 → end of the request
                         0.090500     1 ← 200 HTTP/1.1, text/event-stream
                         0.091000     1 ← 14 bytes  data: 1\\u{1b}[31m\\n\\n
                         0.092000     1 ← 4 bytes
                         0.093000     1 · a frame of kind 42, unknown here
                                      1 ■ no end: the recorder died here
                                          8 frames, sealed

                    """)
        }
        let full = try await Self.run("show", "--full", folder.file("a.tape"))
        #expect(full.text.contains("Accept: text/event-stream"))
    }

    @Test("show has the frames of a socket with what they say")
    func showSocket() async throws {
        let folder = try TemporaryFolder()
        // A message in two frames with a ping between them, the second deflated as a whole.
        let lines = """
            {"kind":"session","x":0,"t":0,"version":1,"session":"0123456789abcdef",\
            "wall":"2026-11-30T06:06:00.000000001Z","recorder":"hand"}
            {"kind":"request","x":1,"t":1000,"transport":"websocket","method":"GET",\
            "url":"wss://a.example/","headers":[["Sec-WebSocket-Extensions","permessage-deflate"]]}
            {"kind":"response","x":1,"t":2000,"status":101,"version":"1.1",\
            "headers":[["Sec-WebSocket-Extensions","permessage-deflate"]]}
            {"kind":"socketFrame","x":1,"t":3000,"from":"client","opcode":"text","text":"Hi"}
            {"kind":"socketFrame","x":1,"t":4000,"from":"server","fin":false,"opcode":"text",\
            "text":"Go "}
            {"kind":"socketFrame","x":1,"t":5000,"from":"server","opcode":"ping","text":"p"}
            {"kind":"socketFrame","x":1,"t":6000,"from":"server","opcode":"continuation",\
            "text":"on"}
            {"kind":"socketFrame","x":1,"t":7000,"from":"server","rsv1":true,"opcode":"text",\
            "base64":"8kjNyckHAA=="}
            {"kind":"socketFrame","x":1,"t":8000,"from":"client","opcode":"close",\
            "base64":"A+pieWU="}
            {"kind":"socketFrame","x":1,"t":9000,"from":"server","opcode":"close","base64":"A+0="}
            {"kind":"responseBody","x":1,"t":9500,"base64":"gYA="}
            {"kind":"end","x":1,"t":9900,"how":"failed","code":"websocket.closeCode"}

            """
        try folder.write("a.jsonl", Array(lines.utf8))
        let result = try await Self.run("show", folder.file("a.jsonl"))
        #expect(result.status == 0)
        let shown = result.text.split(separator: "\n").dropFirst(2)
        #expect(
            shown.joined(separator: "\n") == """
                     0.000001     1 → GET wss://a.example/
                     0.000002     1 ← 101 HTTP/1.1, permessage-deflate
                     0.000003     1 → text, 2 bytes  Hi
                     0.000004     1 ← text, not the last, 3 bytes
                     0.000005     1 ← ping, 1 byte  p
                     0.000006     1 ← continuation, 2 bytes, the whole message 5 bytes  Go on
                     0.000007     1 ← text, deflated, 7 bytes, inflated 5 bytes  Hello
                     0.000008     1 → close, code 1002  bye
                     0.000009     1 ← close, wrong: the close code may not be sent (1005), code
                                      1005
                     0.000009     1 ← no frame, 2 bytes
                     0.000009     1 ■ failed: websocket.closeCode
                                      12 frames, sealed
                """)
    }

    @Test("A disk that is full is told")
    func fullDisk() async throws {
        let folder = try await Self.folder()
        for verb in ["cat", "import"] {
            let options = verb == "import" ? " -o -" : ""
            let shell = Command(
                "/bin/sh",
                [
                    "-c", "\"$0\" \(verb)\(options) \"$1\" > /dev/full", try Workspace.command,
                    folder.file("a.jsonl"),
                ])
            let result = try await shell.run()
            #expect(result.status == 1)
            #expect(result.errorText.contains("standard output"))
        }
    }

    @Test("Neither names nor damages can steer the terminal or make lines of their own")
    func hostileWords() async throws {
        let folder = try TemporaryFolder()
        let name = folder.file("a\u{1b}]0;x\u{07}\nreprise: b.jsonl")
        let damage =
            #"{"kind":"damage","what":"garbage","message":"\u001b[2J\nforged\u009b1m"}"# + "\n"
        try folder.write("a\u{1b}]0;x\u{07}\nreprise: b.jsonl", Array((Self.lines + damage).utf8))
        for verb in ["cat", "verify", "show", "repair", "replay", "check", "report", "import"] {
            let result = try await Self.run(verb, name)
            let lines = (result.text + result.errorText).split(separator: "\n")
            #expect(
                !lines.contains { $0.hasPrefix("forged") || $0.hasPrefix("reprise: b") }, "\(verb)")
            // What cat prints is the tape itself.
            let shown = verb == "cat" ? result.errorText : result.text + result.errorText
            let isSafe = shown.unicodeScalars.allSatisfy {
                $0 == "\n" || !($0.value < 0x20 || (0x7F..<0xA0).contains($0.value))
            }
            #expect(isSafe, "\(verb): \(shown.debugDescription)")
        }
        let usage = try await Self.run("verify", "--no\u{1b}[2J\nforged")
        #expect(!usage.errorText.contains("\u{1b}") && !usage.errorText.contains("\nforged"))
    }

    @Test("show --full takes a long text in a time that grows with its length")
    func longText() async throws {
        let folder = try TemporaryFolder()
        let line =
            #"{"kind":"note","t":0,"text":""#
            + String(repeating: "word and ", count: 1 << 18) + "\"}\n"
        try folder.write("a.jsonl", Array(line.utf8))
        var command = try Command.reprise("show", "--full", folder.file("a.jsonl"))
        // What grew with its square took hours.
        command.timeout = 120
        let result = try await command.run()
        #expect(result.status == 0)
        #expect(result.text.count > 9 << 18)
    }
}
