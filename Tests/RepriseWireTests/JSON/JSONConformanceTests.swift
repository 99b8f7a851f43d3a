import RepriseWire
import Testing

/// One text of the conformance table and what must become of it.
struct JSONCase: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        /// It is JSON, and this is it in its shortest form.
        case value(String)
        /// It is not, and this is the first byte that cannot be.
        case error(Int)
    }

    let text: [UInt8]
    let expected: Expected

    var testDescription: String { String(decoding: text.prefix(40), as: UTF8.self) }

    static func good(_ text: String, _ serialized: String? = nil) -> JSONCase {
        JSONCase(text: Array(text.utf8), expected: .value(serialized ?? text))
    }

    static func bad(_ text: String, _ offset: Int) -> JSONCase {
        JSONCase(text: Array(text.utf8), expected: .error(offset))
    }

    /// A string value of these bytes.
    static func raw(_ bytes: [UInt8], _ expected: Expected) -> JSONCase {
        JSONCase(text: [0x22] + bytes + [0x22], expected: expected)
    }
}

struct JSONConformanceTests {
    @Test(arguments: JSONCase.all)
    func parses(_ example: JSONCase) {
        let result: JSONCase.Expected
        do throws(JSON.ParseError) {
            result = .value(try JSON.parse(example.text).value.serialized)
        } catch {
            result = .error(error.offset)
        }
        #expect(result == example.expected)
    }

    @Test(arguments: JSONCase.all)
    func tokensAreTheSameAtEverySplit(_ example: JSONCase) {
        let whole = TokenRun([example.text])
        for split in 0...example.text.count {
            let pieces = [Array(example.text[..<split]), Array(example.text[split...])]
            #expect(TokenRun(pieces) == whole, "split at \(split)")
        }
        #expect(TokenRun(example.text.map { [$0] }) == whole, "byte by byte")
    }

    @Test(arguments: JSONCase.all)
    func noPrefixOfAnArrayOrObjectPasses(_ example: JSONCase) {
        guard case .value = example.expected, let first = example.text.first,
            first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        else { return }
        guard let last = example.text.lastIndex(where: { $0 == 0x5D || $0 == 0x7D }) else { return }
        for length in 0...last {
            #expect(throws: JSON.ParseError.self) {
                try JSON.parse(Array(example.text[..<length]))
            }
        }
    }

    /// Whatever one byte is replaced by, cuts change neither the tokens nor the error.
    @Test func brokenTextsAreReadTheSameInPieces() {
        let text = Array(#"{"a":[-1.5e+3,true,null,"x\u00e9\ud83d\ude00\n\#u{20ac}"],"b":{}}"#.utf8)
        let others = Array("{}[]\",:\\u0eE.-t \n".utf8) + [0x00, 0x80, 0xE2, 0xF0, 0xFF]
        for index in text.indices {
            for other in others {
                var broken = text
                broken[index] = other
                let whole = TokenRun([broken])
                #expect(TokenRun(broken.map { [$0] }) == whole)
                #expect(TokenRun([Array(broken[..<index]), Array(broken[index...])]) == whole)
            }
        }
    }

    @Test func hasEnoughCases() { #expect(JSONCase.all.count >= 150) }
}

/// The tokens of a text pushed in pieces, adjacent fragments joined, and how it ended.
struct TokenRun: Equatable {
    var tokens: [JSONToken] = []
    var error: JSON.ParseError?

    init(_ pieces: [[UInt8]]) {
        var tokenizer = JSONTokenizer()
        var found: [JSONToken] = []
        do throws(JSON.ParseError) {
            for piece in pieces { try tokenizer.push(piece, into: &found) }
            try tokenizer.finish(into: &found)
        } catch {
            self.error = error
        }
        for token in found {
            if let last = tokens.last, token.kind == .text || token.kind == .digits,
                last.kind == token.kind, last.end == token.start
            {
                tokens[tokens.count - 1].end = token.end
            } else {
                tokens.append(token)
            }
        }
    }
}
