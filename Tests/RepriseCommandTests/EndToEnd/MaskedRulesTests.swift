import AgoKit
import RepriseCurl
import RepriseTransport
import TestSupport
import Testing

@Suite("Rules about credentials that are masked", .timeLimit(.minutes(10)))
struct MaskedRulesTests {
    static let ids = [
        "11111111-aaaa-4bbb-8ccc-000000000001", "22222222-dddd-4eee-9fff-000000000002",
    ]

    @Test("Another widget id, and a refused request sent again, are found by masked values alone")
    func found() async throws {
        let session = try await AgoSession("--pace", "0", "--wishes", "status=401")
        let recorder = try TapeRecorder(path: session.folder.file("masked.tape"))
        let transport = RecordingTransport(base: CurlTransport.shared, recorder: recorder)
        for id in [Self.ids[0], Self.ids[0], Self.ids[1]] {
            let chat = AgoChatWidgetSDK(
                widgetId: id, origin: "https://app.example.com", baseURL: session.peer.agoURL,
                transport: transport)
            await #expect(throws: AgoError.self) { try await chat.getConversations() }
        }
        try recorder.close()

        let check = try await session.reprise(["check", "masked.tape"]).run()
        #expect(check.status == 1)
        #expect(check.text.contains("ago.P2"), "\(check.text)")
        #expect(check.text.contains("ago.P3"), "\(check.text)")
        let raw = try session.folder.bytes("masked.tape")
        var zcat = Command("/bin/zcat", ["-f"])
        zcat.input = raw
        let plain = try await zcat.run().output
        for id in Self.ids {
            for bytes in [check.output, raw, plain] {
                #expect(!bytes.contains(Array(id.utf8)))
            }
        }
    }
}
