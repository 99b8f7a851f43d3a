import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of bodies with a content coding.
@Suite struct MaskingCodedTests {
    private static let token = "tok-Abc/9876543210+xyz=="
    private static let body = "data: {\"x\":\"<\(token)>\"}\n\n"

    /// Each piece with a flush behind it, and the end of the coding in a piece of its own.
    private func gzip(_ pieces: [String]) -> [[UInt8]] {
        let deflate = Deflate(.gzip)
        var coded: [[UInt8]] = []
        for piece in pieces + [""] {
            var bytes: [UInt8] = []
            deflate.push(
                Array(piece.utf8), flush: coded.count == pieces.count ? .finish : .sync,
                into: &bytes)
            coded.append(bytes)
        }
        return coded
    }

    private func run(_ pieces: [[UInt8]], coding: String = "gzip") throws -> MaskedRun {
        try MaskedRun(
            pieces, headers: ["Content-Encoding": coding, "Content-Type": "text/event-stream"],
            secrets: [MaskingCodedTests.token], sensitive: ["auth"])
    }

    private func decoded(_ run: MaskedRun) throws -> [UInt8] {
        let decoder = try ContentDecoder(codings: ["gzip"])
        return try run.all.flatMap { frame in
            switch frame.kind {
            case .responseBody: try decoder.push(frame.payload)
            case .decodedBody: frame.payload
            default: [UInt8]()
            }
        }
    }

    @Test func verbatimWithoutASecret() throws {
        let coded = gzip(["data: one\n\n", "data: tok-A\n\n", "data: three\n\n"])
        let run = try run(coded)
        #expect(run.frames.map(\.payload) == coded)
        #expect(run.frames.allSatisfy { $0.kind == .responseBody })
        #expect(run.all.count == coded.count + 2)
    }

    @Test func decodedFromTheFirstPossibleSecretOn() throws {
        let coded = gzip(["data: one\n\n", MaskingCodedTests.body, "data: three\n\n"])
        let run = try run(coded)
        #expect(
            run.frames.map(\.kind) == [.responseBody, .decodedBody, .decodedBody, .decodedBody])
        #expect(run.frames[0].payload == coded[0])
        #expect(run.frames[2].payload == Array("data: three\n\n".utf8))
        #expect(run.frames[3].payload == [])
        #expect(try !decoded(run).contains(pieceOf: MaskingCodedTests.token))
    }

    @Test func everySplitOfTheText() throws {
        let text = Array(MaskingCodedTests.body.utf8)
        let expected = MaskingCodedTests.body.replacing(
            MaskingCodedTests.token, with: Masking.stars(MaskingCodedTests.token))
        for cut in 0...text.count {
            let pieces = [text[..<cut], text[cut...]].map { String(decoding: $0, as: UTF8.self) }
            let run = try run(gzip(pieces))
            let stored = try decoded(run)
            #expect(!stored.contains(pieceOf: MaskingCodedTests.token))
            #expect(zip(stored, expected.utf8).filter { $0 != $1 }.count <= 5)
            #expect(stored.count == text.count)
        }
    }

    @Test func everySplitOfTheCodedBytes() throws {
        let coded = gzip([MaskingCodedTests.body]).flatMap(\.self)
        for cut in 1..<coded.count {
            let run = try run([Array(coded[..<cut]), Array(coded[cut...])])
            #expect(try !decoded(run).contains(pieceOf: MaskingCodedTests.token))
            #expect(run.frames.count == 2)
        }
        for size in 1...7 {
            let cuts = stride(from: 0, to: coded.count, by: size)
            let run = try run(cuts.map { Array(coded[$0..<min($0 + size, coded.count)]) })
            #expect(try !decoded(run).contains(pieceOf: MaskingCodedTests.token))
        }
    }

    @Test func declaredValuesOfCodedEvents() throws {
        let run = try run(gzip(["data: {\"auth\":\"ab", "cd\"}\n\n"]))
        #expect(try decoded(run) == Array("data: {\"auth\":\"****\"}\n\n".utf8))
        #expect(run.map.masks.values.joined().map(\.secret) == [1, 1])
    }

    @Test func plainTextThatCallsItselfGzip() throws {
        let run = try run([Array("data: one ".utf8), Array(MaskingCodedTests.body.utf8)])
        #expect(run.frames.allSatisfy { $0.kind == .responseBody })
        #expect(run.hidesPieces(of: MaskingCodedTests.token))
        #expect(run.text.hasPrefix("data: one data: {\"x\":\"<***"))
    }

    @Test func trailingBytesAreSearchedToo() throws {
        let coded = gzip(["data: one\n\n"])
        let run = try run([coded[0], coded[1] + Array(MaskingCodedTests.token.utf8)])
        #expect(run.hidesPieces(of: MaskingCodedTests.token))
        #expect(run.frames.map(\.kind) == [.responseBody, .responseBody])
    }
}
