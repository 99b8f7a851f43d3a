import RepriseSupport
import RepriseWire
import Testing

struct ContentDecoderTests {
    /// What came out of pushing `pieces`, and how it ended.
    private func decode(
        _ codings: [String], _ pieces: [[UInt8]], outputLimit: Int = .max
    ) -> (output: [UInt8], error: ContentCodingError?) {
        var output: [UInt8] = []
        do throws(ContentCodingError) {
            let decoder = try ContentDecoder(codings: codings, outputLimit: outputLimit)
            for piece in pieces { try decoder.push(piece, into: &output) }
            try decoder.finish()
            return (output, nil)
        } catch {
            #expect(error.offset == output.count)
            return (output, error)
        }
    }

    @Test(arguments: CodingCase.all)
    func decodesAtEverySplit(_ example: CodingCase) {
        for split in 0...example.coded.count {
            let pieces = [Array(example.coded[..<split]), Array(example.coded[split...])]
            let result = decode(example.codings, pieces)
            #expect(result.output == example.plain && result.error == nil, "split at \(split)")
        }
        let result = decode(example.codings, example.coded.map { [$0] })
        #expect(result.output == example.plain && result.error == nil, "byte by byte")
    }

    @Test(arguments: CodingCase.all)
    func reportsEveryTruncation(_ example: CodingCase) {
        // Where a member ends, the body is whole.
        let wholes = example.name == "gzipMembers" ? [58, 78] : []
        for length in 1..<example.coded.count {
            let result = decode(example.codings, [Array(example.coded[..<length])])
            #expect(example.plain.starts(with: result.output))
            let isWhole = result.error == nil
            #expect(isWhole == wholes.contains(length), "cut at \(length)")
            if let error = result.error { #expect(error.kind == .truncated, "cut at \(length)") }
        }
    }

    @Test(arguments: CodingCase.all)
    func reportsBytesBehindTheEnd(_ example: CodingCase) {
        for tail: [UInt8] in [[0], [0x0A], [0x1F, 0x00], [0x8B], Array("<html>".utf8)] {
            for pieces in [
                [example.coded + tail], [example.coded, tail], [example.coded] + tail.map { [$0] },
            ] {
                let result = decode(example.codings, pieces)
                #expect(result.output == example.plain)
                #expect(result.error?.kind == .trailingBytes)
            }
        }
    }

    @Test(arguments: CodingCase.all)
    func survivesEveryFlippedByte(_ example: CodingCase) {
        var quiet = 0
        for index in example.coded.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var coded = example.coded
                coded[index] ^= mask
                let result = decode(example.codings, [coded], outputLimit: 1 << 20)
                if result.error == nil && result.output != example.plain { quiet += 1 }
            }
        }
        // Only a raw stream has no checksum that tells.
        if !example.name.hasPrefix("raw") { #expect(quiet == 0) }
    }

    @Test func givesEachFlushedPieceAtOnce() throws {
        for format in [DeflateFormat.gzip, .zlib, .raw(windowBits: 15)] {
            let coding = format == .gzip ? "gzip" : "deflate"
            let decoder = try ContentDecoder(codings: [coding])
            let deflate = Deflate(format)
            for index in 0..<50 {
                var coded: [UInt8] = []
                let piece = Array("data: {\"content\":\"\(index)\"}\n\n".utf8)
                deflate.push(piece, flush: .sync, into: &coded)
                #expect(try decoder.push(coded) == piece)
            }
            var coded: [UInt8] = []
            deflate.push([], flush: .finish, into: &coded)
            #expect(try decoder.push(coded) == [])
            try decoder.finish()
        }
    }

    @Test func deliversTheGoodBytesBeforeAFault() throws {
        var coded: [UInt8] = []
        let deflate = Deflate(.gzip)
        deflate.push(CodingCase.plain, flush: .sync, into: &coded)
        coded += [0xFF, 0xFF, 0xFF]
        let result = decode(["gzip"], [coded])
        #expect(result.output == CodingCase.plain)
        #expect(result.error?.kind == .corrupt)
        let later = try ContentDecoder(codings: ["gzip"])
        #expect(try later.push(coded) == CodingCase.plain)
        #expect(throws: ContentCodingError.self) { try later.push([1]) }
        #expect(throws: ContentCodingError.self) { try later.finish() }
    }

    /// Where the fault is: what is before it is good, and enough for the same fault.
    @Test(arguments: CodingCase.all)
    func tellsWhereTheFaultIs(_ example: CodingCase) throws {
        for index in example.coded.indices {
            var coded = example.coded
            coded[index] ^= 0xFF
            let decoder = try ContentDecoder(codings: example.codings)
            var output: [UInt8] = []
            do {
                try decoder.push(coded, into: &output)
            } catch {
                guard let offset = decoder.faultOffset else {
                    #expect(example.codings.count > 1)
                    continue
                }
                let rest = repeatElement(UInt8(ascii: "*"), count: coded.count - offset)
                let again = decode(example.codings, [Array(coded[..<offset] + rest)])
                #expect(again.output == output && again.error == error, "at \(index)")
            }
        }
    }

    @Test func deliversTheGoodBytesThroughAStack() {
        var inner: [UInt8] = []
        Deflate(.zlib).push(CodingCase.plain, flush: .sync, into: &inner)
        var outer: [UInt8] = []
        Deflate(.gzip).push(inner, flush: .sync, into: &outer)
        let result = decode(["deflate", "gzip"], [outer + [0xFF, 0xFF]])
        #expect(result.output == CodingCase.plain)
        #expect(result.error?.kind == .corrupt)
        #expect(result.error?.coding == "gzip")
    }

    @Test func namesWhatItDoesNotSupport() {
        let error = decode(["gzip", "br"], []).error
        #expect(error?.kind == .unsupported)
        #expect(error?.description == "content coding br is not supported")
    }

    @Test(arguments: [[], ["identity"], ["gzip"], ["deflate"], ["gzip", "deflate"]])
    func takesNoBytesAsAnEmptyBody(_ codings: [String]) {
        #expect(decode(codings, [[]]).error == nil)
    }

    @Test func passesIdentityThrough() {
        let result = decode(["identity"], [[1, 2], [3]])
        #expect(result.output == [1, 2, 3])
        #expect(result.error == nil)
    }

    @Test(arguments: [DeflateFormat.gzip, .zlib, .raw(windowBits: 15)])
    func stopsAtTheOutputLimit(_ format: DeflateFormat) {
        let coding = format == .gzip ? "gzip" : "deflate"
        var coded: [UInt8] = []
        Deflate(format).push(Array(repeating: 0, count: 100_000), flush: .finish, into: &coded)
        #expect(decode([coding], [coded], outputLimit: 100_000).error == nil)
        let result = decode([coding], [coded], outputLimit: 99_999)
        #expect(result.output.count == 99_999)
        #expect(result.error?.kind == .outputLimit)
        // The limit is for one push.
        #expect(decode([coding], coded.map { [$0] }, outputLimit: 50_000).error == nil)
    }

    @Test func countsMembersTogetherAgainstTheLimit() {
        var coded: [UInt8] = []
        for _ in 0..<4 {
            Deflate(.gzip).push(Array(repeating: 7, count: 1000), flush: .finish, into: &coded)
        }
        #expect(decode(["gzip"], [coded], outputLimit: 4000).error == nil)
        #expect(decode(["gzip"], [coded], outputLimit: 3999).error?.kind == .outputLimit)
        #expect(decode(["gzip"], [coded], outputLimit: 3000).output.count == 3000)
    }
}
