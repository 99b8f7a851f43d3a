import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks as a tape tells them, and what equals what.
@Suite struct MaskingMatchTests {
    private func masked(_ body: String, _ secrets: [String]) throws -> MaskedText {
        var redactor = Redactor()
        for secret in secrets { redactor.declare(secret) }
        return try MaskedRequest(
            RequestRecord(method: "POST", url: "https://h/"), body: Array(body.utf8),
            sensitive: SensitivePaths(request: ["a"]), redactor: &redactor
        ).body
    }

    @Test(
        arguments: [
            ("say second-secret-!", "say first-secret!", nil),
            ("say *****!", "say first-secret!", nil),
            ("say !", "say first-secret!", 4),
            ("so first-secret!", "say first-secret!", 1),
            ("say first-secret?", "say first-secret!", 16),
            ("say first-secret", "say first-secret!", 16),
            ("say first-secret!!", "say first-secret!", 17),
            ("say first-secret!", "say something else", 4),
            ("say some", "say something", 8),
            ("****", "****", nil),
            (#"{"a":"x","b":1}"#, #"{"a":"longer","b":1}"#, nil),
            (#"{"a":12345}"#, #"{"a":7}"#, nil),
            (#"{"a":"x","b":1}"#, #"{"a":"longer","b":2}"#, 13),
        ] as [(String, String, Int?)])
    func aMaskEqualsAnyMask(now: String, recorded: String, difference: Int?) throws {
        let secrets = ["first-secret", "second-secret-"]
        let found = try masked(now, secrets).firstDifference(from: masked(recorded, secrets))
        #expect(found == difference)
    }

    @Test func theValuesOfAHead() throws {
        var redactor = Redactor()
        let record = RequestRecord(
            method: "POST", url: "https://h/p?token=abc\"&x=1",
            headers: ["A\"b": "c\nd", "Authorization": "Bearer abcdefghijkl"])
        let request = try MaskedRequest(
            record, body: [], sensitive: SensitivePaths(), redactor: &redactor)
        #expect(request.url.bytes == Array(#""https://h/p?token=****&x=1""#.utf8))
        #expect(request.url.masks == [19..<23])
        #expect(request.headers.map(\.name) == ["A\"b", "Authorization"])
        #expect(request.headers[0].value.bytes == Array(#""c\nd""#.utf8))
        #expect(request.headers[1].value.masks == [8..<20])
    }

    @Test func laterWordsAboutAByteHold() {
        var map = MaskMap()
        let mask = { (offset: Int, length: Int, secret: Int?) in
            MaskedRecord(
                frame: 1, offset: offset, length: length, rule: "known", secret: secret,
                provisional: secret == nil ? true : nil)
        }
        map.add(mask(10, 20, nil))
        map.reveal(RevealRecord(frame: 1, offset: 10, bytes: [1, 2]))
        map.add(mask(14, 4, 7))
        map.reveal(RevealRecord(frame: 2, offset: 14, bytes: [1]))
        map.reveal(RevealRecord(frame: 1, offset: 29, bytes: [1, 2, 3]))
        #expect(map.masks[1] == [mask(12, 2, nil), mask(14, 4, 7), mask(18, 11, nil)])
        map.add(mask(.max, .max, 1))
        map.add(mask(.min, 5, 1))
        map.reveal(RevealRecord(frame: 1, offset: .max, bytes: [1]))
    }
}
