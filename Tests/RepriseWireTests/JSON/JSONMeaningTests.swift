import RepriseWire
import Testing

@Suite struct JSONMeaningTests {
    @Test(arguments: [
        ("1", "1.0", true), ("1e2", "100", true), ("0.5", "5e-1", true), ("1", "2", false),
        ("9007199254740993", "9007199254740992", false), ("1e400", "1e400", true),
        ("1", "\"1\"", false), ("null", "false", false), ("[]", "{}", false),
        (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#, true),
        (#"{"a":1}"#, #"{"a":1,"b":null}"#, false), (#"{"a":1}"#, #"{"b":1}"#, false),
        (#"{"a":1,"a":2}"#, #"{"a":2}"#, true), ("[1,2]", "[2,1]", false),
        ("[1]", "[1,1]", false),
        // The same letter, composed and not: two keys.
        ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", false),
    ])
    func sameMeaning(_ one: String, _ other: String, _ expected: Bool) throws {
        let values = try [one, other].map { try JSON.parse(Array($0.utf8)).value }
        #expect(values[0].means(values[1]) == expected)
        #expect(values[1].means(values[0]) == expected)
    }
}
