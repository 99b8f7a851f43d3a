import HelpDesk
import Reprise
import RepriseTesting
import Testing

/// The help desk on recorded answers.
///
/// They were recorded from the stand-in of AGO: `Tests/Peers/ago --port 18920`.
@Suite struct HelpDeskTests {
    private static var desk: HelpDesk {
        HelpDesk(
            token: "any-token-will-do", baseURL: "http://127.0.0.1:18920/api/sdk/v1",
            transport: Tape.current.transport)
    }

    @Test(.tape("answered")) func isAnswered() async throws {
        let outcome = try await Self.desk.ask("How do I reset it? peer:chunks=12")
        guard case .answer(let text) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!text.isEmpty)
        #expect(Tape.current.turns[0].operation == "streamMessage")
        Tape.current.expectNoViolations()
    }

    /// The agent fell silent for longer than the app bears. It does so however long the user has
    /// thought before.
    @Test(.tape("silent", allowing: [.unread(path: "/api/sdk/v1/messages")]), arguments: [0, 600])
    func opensATicket(thought: Int64) async throws {
        let clock = Tape.current.transport.context.clock
        // Nobody thinks while the tape is made.
        if Tape.current.activity == .replaying {
            try await clock.sleep(for: thought * 1_000_000_000)
        }
        let start = clock.now()
        let outcome = try await Self.desk.ask("And on a phone? peer:chunks=12,stall=8000")
        guard case .ticket(let id) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(id.hasPrefix("tk-"))
        #expect(clock.now() - start > 3_000_000_000 && clock.now() - start < 8_000_000_000)
    }
}
