import RepriseWire
import Testing

/// Bytes, what they read as, and the offset of the first invalid one.
struct UTF8Case: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let text: String
    let firstInvalid: Int?

    init(_ bytes: [UInt8], _ text: String, _ firstInvalid: Int? = nil) {
        self.bytes = bytes
        self.text = text
        self.firstInvalid = firstInvalid
    }

    init(_ text: String) { self.init(Array(text.utf8), text) }

    var testDescription: String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }

    static let all: [UTF8Case] = valid + invalid

    static let valid: [UTF8Case] = [
        UTF8Case(""), UTF8Case("a"), UTF8Case("abcdefghijklmnopqrstuvwxyz"), UTF8Case("\0\u{7f}"),
        UTF8Case("\u{80}\u{7ff}"), UTF8Case("\u{800}\u{fff}\u{1000}\u{d7ff}\u{e000}\u{ffff}"),
        UTF8Case("\u{10000}\u{3ffff}\u{40000}\u{fffff}\u{100000}\u{10ffff}"),
        UTF8Case("\u{feff}a\u{feff}"), UTF8Case("12345678\u{e9}12345678\u{1f600}1234567"),
    ]

    /// Unicode's own examples (section 3.9, tables 3-8 to 3-11), and every kind of lead.
    static let invalid: [UTF8Case] = [
        UTF8Case(
            [0xC0, 0xAF, 0xE0, 0x80, 0xBF, 0xF0, 0x81, 0x82, 0x41], bad(8) + "A", 0),
        UTF8Case([0xED, 0xA0, 0x80, 0xED, 0xBF, 0xBF, 0xED, 0xAF, 0x41], bad(8) + "A", 0),
        UTF8Case(
            [0xF4, 0x91, 0x92, 0x93, 0xFF, 0x41, 0x80, 0xBF, 0x42], bad(5) + "A" + bad(2) + "B", 0),
        UTF8Case(
            [0xE1, 0x80, 0xE2, 0xF0, 0x91, 0x92, 0xF1, 0xBF, 0x41], bad(4) + "A", 0),
        UTF8Case([0x61, 0xC2], "a" + bad(1), 1),
        UTF8Case([0x61, 0xC2, 0x62], "a" + bad(1) + "b", 1),
        UTF8Case([0xE2, 0x82], bad(1), 0),
        UTF8Case([0xE2, 0x82, 0xE2, 0x82, 0xAC], bad(1) + "\u{20ac}", 0),
        UTF8Case([0xF0, 0x9F, 0x98], bad(1), 0),
        UTF8Case([0xF0, 0x9F, 0x98, 0xF0, 0x9F, 0x98, 0x80], bad(1) + "\u{1f600}", 0),
        UTF8Case([0xC3, 0xA9, 0x80], "\u{e9}" + bad(1), 2), UTF8Case([0xF5, 0x80], bad(2), 0),
        UTF8Case([0xFE, 0xFF], bad(2), 0), UTF8Case([0xC1, 0xBF], bad(2), 0),
        UTF8Case([0xF0, 0x8F, 0xBF], bad(3), 0), UTF8Case([0xE0, 0x9F, 0xBF], bad(3), 0),
        UTF8Case([0xC3, 0xC3, 0xA9], bad(1) + "\u{e9}", 0),
    ]

    private static func bad(_ count: Int) -> String { String(repeating: "\u{fffd}", count: count) }
}

struct UTF8DecoderTests {
    private func decode(_ pieces: [[UInt8]]) -> UTF8Case {
        var decoder = UTF8Decoder()
        var text = ""
        for piece in pieces { text += decoder.push(piece) }
        text += decoder.finish()
        #expect(decoder.count == pieces.reduce(0) { $0 + $1.count })
        return UTF8Case(pieces.flatMap { $0 }, text, decoder.firstInvalid)
    }

    @Test(arguments: UTF8Case.all)
    func decodesAtEverySplit(_ example: UTF8Case) {
        let bytes = example.bytes
        var ways = (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
        ways.append(bytes.map { [$0] })
        for way in ways {
            let result = decode(way)
            #expect(Array(result.text.utf8) == Array(example.text.utf8))
            #expect(result.firstInvalid == example.firstInvalid)
        }
    }

    /// The platform's decoding of whole buffers follows the same rule, and events use it.
    @Test(arguments: UTF8Case.all)
    func agreesWithThePlatform(_ example: UTF8Case) {
        #expect(
            String(decoding: example.bytes, as: UTF8.self).utf8.elementsEqual(example.text.utf8))
    }

    @Test func agreesWithThePlatformOnAllShortInputs() {
        let leads: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
            0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for a in leads {
            for b in leads {
                for c in leads {
                    for bytes in [[a, b, c, 0x80], [a, b, c, 0x41], [0x41, a, b, c]] {
                        var decoder = UTF8Decoder()
                        let text = decoder.push(bytes) + decoder.finish()
                        let expected = String(decoding: bytes, as: UTF8.self)
                        if !text.utf8.elementsEqual(expected.utf8) {
                            Issue.record("\(bytes)")
                        }
                    }
                }
            }
        }
    }

    @Test func holdsBackAnUnfinishedCharacter() {
        var decoder = UTF8Decoder()
        #expect(decoder.push([0x61, 0xF0, 0x9F]) == "a")
        #expect(decoder.push([0x98]) == "")
        #expect(decoder.push([0x80, 0x62]) == "\u{1f600}b")
        #expect(decoder.finish() == "")
    }
}
