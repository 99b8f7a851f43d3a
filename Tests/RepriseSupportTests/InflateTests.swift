import RepriseSupport
import Testing

struct InflateTests {
    static let formats: [DeflateFormat] = [
        .gzip, .zlib, .raw(windowBits: 15), .raw(windowBits: 9), .raw(windowBits: 8),
    ]

    /// Bytes that compress somewhat, the same ones always.
    private func sample(_ count: Int) -> [UInt8] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 27)
        }
    }

    private func compress(_ bytes: [UInt8], _ format: DeflateFormat) -> [UInt8] {
        var output: [UInt8] = []
        Deflate(format).push(bytes, flush: .finish, into: &output)
        return output
    }

    @Test(arguments: formats, [0, 1, 1000, 32 << 10, 200_000])
    func roundTrips(_ format: DeflateFormat, _ count: Int) throws {
        let plain = sample(count)
        let coded = compress(plain, format)
        var position = 0
        var output: [UInt8] = []
        let status = try Inflate(format).push(coded + [1, 2, 3], from: &position, into: &output)
        #expect(status == .ended)
        #expect(position == coded.count)
        #expect(output == plain)
    }

    @Test(arguments: formats, [1, 7, 4096, 32 << 10, 100_000])
    func givesNoMoreThanTheLimit(_ format: DeflateFormat, _ limit: Int) throws {
        let plain = sample(limit == 1 ? 500 : 100_000)
        let coded = compress(plain, format)
        let inflate = Inflate(format)
        var position = 0
        var output: [UInt8] = []
        while true {
            let before = output.count
            let status = try inflate.push(
                coded, from: &position, into: &output, outputLimit: limit)
            #expect(output.count - before <= limit)
            if status == .ended { break }
            try #require(status == .outputLimit && output.count - before == limit)
        }
        #expect(output == plain)
    }

    @Test(arguments: formats)
    func eachSyncFlushComesOutWhole(_ format: DeflateFormat) throws {
        let deflate = Deflate(format)
        let inflate = Inflate(format)
        for count in [0, 1, 10, 32 << 10, 100_000, 3] {
            let plain = sample(count)
            var coded: [UInt8] = []
            deflate.push(plain, flush: .sync, into: &coded)
            var output: [UInt8] = []
            var position = 0
            #expect(try inflate.push(coded, from: &position, into: &output) == .needsInput)
            #expect(output == plain)
            #expect(position == coded.count)
        }
    }

    @Test func startsAfreshAfterReset() throws {
        let coded = compress([1, 2, 3], .gzip)
        let inflate = Inflate(.gzip)
        for _ in 0..<3 {
            var position = 0
            var output: [UInt8] = []
            #expect(try inflate.push(coded, from: &position, into: &output) == .ended)
            #expect(output == [1, 2, 3])
            #expect(try inflate.push(coded, from: &position, into: &output) == .ended)
            #expect(output.count == 3)
            inflate.reset()
        }
    }

    @Test func aDeflaterStartsAfreshAfterReset() {
        let deflate = Deflate(.zlib)
        var first: [UInt8] = []
        deflate.push(sample(500), flush: .finish, into: &first)
        // Input behind the end goes nowhere.
        var nothing: [UInt8] = []
        deflate.push([1, 2, 3], flush: .none, into: &nothing)
        #expect(nothing.isEmpty)
        deflate.reset()
        var second: [UInt8] = []
        deflate.push(sample(500), flush: .finish, into: &second)
        #expect(first == second)
    }

    @Test func tellsCorruptFromUnfinished() throws {
        let coded = compress(sample(1000), .gzip)
        var position = 0
        var output: [UInt8] = []
        let half = Array(coded[..<(coded.count / 2)])
        #expect(try Inflate(.gzip).push(half, from: &position, into: &output) == .needsInput)
        var broken = coded
        broken[broken.count - 6] ^= 1
        position = 0
        output = []
        #expect(throws: Inflate.Failure.self) {
            try Inflate(.gzip).push(broken, from: &position, into: &output)
        }
        // All data came before the checksum that does not match.
        #expect(output == sample(1000))
    }
}
