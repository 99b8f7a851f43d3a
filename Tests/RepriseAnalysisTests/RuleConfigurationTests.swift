import AgoKit
import RepriseAnalysis
import RepriseSession
import Testing

@Suite struct RuleConfigurationTests {
    private func read(_ text: String) throws -> AnalysisOptions {
        var options = AnalysisOptions()
        try options.configure(json: Array(text.utf8), known: ["sse.S6", "ago.A7"])
        return options
    }

    @Test func switchesOffAndGrades() throws {
        let options = try read(
            #"{"rules":{"sse.S6":{"severity":"off","reason":"r"},"ago.A7":{"severity":"error","reason":"bug"}}}"#
        )
        #expect(options.rules.entries["sse.S6"] == .init(severity: nil, reason: "r"))
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

    @Test func saysWhatAStallIs() throws {
        let options = try read(#"{"stall":{"factor":3,"floorMs":50}}"#)
        let session = try RuleCase.paced([20, 20, 20, 20, 80, 20], with: "").analyzed(options)
        #expect(session.violations.map(\.rule) == ["time.T1"])
    }

    @Test(arguments: [
        ("{", "is not JSON"), ("[]", "not a JSON object"), (#"{"rules":1}"#, "is not an object"),
        (#"{"stall":{"floorMs":0}}"#, "from 1 to 1000000"),
        (#"{"stall":{"floor":1}}"#, "unknown key \"floor\""),
        (#"{"rule":{}}"#, #"unknown key "rule""#),
        (#"{"rules":{"x.Y1":{}}}"#, #"no rule "x.Y1""#),
        (#"{"rules":{"sse.S6":{"severity":"off"}}}"#, "needs a \"reason\""),
        (#"{"rules":{"sse.S6":{"severity":"bad","reason":"r"}}}"#, "needs a \"severity\""),
    ])
    func saysWhatIsWrong(text: String, problem: String) {
        let error = #expect(throws: ConfigurationProblem.self) { try read(text) }
        #expect(error?.description.contains(problem) == true)
    }
}
