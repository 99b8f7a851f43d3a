import CometChatKit
import Concierge
import Reprise
import RepriseTesting
import Testing

/// The concierge on a recorded stay.
///
/// It was recorded from the stand-in of CometChat:
/// `Tests/Peers/cometchat --port 18922 --socket-port 18923`.
@Suite struct ConciergeTests {
    /// How many seconds the guest thinks before the second question. The tape has one of them; its
    /// pings are answered in an hour, too.
    @Test(.tape("stay"), arguments: [1, 0, 3_600]) func answersAGuest(thought: Int64) async throws {
        let tape = Tape.current
        let concierge = Concierge(
            settings: AppSettings(
                baseURL: "http://127.0.0.1:18922/v3.0", socketURL: "ws://127.0.0.1:18923"),
            transport: tape.transport)
        let doings = Doings()
        concierge.session.addAIAssistantListener("doings", doings)
        try await concierge.greet(token: "guest-token-0123456789")

        let weather = try await concierge.ask("Is it warm? peer:tools=get_weather,chunks=12")
        #expect(weather.tools == ["get_weather"])
        try await tape.transport.context.clock.sleep(
            for: (tape.activity == .replaying ? thought : 1) * 1_000_000_000)
        let offers = try await concierge.ask("And tonight? peer:cards=2,chunks=12")
        #expect(offers.cards == 2)

        concierge.session.removeAIAssistantListener("doings")
        try await concierge.dismiss()
        #expect(!weather.text.isEmpty && weather.text != offers.text)
        let kinds = await tape.onMainActor { doings.kinds }
        #expect(kinds.first == "run_started" && kinds.last == "run_finished")
        #expect(tape.turns.count == 2)
        tape.expectNoViolations()
    }
}
