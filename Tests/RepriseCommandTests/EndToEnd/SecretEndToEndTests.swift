import AgoKit
import RepriseCurl
import RepriseSupport
import RepriseTransport
import TestSupport
import Testing

@Suite("A planted token", .timeLimit(.minutes(10)))
struct SecretEndToEndTests {
    @Test(
        "It is on no tape, in no report, in no output",
        arguments: ["pace=0", "status=401,echo", "status=500,echo,body=plain", "cut=700,rst"])
    func nowhere(wishes: String) async throws {
        let session = try await AgoSession("--pace", "0")
        let live = try await session.ago("send", "Speak peer:\(wishes)", tape: "secret").run()
        let outputs = try await everything(about: "secret.tape", in: session)
        for (what, bytes) in outputs + [("stdout", live.output), ("stderr", live.errors)] {
            for secret in [AgoSession.token, AgoSession.widgetId] {
                let isThere = bytes.contains(Array(secret.utf8))
                #expect(!isThere, "\(what) holds the secret")
            }
        }
    }

    @Test(
        "An answer that repeats it is masked on the tape, wherever it is cut",
        arguments: [
            "cuts=hard", "cuts=every:7", "coding=gzip,cuts=hard", "coding=deflate,cuts=every:11",
            "coding=gzip,members",
        ], [false, true])
    func echoed(wishes: String, widget: Bool) async throws {
        let session = try await AgoSession("--pace", "0")
        _ = try await session.ago(
            "send", "Speak peer:echo,\(wishes)", tape: "echo", widget: widget
        ).run()
        for (what, bytes) in try await everything(about: "echo.tape", in: session) {
            let secret = widget ? AgoSession.widgetId : AgoSession.token
            let isThere = bytes.contains(Array(secret.utf8))
            #expect(!isThere, "\(what) holds the secret")
        }
    }

    @Test(
        "It does not come back from a coded body that is damaged before it",
        arguments: [
            "title=late,corrupt,coding=gzip,members", "title=late,corrupt,coding=gzip",
            "echo,corrupt,coding=gzip,members", "title=late,corrupt,coding=deflate",
            "title=late,trailing,coding=gzip,members",
            "title=late,corrupt,coding=gzip,members,cuts=every:50",
        ])
    func damaged(wishes: String) async throws {
        let session = try await AgoSession("--pace", "0")
        _ = try await session.ago(
            "send", "\(AgoSession.token) peer:\(wishes)", tape: "damaged"
        ).run()
        for (what, bytes) in try await everything(about: "damaged.tape", in: session) {
            let isThere = bytes.contains(Array(AgoSession.token.utf8))
            #expect(!isThere, "\(what) holds the secret")
        }
        let body = try await session.frames("damaged.tape").bytes("responseBody")
        for start in body.indices where body[start...].starts(with: [0x1F, 0x8B]) {
            var position = start
            var plain: [UInt8] = []
            _ = try? Inflate(.gzip).push(body, from: &position, into: &plain)
            let isThere = plain.contains(Array(AgoSession.token.utf8))
            #expect(!isThere, "the member at \(start) holds the secret")
        }
    }

    @Test(
        "Credentials in a base URL, accepted or not, are on no tape, and it checks as recorded",
        arguments: [
            "http://user:PASSWORDsecret@HOST/api/sdk/v1",
            "http://user:PASSWORDsecret@HOST/api/sdk/v1?token=QUERYSEC",
            "http://PASSWORDsecret@HOST/v1", "user:PASSWORDsecret@HOST/v1", "user:PWshort@HOST/v1",
            "http://user:PASSWORDsecret@HO ST/v1", "http://user:PASSWORD secret@HOST/v1",
            "http://user:PASSWORD/secret@HOST/v1", "http://user:PASSWORD?secret@HOST/v1",
            "http://user:PASSWORD\u{E4}@HOST/v1", "//user:PASSWORDsecret@HOST/v1",
        ], [false, true])
    func baseURL(url: String, widget: Bool) async throws {
        let session = try await AgoSession("--pace", "0")
        let recorder = try TapeRecorder(path: session.folder.file("base.tape"))
        let transport = RecordingTransport(base: CurlTransport.shared, recorder: recorder)
        let url = url.replacing("HOST", with: session.peer.agoURL.split(separator: "/")[1])
        let origin = "https://app.example.com"
        let chat: any AgoChat =
            widget
            ? AgoChatWidgetSDK(
                widgetId: AgoSession.widgetId, origin: origin, baseURL: url, transport: transport)
            : AgoChatSDK(
                authToken: AgoSession.token, widgetId: AgoSession.widgetId, origin: origin,
                baseURL: url, transport: transport)
        do { _ = try await chat.getConversations() } catch {
            #expect(!"\(error)".contains("PASSWORD"))
        }
        try recorder.close()
        for (what, bytes) in try await everything(about: "base.tape", in: session) {
            for secret in ["PASSWORD", "PWshort", "QUERYSEC"] {
                let isThere = bytes.contains(Array(secret.utf8))
                #expect(!isThere, "\(what) holds the secret")
            }
        }
        let check = try await session.reprise(["replay", "base.tape", "--check"]).run()
        #expect(check.status == 0, "\(check.text)\(check.errorText)")
    }

    /// The tape, what is in it, and all that can be made of it.
    private func everything(
        about tape: String, in session: AgoSession
    ) async throws -> [(String, [UInt8])] {
        let raw = try session.folder.bytes(tape)
        #expect(!raw.isEmpty)
        var zcat = Command("/bin/zcat", ["-f"])
        zcat.input = raw
        var found = [("tape", raw), ("zcat", try await zcat.run().output)]
        let lines: [[String]] = [
            ["cat", tape], ["show", tape], ["check", tape], ["verify", tape],
            ["report", tape, "--format", "text"], ["report", tape, "--format", "json"],
            ["report", tape, "--format", "markdown"],
            ["report", tape, "--format", "html"], ["replay", tape],
            ["replay", tape, "--check"],
        ]
        for line in lines {
            let result = try await session.reprise(line).run()
            found.append((line.joined(separator: " "), result.output + result.errors))
        }
        return found
    }
}

extension [UInt8] {
    /// Whether `other` is somewhere in these bytes.
    func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first, count >= other.count else { return false }
        return indices.dropLast(other.count - 1).contains {
            self[$0] == first && self[$0..<($0 + other.count)].elementsEqual(other)
        }
    }
}
