import AgoKit
import RepriseAnalysis
import RepriseSession
import Testing

@Suite struct RuleConfigurationTests {
    private func read(_ text: String) throws -> RuleConfiguration {
        try RuleConfiguration(json: Array(text.utf8), known: ["sse.S6", "ago.A7"])
    }

    @Test func switchesOffAndGrades() throws {
        let rules = try read(
            #"{"rules":{"sse.S6":{"severity":"off","reason":"r"},"ago.A7":{"severity":"error","reason":"bug"}}}"#
        )
        #expect(rules.entries["sse.S6"] == .init(severity: nil, reason: "r"))
        let options = AnalysisOptions(rules: rules)
        let mixed = Recording.answer([
            "data: \(Recording.begin)\r\n\r\n", Recording.chunk(Recording.done),
        ])
        let session = try mixed.analyzed(options)
        #expect(session.violations.map(\.rule) == ["ago.A7"])
        #expect(session.violations.map(\.severity) == [.error])
        let tape = try AnalyzedTape(
            name: "t", bytes: mixed.bytes, dialects: [AgoDialect()], options: options)
        let report = Report([tape], rules: Rule.general + AgoRules.all, options: options)
        #expect(report.configured.map(\.rule) == ["ago.A7", "sse.S6"])
        #expect(report.jsonText.contains(#""reason": "bug""#))
        #expect(report.verdict.errors == 1)
    }

    @Test(arguments: [
        ("{", "is not JSON"), ("[]", "not a JSON object"), ("{}", "is missing"),
        (#"{"rule":{}}"#, #"unknown key "rule""#),
        (#"{"rules":{"x.Y1":{}}}"#, #"no rule "x.Y1""#),
        (#"{"rules":{"sse.S6":{"severity":"off"}}}"#, "needs a \"reason\""),
        (#"{"rules":{"sse.S6":{"severity":"bad","reason":"r"}}}"#, "needs a \"severity\""),
    ])
    func saysWhatIsWrong(text: String, problem: String) {
        let error = #expect(throws: RuleConfiguration.Problem.self) { try read(text) }
        #expect(error?.description.contains(problem) == true)
    }
}
