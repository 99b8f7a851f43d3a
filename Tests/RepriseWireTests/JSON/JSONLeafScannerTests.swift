import RepriseWire
import Testing

struct JSONLeafScannerTests {
    private static let text = #"""
        {"token":"s\u00e9c\"ret","other":"x","n":[1,-2.5e3,{"token":7}],"deep":{"k":"v","l":["",true,
        {"m":"\ud83d\ude00"}]},"to\u006ben":"again","list":[{"id":"a"},{"id":"b","x":"c"}],"last":12}
        """#

    private func scan(
        _ patterns: [String], _ pieces: [[UInt8]]
    ) throws -> [JSONLeafScanner.Leaf] {
        var scanner = JSONLeafScanner(patterns.map(JSONPathPattern.init))
        var leaves: [JSONLeafScanner.Leaf] = []
        for piece in pieces { try scanner.push(piece, into: &leaves) }
        try scanner.finish(into: &leaves)
        #expect(!scanner.isInsideLeaf)
        return leaves
    }

    /// The parts of each value joined, as `path=raw bytes`.
    private func joined(_ leaves: [JSONLeafScanner.Leaf], _ text: String) -> [String] {
        let bytes = Array(text.utf8)
        var result: [String] = []
        var isOpen = false
        for leaf in leaves {
            #expect(leaf.isStart == !isOpen)
            if leaf.isStart { result.append("\(leaf.path)=") }
            result[result.count - 1] += String(decoding: bytes[leaf.range], as: UTF8.self)
            isOpen = !leaf.isEnd
        }
        return result
    }

    @Test(arguments: [
        (["token"], [#"token=s\u00e9c\"ret"#, "token=again"]),
        (["n"], ["n.0=1", "n.1=-2.5e3", "n.2.token=7"]),
        (["n.1", "last"], ["n.1=-2.5e3", "last=12"]),
        (["deep"], ["deep.k=v", "deep.l.0=", #"deep.l.2.m=\ud83d\ude00"#]),
        (["list.*.id"], ["list.0.id=a", "list.1.id=b"]),
        (["*.*.token"], ["n.2.token=7"]),
        (["nothing", "token.x", "list.2"], []),
    ])
    func findsDeclaredValuesAtEverySplit(_ patterns: [String], _ expected: [String]) throws {
        let bytes = Array(Self.text.utf8)
        for split in 0...bytes.count {
            let leaves = try scan(patterns, [Array(bytes[..<split]), Array(bytes[split...])])
            #expect(joined(leaves, Self.text) == expected)
        }
        let leaves = try scan(patterns, bytes.map { [$0] })
        #expect(joined(leaves, Self.text) == expected)
    }

    @Test func everyByteIsToldWithTheBytesItCameIn() throws {
        var scanner = JSONLeafScanner([JSONPathPattern("a")])
        var leaves: [JSONLeafScanner.Leaf] = []
        try scanner.push(Array(#"{"a":"x\u"#.utf8), into: &leaves)
        #expect(leaves.map(\.range) == [6..<9])
        #expect(scanner.isInsideLeaf)
        try scanner.push(Array("00e".utf8), into: &leaves)
        #expect(leaves.map(\.range) == [6..<9, 9..<12])
        try scanner.push(Array(#"9"}"#.utf8), into: &leaves)
        #expect(leaves.map(\.range) == [6..<9, 9..<12, 12..<13])
        #expect(leaves.map(\.isStart) == [true, false, false])
        #expect(leaves.map(\.isEnd) == [false, false, true])
    }

    @Test func tellsWhatCameBeforeAnError() {
        var scanner = JSONLeafScanner([JSONPathPattern("a")])
        var leaves: [JSONLeafScanner.Leaf] = []
        #expect(throws: JSON.ParseError.self) {
            try scanner.push(Array("{\"a\":\"secret\nmore".utf8), into: &leaves)
        }
        #expect(leaves.map(\.range) == [6..<12])
        #expect(scanner.isInsideLeaf)
    }

    @Test func anEmptyPatternIsTheWholeText() throws {
        #expect(joined(try scan([""], [Array("12".utf8)]), "12") == ["=12"])
    }
}

struct SurrogateJoinerTests {
    /// Strings as JSON, the text that they are pieces of, and how many surrogates stay alone.
    @Test(arguments: [
        (["a", "b"], "ab", 0),
        ([#"a\ud83d"#, #"\ude00b"#], "a\u{1f600}b", 0),
        ([#"\ud83d"#, "", #"\ude00"#], "\u{1f600}", 0),
        ([#"\ud83d"#, #"\ude00\ud83d"#, #"\ude01"#], "\u{1f600}\u{1f601}", 0),
        ([#"\ud83d"#, "x"], "\u{fffd}x", 1),
        ([#"\ud83d"#], "\u{fffd}", 1),
        ([#"\ude00"#, "x"], "\u{fffd}x", 1),
        ([#"\ud83d"#, #"\ud83d"#, #"\ude00"#], "\u{fffd}\u{1f600}", 1),
        ([#"x\ud83dy"#, #"\ude00"#], "x\u{fffd}y\u{fffd}", 2),
        ([#"\ud83d"#, "\u{fffd}"], "\u{fffd}\u{fffd}", 1),
        ([#"\ude00\ud83d"#], "\u{fffd}\u{fffd}", 2),
        (["e", "\u{301}"], "e\u{301}", 0),
    ])
    func joins(_ strings: [String], _ expected: String, _ unpaired: Int) throws {
        var joiner = SurrogateJoiner()
        var pieces: [SurrogateJoiner.Piece] = []
        let path = JSONPath([.key("content")])
        for string in strings {
            let document = try JSON.parse(Array("{\"content\":\"\(string)\"}".utf8))
            let text = try #require(document.value[path: path]?.string)
            pieces.append(joiner.push(text, document.loneSurrogates(at: path)))
        }
        pieces.append(joiner.finish())
        #expect(pieces.map(\.text).joined().utf8.elementsEqual(expected.utf8))
        #expect(pieces.reduce(0) { $0 + $1.unpaired } == unpaired)
    }
}
