import RepriseSupport
import Testing

struct ByteReaderTests {
    @Test func readsToTheEndAndNoFurther() throws {
        var reader = ByteReader([1, 2, 3])
        #expect(try reader.byte() == 1)
        #expect(try reader.slice(1) == [2])
        #expect(throws: ByteReader.Failure.truncated(at: 2)) { try reader.slice(2) }
        #expect(throws: ByteReader.Failure.truncated(at: 2)) { try reader.slice(.max) }
        #expect(reader.remaining == 1)
        #expect(reader.rest() == [3])
        #expect(throws: ByteReader.Failure.truncated(at: 3)) { try reader.byte() }
        #expect(try reader.slice(0) == [])
        #expect(reader.rest() == [])
    }

    @Test func readsSlicesAtTheirOwnOffsets() throws {
        let bytes: [UInt8] = [9, 9, 1, 2, 9]
        var reader = ByteReader(bytes[2..<4])
        #expect(try reader.littleEndian(UInt16.self) == 0x0201)
        #expect(throws: ByteReader.Failure.truncated(at: 4)) { try reader.byte() }
    }

    @Test func integersRoundTrip() throws {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(UInt8(0xFE))
        bytes.appendLittleEndian(UInt32(0x0102_0304))
        bytes.appendLittleEndian(UInt64.max - 1)
        bytes.appendLittleEndian(Int32(-2))
        #expect(bytes[..<5] == [0xFE, 4, 3, 2, 1])
        var reader = ByteReader(bytes)
        #expect(try reader.littleEndian(UInt8.self) == 0xFE)
        #expect(try reader.littleEndian() == UInt32(0x0102_0304))
        #expect(try reader.littleEndian() == UInt64.max - 1)
        #expect(try Int32(bitPattern: reader.littleEndian()) == -2)
        #expect(throws: ByteReader.Failure.self) { try reader.littleEndian(UInt16.self) }
    }
}
