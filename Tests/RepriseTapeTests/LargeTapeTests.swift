import RepriseTape
import TestSupport
import Testing

/// Frames larger than a member.
@Suite struct LargeTapeTests {
    @Test func aLargeFrameComesBack() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        // Bytes that no compression makes small.
        var state: UInt64 = 1
        let bytes = (0..<10_000_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let writer = try TapeWriter(path: path, session: Samples.session)
        writer.append(.responseBody(bytes), exchange: 1, time: 1)
        writer.append(.note("behind"), exchange: 0, time: 2)
        try writer.close()
        let tape = try ReadTape(TapeReader(path: path))
        #expect(tape.frames.count == 3)
        #expect(tape.frames[1].payload == bytes)
        #expect(tape.damages == [])
    }
}
