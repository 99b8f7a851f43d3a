import TestSupport
import Testing

@Suite("The forms of a tape", .timeLimit(.minutes(10)))
struct TapeFormEndToEndTests {
    @Test("Gzip takes it, its JSON lines make it again, and every command takes either form")
    func forms() async throws {
        let session = try await AgoSession("--pace", "0")
        let live = try await session.ago("send", "Speak peer:coding=gzip", tape: "one").run()
        try #require(live.status == 0, "\(live.errorText)")
        let file = session.folder.file("one.tape")
        #expect(try await Command("/bin/gzip", ["-t", file]).run().status == 0)
        var zcat = Command("/bin/zcat", [])
        zcat.input = try session.folder.bytes("one.tape")
        #expect(try await zcat.run().status == 0)

        let lines = try await session.reprise(["cat", "one.tape"]).run()
        try session.folder.write("one.jsonl", lines.output)
        let imported = try await session.reprise(["import", "one.jsonl", "-o", "two.tape"]).run()
        #expect(imported.status == 0, "\(imported.errorText)")
        #expect(try await session.reprise(["cat", "two.tape"]).run().output == lines.output)

        let commands: [[String]] = [
            ["cat"], ["verify"], ["show"], ["check"], ["report", "--format", "text"],
            ["report", "--format", "json"], ["replay"], ["replay", "--check"],
        ]
        for words in commands {
            var results: [Command.Result] = []
            for name in ["one.tape", "one.jsonl"] {
                results.append(try await session.reprise(words + [name]).run())
            }
            #expect(results[0].status == 0, "\(words): \(results[0].errorText)")
            #expect(results[1].status == 0, "\(words): \(results[1].errorText)")
            // Those two tell of the file as well.
            if words[0] == "verify" || words[0] == "report" { continue }
            let plain = results.map { $0.text.replacing("one.jsonl", with: "one.tape") }
            #expect(plain[0] == plain[1], "\(words)")
        }
    }
}
