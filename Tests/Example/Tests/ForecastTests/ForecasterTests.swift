import Forecast
import Reprise
import RepriseTesting
import Testing

/// The forecaster on recorded answers.
@Suite struct ForecasterTests {
    @Test(.tape("sunny")) func tellsTheWeather() async throws {
        let answer = try await Forecaster(transport: Tape.current.transport).ask("And tomorrow?")
        #expect(answer == .whole("Sunny, 24 °C."))
        #expect(try #require(Tape.current.turns[0].ttft) < .milliseconds(800))
        Tape.current.expectNoViolations()
    }

    /// The app asks in other words than it did when this was recorded.
    @Test(.tape("sunny", matching: .exact.ignoring(.json("$.message"))))
    func asksInOtherWords() async throws {
        let forecaster = Forecaster(transport: Tape.current.transport)
        #expect(try await forecaster.ask("And the day after?") == .whole("Sunny, 24 °C."))
    }

    /// Recorded from the stand-in of Chatbase, `Tests/Peers/chatbase --port 18921`; the other tapes
    /// here were written by hand.
    @Test(.tape("recorded")) func tellsWhatWasRecorded() async throws {
        let forecaster = Forecaster(
            baseURL: "http://127.0.0.1:18921/api/sdk", transport: Tape.current.transport)
        let answer = try await forecaster.ask("And today? peer:chunks=12")
        guard case .whole(let text) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(!text.isEmpty)
        Tape.current.expectNoViolations()
    }

    /// The answer took a minute; the test takes none of it.
    @Test(.tape("slow", allowing: [.unread(path: "/api/sdk/agents/weather/chat")]))
    func givesUpInTime() async throws {
        let answer = try await Forecaster(transport: Tape.current.transport).ask("And next week?")
        #expect(answer == .partial("That is a long story: first"))
        #expect(Tape.current.time?.now() == 20_000_000_000)
    }

    @Test(.tape("slow"), arguments: Cuts.all) func hearsItAllHoweverItIsCut(_ cuts: Cuts)
        async throws
    {
        let transport = RecutTransport(base: Tape.current.transport, cuts: cuts)
        var forecaster = Forecaster(transport: transport)
        forecaster.patience = 120
        #expect(
            try await forecaster.ask("And next week?")
                == .whole("That is a long story: first wind, then rain, then sun."))
    }
}
