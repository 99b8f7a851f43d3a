import RepriseSupport
import RepriseTransport
import RepriseWire
import Testing

/// Where bodies are cut.
@Suite struct CutsTests {
    @Test(arguments: Cuts.all + [.random(seed: 0), .random(seed: .max)])
    func namesAreReadBack(cuts: Cuts) { #expect(Cuts(cuts.description) == cuts) }

    @Test(arguments: [
        "", "all", "Bytes", "random", "random:", "random:-1", "random:x",
        "random:18446744073709551616",
    ])
    func whatIsNoNameIsNone(text: String) { #expect(Cuts(text) == nil) }

    @Test(
        arguments: [
            (.asRecorded, ["é\r", "\n|€", "x"]),
            (.oneBlob, ["é\r\n|€x"]),
            (.beforeLineEnds, ["é", "\r", "\n|€", "x"]),
            (.insideCodingHeads, ["é\r", "\n|€", "x"]),
            (.insideFrameHeads, ["é\r", "\n|€", "x"]),
        ] as [(Cuts, [String])])
    func textIsCut(cuts: Cuts, pieces: [String]) {
        let cut = cut(["é\r", "\n|€", "x"].map { Array($0.utf8) }, cuts)
        #expect(cut.map { String(decoding: $0.bytes, as: UTF8.self) } == pieces)
    }

    @Test func charactersAreCutInside() {
        let cut = cut([Array("é€".utf8), Array("😀x".utf8)], .insideCharacters)
        #expect(
            cut.map(\.bytes) == [
                [0xC3], [0xA9, 0xE2], [0x82], [0xAC], [0xF0], [0x9F], [0x98], [0x80, 0x78],
            ])
        #expect(cut.map(\.time) == [1, 1, 1, 1, 2, 2, 2, 2])
    }

    /// A character that the recorded cuts divide is cut at the rest of its inner places, and bytes
    /// that are no character are left alone.
    @Test func charactersGoOnOverCuts() {
        #expect(
            cut([[0xE2], [0x82, 0xAC, 0x61]], .insideCharacters).map(\.bytes)
                == [[0xE2], [0x82], [0xAC, 0x61]])
        #expect(
            cut([[0x80, 0xC3, 0x61, 0xFF, 0xE2, 0xC3]], .insideCharacters).map(\.bytes)
                == [[0x80, 0xC3, 0x61, 0xFF, 0xE2, 0xC3]])
    }

    @Test func aPieceHasTheTimeOfItsLastByte() {
        let parts = [[1, 2, 3], [4], [5, 6]] as [[UInt8]]
        #expect(cut(parts, .everyByte).map(\.time) == [1, 1, 1, 2, 3, 3])
        #expect(cut(parts, .oneBlob).map(\.time) == [3])
        for seed: UInt64 in 0..<50 {
            for piece in cut(parts, .random(seed: seed)) {
                #expect(piece.time == [1, 1, 1, 2, 3, 3][Int(piece.bytes.last ?? 0) - 1])
            }
        }
    }

    @Test func decodedBytesAreNotJoinedWithCodedOnes() {
        let cutter = BodyCutter(.oneBlob, codings: ["gzip"], member: 1)
        #expect(cutter.push(Delivery(bytes: [1], time: 1)) == [])
        let second = Delivery(bytes: [2], time: 2, isDecoded: true)
        #expect(cutter.push(second) == [Delivery(bytes: [1], time: 1)])
        #expect(cutter.isHolding)
        #expect(cutter.finish() == [second])
        #expect(!cutter.isHolding && cutter.finish().isEmpty)
    }

    @Test func anEmptyDeliveryStaysWhereNothingIsJoined() {
        for cuts in Cuts.all {
            switch cuts {
            case .oneBlob, .random: #expect(cut([[]], cuts).isEmpty)
            default: #expect(cut([[]], cuts) == [Delivery(bytes: [], time: 1)])
            }
        }
    }

    /// Figures of the published generator, so that a seed means the same everywhere.
    @Test func chanceIsTheSameEverywhere() {
        let bytes = [UInt8](repeating: 0, count: 4_000)
        let lengths = cut([bytes], .random(seed: 1)).map(\.bytes.count)
        #expect(lengths.reduce(0, +) == 4_000)
        #expect(lengths.prefix(8) == [258, 10, 1, 8, 1, 7, 4, 32])
        let other = BodyCutter(.random(seed: 1), codings: [], member: 2)
            .push(Delivery(bytes: bytes, time: 1)).map(\.bytes.count)
        #expect(lengths != other)
    }

    /// Both forms of gzip's header, members one after another, zlib, and no header at all.
    @Test(
        arguments: [
            ("gzip", .gzip, 10, 8), ("x-gzip", .gzip, 10, 8), ("deflate", .zlib, 2, 4),
        ] as [(String, DeflateFormat, Int, Int)])
    func headsOfCodingsAreCut(coding: String, format: DeflateFormat, head: Int, tail: Int) {
        let coded = coded(Array("data: hello\n\n".utf8), format)
        let expected = Array(1...head) + Array((coded.count - tail)..<coded.count)
        for parts in [[coded], splits(coded)] {
            let ends = ends(cut(parts, .insideCodingHeads, [coding]))
            #expect(Set(ends).isSuperset(of: expected))
            if parts.count == 1 { #expect(ends.dropLast() == expected[...]) }
        }
    }

    @Test func everyMemberAndEveryFieldOfGzipIsCut() {
        let plain = coded(Array("a".utf8), .gzip)
        // FEXTRA of 3 bytes, a name, a comment and a checksum of the header (all flags).
        let fields: [UInt8] = [3, 0, 1, 2, 3, 0x6E, 0, 0x63, 0, 9, 9]
        let full = [0x1F, 0x8B, 8, 30, 0, 0, 0, 0, 0, 3] + fields + plain[10...]
        let ends = ends(cut([full + plain], .insideCodingHeads, ["gzip"]))
        let trailer = full.count - 8
        let expected =
            Array(1...21) + Array(trailer...(full.count + 10))
            + Array((full.count + plain.count - 8)..<(full.count + plain.count))
        #expect(ends.dropLast() == expected[...])
    }

    @Test(arguments: ["deflate", "br", "identity", ""])
    func whatHasNoHeadIsLeftAlone(coding: String) {
        var raw: [UInt8] = []
        Deflate(.raw(windowBits: 15)).push(Array("abc".utf8), flush: .finish, into: &raw)
        #expect(cut([raw], .insideCodingHeads, [coding]).map(\.bytes) == [raw])
    }

    /// In a coded body a cut is behind the first coded byte that lets the text before a place out.
    @Test(arguments: ["gzip", "deflate"], [Cuts.insideCharacters, .beforeLineEnds])
    func textIsCutInsideCodedBytes(coding: String, cuts: Cuts) throws {
        let text = Array("äöü€😀\r\n\r\nund é\n".utf8)
        // Stored, so that each byte of the text comes out with one coded byte.
        var coded: [UInt8] = []
        Deflate(coding == "gzip" ? .gzip : .zlib, level: 0)
            .push(text, flush: .finish, into: &coded)
        let decoder = try ContentDecoder(codings: [coding])
        var outs: [Int] = []
        for piece in cut([coded], cuts, [coding]) {
            _ = try decoder.push(piece.bytes)
            outs.append(decoder.count)
        }
        let wanted = text.indices.filter { index in
            cuts == .beforeLineEnds
                ? [0x0A, 0x0D].contains(text[index]) : text[index] & 0xC0 == 0x80
        }
        #expect(outs.dropLast() == wanted[...])
    }

    @Test func whatCannotBeDecodedIsLeftAlone() {
        let bytes = Array("no gzip\n\n".utf8)
        #expect(cut([bytes], .beforeLineEnds, ["gzip"]).map(\.bytes) == [bytes])
        #expect(cut([bytes], .beforeLineEnds, ["br"]).map(\.bytes) == [bytes])
    }

    /// Whatever is cut how: the same bytes in the same order.
    @Test(arguments: Cuts.all, [[], ["gzip"], ["deflate"], ["deflate", "gzip"]])
    func theBytesAreTheSame(cuts: Cuts, codings: [String]) {
        let text = Array(#"data: {"content":"Grüße 😀"}"#.utf8) + [13, 10, 13, 10]
        let bytes = codings.reduce(text) { coded($0, $1 == "gzip" ? .gzip : .zlib) }
        for parts in [[bytes], splits(bytes), bytes.map { [$0] }] {
            let pieces = cut(parts, cuts, codings)
            #expect(Array(pieces.map(\.bytes).joined()) == bytes)
            #expect(pieces.map(\.time) == pieces.map(\.time).sorted())
            #expect(pieces.allSatisfy { !$0.bytes.isEmpty })
        }
    }

    // MARK: Help

    /// The pieces of deliveries at the times 1, 2, 3…
    private func cut(
        _ parts: [[UInt8]], _ cuts: Cuts, _ codings: [String] = []
    ) -> [Delivery] {
        let cutter = BodyCutter(cuts, codings: codings, member: 1)
        return parts.enumerated().flatMap { index, bytes in
            cutter.push(Delivery(bytes: bytes, time: Int64(index + 1)))
        } + cutter.finish()
    }

    private func ends(_ pieces: [Delivery]) -> [Int] {
        var end = 0
        return pieces.map { piece in
            end += piece.bytes.count
            return end
        }
    }

    private func splits(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<min($0 + 3, bytes.count)]) }
    }

    private func coded(_ bytes: [UInt8], _ format: DeflateFormat) -> [UInt8] {
        var coded: [UInt8] = []
        Deflate(format).push(bytes, flush: .finish, into: &coded)
        return coded
    }
}
