import RepriseTesting
import RepriseTransport
import Testing

/// What a test does, by what it says, what the environment says, and whether there is a tape.
@Suite struct PlanTests {
    struct Row: Sendable {
        var mode = Tape.Mode.once
        var playback = Tape.Playback.strict
        var environment: [String: String] = [:]
        /// Without and with a tape.
        var does: [String]
    }

    static let rows = [
        Row(does: ["record", "strict"]),
        Row(mode: .none, does: ["strict", "strict"]),
        Row(mode: .all, does: ["record", "record"]),
        Row(playback: .passthrough, does: ["record", "passthrough"]),
        Row(playback: .live, does: ["live", "live"]),
        Row(mode: .all, playback: .live, does: ["live", "live"]),
        Row(environment: ["CI": "true"], does: ["strict", "strict"]),
        Row(mode: .all, environment: ["CI": "1"], does: ["strict", "strict"]),
        Row(mode: .all, environment: ["CI": "false"], does: ["record", "record"]),
        Row(mode: .all, environment: ["CI": ""], does: ["record", "record"]),
        Row(
            environment: ["CI": "true", "REPRISE_RECORD_MODE": "all"],
            does: ["record", "record"]),
        Row(mode: .all, environment: ["REPRISE_RECORD_MODE": "none"], does: ["strict", "strict"]),
        Row(mode: .none, environment: ["REPRISE_RECORD_MODE": "once"], does: ["record", "strict"]),
        Row(
            playback: .live, environment: ["REPRISE_PLAYBACK": "strict"],
            does: ["record", "strict"]),
        Row(environment: ["REPRISE_PLAYBACK": "live"], does: ["live", "live"]),
        Row(
            environment: ["REPRISE_PLAYBACK": "sometimes"],
            does: [
                "REPRISE_PLAYBACK is \"sometimes\"; it can be strict, passthrough, live",
                "REPRISE_PLAYBACK is \"sometimes\"; it can be strict, passthrough, live",
            ]),
        Row(
            environment: ["REPRISE_RECORD_MODE": "ALL"],
            does: [
                "REPRISE_RECORD_MODE is \"ALL\"; it can be none, once, all",
                "REPRISE_RECORD_MODE is \"ALL\"; it can be none, once, all",
            ]),
    ]

    @Test(arguments: rows) func plans(row: Row) {
        let options = Tape.Options().with(row.mode, row.playback, .exact)
        let seen = [false, true].map { hasTape -> String in
            do throws(TapeFault) {
                let plan = try TapePlan(options, hasTape: hasTape, environment: row.environment)
                return plan.records ? "record" : plan.playback.rawValue
            } catch {
                return error.description
            }
        }
        #expect(seen == row.does)
    }
}
