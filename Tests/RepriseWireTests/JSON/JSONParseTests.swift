import RepriseWire
import Testing

/// What ``JSON/parse(_:)`` makes of a text, beyond accepting it.
struct JSONParseTests {
    private func parse(_ text: String) throws -> JSON.Document { try JSON.parse(Array(text.utf8)) }

    @Test func keepsOrderDuplicatesAndNumbers() throws {
        let document = try parse(#" {"b":1e400,"a":[-0.0,12345678901234567890],"b":null} "#)
        #expect(
            document.value
                == [
                    "b": .number("1e400"), "a": [.number("-0.0"), .number("12345678901234567890")],
                    "b": nil,
                ])
        #expect(
            document.remarks == [
                JSON.Remark(kind: .duplicateKey("b"), offset: 44, path: JSONPath([.key("b")]))
            ])
    }

    @Test func unescapes() throws {
        let document = try parse(#"["\"\\\/\b\f\n\r\t","\u00e9\u20AC\ud83d\ude00","a\u0000b"]"#)
        #expect(
            document.value == ["\"\\/\u{8}\u{c}\n\r\t", "\u{e9}\u{20ac}\u{1f600}", "a\0b"])
        #expect(document.remarks.isEmpty)
    }

    @Test func remarksLoneSurrogates() throws {
        let document = try parse(#"{"x":["\ud83d","a\udc00b","\ud83d\ud83d\ude00"],"\udfff":1}"#)
        #expect(
            document.value == [
                "x": ["\u{fffd}", "a\u{fffd}b", "\u{fffd}\u{1f600}"], "\u{fffd}": 1,
            ])
        func remark(
            _ unit: UInt16, _ offset: Int, _ steps: [JSONPath.Step], key: Bool = false,
            start: Bool, end: Bool
        ) -> JSON.Remark {
            let surrogate = JSON.LoneSurrogate(
                unit: unit, isInKey: key, isAtStart: start, isAtEnd: end)
            return JSON.Remark(
                kind: .loneSurrogate(surrogate), offset: offset, path: JSONPath(steps))
        }
        #expect(
            document.remarks == [
                remark(0xD83D, 7, [.key("x"), .index(0)], start: true, end: true),
                remark(0xDC00, 17, [.key("x"), .index(1)], start: false, end: false),
                remark(0xD83D, 27, [.key("x"), .index(2)], start: true, end: false),
                remark(0xDFFF, 49, [.key("\u{fffd}")], key: true, start: true, end: true),
            ])
    }

    @Test func findsDuplicatesAmongManyKeys() throws {
        let keys = (0..<100).map { "k\($0)" } + ["k3", "\u{e9}", "e\u{301}", "k99"]
        let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let found = try parse(text).remarks.map(\.kind)
        // Two spellings of one letter are two keys.
        #expect(found == [.duplicateKey("k3"), .duplicateKey("k99")])
    }

    @Test func readsLargeTextsInSteps() throws {
        let long = String(repeating: "\u{e9}abc\\n", count: 20_000)
        let document = try parse("[\"\(long)\",\(String(repeating: "1", count: 50_000))]")
        #expect(document.value[0]?.string?.utf8.count == 20_000 * 6)
        #expect(document.value[1] == .number(String(repeating: "1", count: 50_000)))
    }

    @Test func findsValuesByPath() throws {
        let value = try parse(#"{"a":[{"b":2}]}"#).value
        let path = JSONPath([.key("a"), .index(0), .key("b")])
        #expect(value[path: path] == 2)
        #expect(path.description == "a.0.b")
        #expect(value[path: JSONPath([.index(0)])] == nil)
        #expect(value[path: JSONPath()] == value)
    }
}
