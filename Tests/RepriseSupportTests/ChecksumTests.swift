import RepriseSupport
import Testing

struct ChecksumTests {
    @Test func agreesWithTheCatalogueValue() {
        #expect(Checksum(of: Array("123456789".utf8)).value == 0xCBF4_3926)
        #expect(Checksum(of: []).value == 0)
        #expect(Checksum(of: [0]).value == 0xD202_EF8D)
    }

    @Test func runsOverAnyPieces() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = Checksum(of: bytes)
        for split in [0, 1, 8, 150, 299, 300] {
            var running = Checksum(of: bytes[..<split])
            running.update([])
            running.update(AnyCollection(bytes[split...]))
            #expect(running == whole)
        }
    }
}
