import RepriseAnalysis
import RepriseReport
import RepriseWire
import Testing

@Suite struct DocumentationTests {
    @Test func theArticleHasTheRules() throws {
        let article = Article("Rules.md")
        let expected = RuleDocument.markdown(Sample.rules)
        #expect(try article.record(expected) == false, "recorded")
        #expect(article.text == expected, "set REPRISE_RECORD=1 and run again to write it")
    }

    @Test func theArticleHasEveryKey() throws {
        let text = Article("ReportJSON.md").text
        for key in keys(of: try Sample.report().json) where !text.contains("`\(key)`") {
            Issue.record("ReportJSON.md does not name \(key)")
        }
    }

    @Test func theArticleHasEveryMetric() throws {
        let text = Article("ReportJSON.md").text
        for metric in try Sample.report().metrics where !text.contains("`\(metric.name)`") {
            Issue.record("ReportJSON.md does not name \(metric.name)")
        }
    }

    private func keys(of value: JSON) -> Set<String> {
        switch value {
        case .object(let object):
            object.members.reduce(into: []) { keys, member in
                keys.insert(member.key)
                keys.formUnion(self.keys(of: member.value))
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(keys(of: $1)) }
        default: []
        }
    }
}
