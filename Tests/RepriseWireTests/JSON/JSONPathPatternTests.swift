import RepriseWire
import Testing

/// Patterns as JSONPath writes them (RFC 9535).
struct JSONPathPatternTests {
    @Test(arguments: [
        ("$", [JSONPath.Step](), true), ("$", [.key("a")], false),
        ("$.a", [.key("a")], true), ("$.a", [.key("b")], false),
        ("$.a", [.key("a"), .index(0)], false), ("$.0", [.key("0")], true),
        ("$.0", [.index(0)], false), ("$[0]", [.index(0)], true), ("$[0]", [.key("0")], false),
        ("$[10]", [.index(10)], true), ("$.*", [.key("x")], true), ("$.*", [.index(3)], true),
        ("$[*]", [.index(3)], true), ("$.*", [], false), (#"$["a.b"]"#, [.key("a.b")], true),
        (#"$["a\"]b"].c"#, [.key("a\"]b"), .key("c")], true), ("$['a']", [.key("a")], true),
        (#"$["\u00e9"]"#, [.key("\u{E9}")], true), (#"$["\u00e9"]"#, [.key("e\u{301}")], false),
        ("$..id", [.key("id")], true), ("$..id", [.key("a"), .index(2), .key("id")], true),
        ("$..id", [.key("id"), .key("x")], false), ("$..id", [.key("a")], false),
        ("$.a..b[*].c", [.key("a"), .key("b"), .index(1), .key("c")], true),
        ("$.a..b[*].c", [.key("a"), .key("x"), .key("b"), .index(1), .key("c")], true),
        ("$.a..b[*].c", [.key("a"), .key("x"), .index(1), .key("c")], false),
        ("$..[0]", [.key("a"), .index(0)], true), ("$..*", [.key("a"), .index(0)], true),
    ])
    func matches(text: String, steps: [JSONPath.Step], isMatch: Bool) throws {
        let pattern = try #require(JSONPathPattern(expression: text))
        #expect(pattern.matches(JSONPath(steps)) == isMatch)
        #expect(pattern.description == text)
    }

    @Test(arguments: [
        "", "a", "$a", "$.", "$..", "$.a.", "$[", "$[]", "$[-1]", "$[a]", "$[0", #"$["a]"#,
        #"$["a"#, #"$["a"x]"#, #"$["\q"]"#, "$ .a", "$.a, json:$.b", "$.a b",
    ])
    func isNoPattern(text: String) {
        #expect(JSONPathPattern(expression: text) == nil)
    }

    @Test("A path is a pattern of itself alone")
    func ownExpression() throws {
        let path = JSONPath([.key("a b"), .index(3), .key("c-d"), .key(""), .key("*")])
        #expect(path.expression == #"$["a b"][3].c-d[""]["*"]"#)
        let pattern = try #require(JSONPathPattern(expression: path.expression))
        #expect(pattern.matches(path))
        #expect(
            !pattern.matches(JSONPath([.key("a b"), .index(3), .key("c-d"), .key(""), .key("x")])))
    }
}
