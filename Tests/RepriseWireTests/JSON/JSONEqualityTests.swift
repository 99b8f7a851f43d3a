import RepriseWire
import Testing

/// RFC 8259 section 8.3: strings are compared code unit by code unit.
@Suite struct JSONEqualityTests {
    /// The same letter, precomposed and decomposed; Swift's `String` takes them for equal.
    private let one = "\u{E9}"
    private let other = "e\u{301}"

    @Test func stringsAreTheirCodeUnits() {
        #expect(one == other)
        #expect(JSON.string(one) != JSON.string(other))
        #expect(JSON.string(one) == JSON.string("\u{E9}"))
        #expect(Set([JSON.string(one), JSON.string(other)]).count == 2)
    }

    @Test func keysAreTheirCodeUnits() {
        var object: JSONObject = [:]
        object[one] = 1
        object[other] = 2
        #expect(object.members.map(\.value) == [1, 2])
        #expect(object[one] == 1)
        #expect(JSON.object([one: 1]) != JSON.object([other: 1]))
        object[one] = nil
        #expect(object.members.map(\.value) == [2])
    }

    @Test func numbersAreTheirText() {
        #expect(JSON.number("1.0") != JSON.number("1"))
        #expect(JSON.number("1.0").integer == JSON.number("1").integer)
    }
}
