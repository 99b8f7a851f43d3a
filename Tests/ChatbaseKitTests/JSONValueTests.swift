import ChatbaseKit
import RepriseWire
import Testing

/// What tools take and give.
@Suite struct JSONValueTests {
    @Test(arguments: [
        ("null", JSONValue.null), ("true", .bool(true)), ("2", .int(2)), ("2.0", .int(2)),
        ("2e0", .int(2)), ("-7", .int(-7)), ("0.5", .number(0.5)), ("1e400", .number(.infinity)),
        ("12345678901234567890", .number(12_345_678_901_234_567_168)),
        (#""text""#, .string("text")), ("[1,null]", .array([.int(1), .null])),
        (#"{"b":1,"a":2,"b":3}"#, .object(["a": .int(2), "b": .int(3)])),
    ])
    func readsAnyValue(text: String, value: JSONValue) throws {
        #expect(JSONValue(try JSON.parse(Array(text.utf8)).value) == value)
    }

    @Test(arguments: [
        (JSONValue.object(["b": 1, "a": [true, .null]]), #"{"a":[true,null],"b":1}"#),
        (.number(0.5), "0.5"), (.number(1e21), "1e+21"), (.number(.infinity), "null"),
        (.string("/\u{1}"), #""/\u0001""#),
    ])
    func writesKeysInOneOrder(value: JSONValue, text: String) {
        #expect(JSON(value).serialized == text)
    }

    @Test func isAskedByType() {
        let value: JSONValue = [
            "city": "Bern", "n": 3, "x": 1.5, "ok": true, "no": .null, "l": [1],
        ]
        #expect(value["city"]?.stringValue == "Bern")
        #expect(value["n"]?.intValue == 3)
        #expect(value["n"]?.numberValue == 3)
        #expect(value["x"]?.numberValue == 1.5)
        #expect(value["x"]?.intValue == nil)
        #expect(value["ok"]?.boolValue == true)
        #expect(value["l"]?[0]?.intValue == 1)
        #expect(value["l"]?[1] == nil)
        #expect(value["l"]?.arrayValue == [1])
        #expect(value.objectValue?.count == 6)
        // A key that is there counts, whatever it holds.
        #expect(value["no"] != nil)
        #expect(value["error"] == nil)
        #expect(JSONValue.string("x")["error"] == nil)
    }
}
