import RepriseSupport
import Testing

struct VarintTests {
    @Test(
        arguments: [
            (0, [0x00]), (1, [0x01]), (127, [0x7F]), (128, [0x80, 0x01]), (300, [0xAC, 0x02]),
            (16383, [0xFF, 0x7F]), (16384, [0x80, 0x80, 0x01]),
            (UInt64(UInt32.max), [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
            (1 << 63, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
            (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        ] as [(UInt64, [UInt8])])
    func isWrittenAndReadBack(_ value: UInt64, _ expected: [UInt8]) throws {
        var bytes: [UInt8] = []
        Varint.append(value, to: &bytes)
        #expect(bytes == expected)
        var reader = ByteReader(bytes)
        #expect(try reader.varint() == value)
        #expect(reader.remaining == 0)
        for length in 0..<bytes.count {
            var short = ByteReader(Array(bytes[..<length]))
            #expect(throws: ByteReader.Failure.truncated(at: length)) { try short.varint() }
        }
    }

    @Test func everyPowerOfTwoAndItsNeighboursRoundTrip() throws {
        for bit in 0..<64 {
            let power = UInt64(1) << UInt64(bit)
            for value in [power &- 1, power, power &+ 1] {
                var bytes: [UInt8] = []
                Varint.append(value, to: &bytes)
                var reader = ByteReader(bytes)
                #expect(try reader.varint() == value)
            }
        }
    }

    @Test func refusesMoreThan64Bits() {
        let nines = Array(repeating: UInt8(0xFF), count: 9)
        for bytes in [nines + [0x02], nines + [0x81, 0x00], Array(repeating: 0x80, count: 20)] {
            var reader = ByteReader([0x00] + bytes)
            _ = try? reader.byte()
            #expect(throws: ByteReader.Failure.overlong(at: 1)) { try reader.varint() }
        }
    }

    @Test(
        arguments: [
            (0, 0), (-1, 1), (1, 2), (-2, 3), (2, 4), (.max, .max - 1), (.min, .max),
        ] as [(Int64, UInt64)])
    func zigzagMapsSmallToSmall(_ signed: Int64, _ unsigned: UInt64) {
        #expect(Varint.zigzag(signed) == unsigned)
        #expect(Varint.unzigzag(unsigned) == signed)
    }
}
