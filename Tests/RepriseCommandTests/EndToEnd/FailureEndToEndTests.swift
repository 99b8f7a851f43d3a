import TestSupport
import Testing

@Suite("A live stream that fails", .timeLimit(.minutes(10)))
struct FailureEndToEndTests {
    @Test(
        "A peer that cuts the stream: seen alike live, on the tape, replayed and reported",
        arguments: ["cut=1500", "cut=1500,rst", "cut=1500,delimit=length"])
    func cut(wishes: String) async throws {
        let session = try await AgoSession("--pace", "0.1")
        let live = try await session.ago("send", "Speak peer:\(wishes)", tape: "cut").run()
        #expect(live.status == 1, "\(live.text) \(live.errorText)")
        let frames = try await session.frames("cut.tape")
        #expect(frames.filter { $0.kind == "end" }.map(\.how) == ["reset"])
        #expect(frames.bytes("responseBody").count == 1500)

        let again = try await session.reprise(["replay", "cut.tape", "--check"]).run()
        #expect(again.status == 0, "\(again.text) \(again.errorText)")
        let check = try await session.reprise(["check", "cut.tape"]).run()
        #expect(check.status == 1)
        #expect(check.text.contains("ago.A2"), "\(check.text)")
        let report = try await session.reprise(["report", "cut.tape", "--format", "text"]).run()
        #expect(report.status == 0)
        #expect(report.text.contains("1 failed"), "\(report.text)")
    }

    /// What the stand-in is told, how the client ends, and the rule that is broken, if any.
    static let faults: [(wishes: String, status: Int32, rule: String?)] = [
        ("status=401", 1, "http.H1"),
        ("status=403", 1, "http.H1"),
        ("status=429,retry-after=0", 1, "http.H1"),
        ("status=500", 1, "http.H1"),
        ("status=500,body=plain", 1, "http.H1"),
        ("status=500,body=empty", 1, "http.H1"),
        ("empty", 1, "ago.A3"),
        ("no-status", 1, "ago.A2"),
        ("error", 1, nil),
        ("bad-json", 0, "ago.A9"),
        ("unknown-status", 0, "ago.A9"),
        ("two-statuses", 1, "ago.A10"),
        ("after-done", 0, "ago.A1"),
        ("new-id", 0, "ago.A4"),
        ("full=wrong", 0, "ago.A6"),
        ("type=text/html", 1, "http.H3"),
        ("coding=gzip,corrupt", 1, "http.H4"),
        ("coding=gzip,cut-coding", 1, "http.H4"),
        ("coding=gzip,trailing", 0, "http.H4"),
        ("coding=gzip,corrupt,echo", 1, "http.H4"),
        ("coding=gzip,cut-coding,echo", 1, "http.H4"),
        ("coding=gzip,trailing,echo", 0, "http.H4"),
        ("coding=gzip,corrupt,echo,members", 1, "http.H4"),
        ("coding=raw-deflate,corrupt,echo,cuts=every:9", 1, "http.H4"),
        ("coding=gzip,members", 0, nil),
        ("tool", 0, nil),
        ("crlf", 0, nil),
        ("delimit=close", 0, nil),
        ("slow=5,pace=0.1", 0, nil),
    ]

    @Test("Each fault is recorded, replays the same, and is found", arguments: faults)
    func fault(wishes: String, status: Int32, rule: String?) async throws {
        let session = try await AgoSession("--pace", "0")
        let live = try await session.ago("send", "Speak peer:\(wishes)", tape: "fault").run()
        #expect(live.status == status, "\(live.text)\(live.errorText)")
        let again = try await session.reprise(["replay", "fault.tape", "--check"]).run()
        #expect(again.status == 0, "\(again.text)\(again.errorText)")
        let check = try await session.reprise(["check", "fault.tape"]).run()
        if let rule { #expect(check.text.contains(rule), "\(check.text)") }
        if rule == "http.H4", status == 1, let told = live.errorText.decodingFault {
            // Seen alike live and on the tape, and what follows is not taken for content.
            #expect(check.text.contains(told), "\(check.text)")
            #expect(!check.text.contains("ago.A9"), "\(check.text)")
        }
        #expect(try await gzipAccepts("fault.tape", session))
    }

    private func gzipAccepts(_ tape: String, _ session: AgoSession) async throws -> Bool {
        try await Command("/bin/gzip", ["-t", session.folder.file(tape)]).run().status == 0
    }
}

extension String {
    /// What a client says of a body that it could not decode.
    fileprivate var decodingFault: String? {
        split(separator: "cannot be decoded: ").dropFirst().first?
            .split(whereSeparator: \.isNewline).first.map(String.init)
    }
}
