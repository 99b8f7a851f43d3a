import RepriseTape
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Memory does not grow with the tape.
@Suite(.serialized) struct LargeTapeTests {
    /// Bytes of the process that are in memory.
    static func residentBytes() throws -> Int {
        let text = String(decoding: try readFile("/proc/self/statm"), as: UTF8.self)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * 4096
    }

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

    @Test func aMillionFramesTakeNoMemory() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(path: path, session: Samples.session)
        let payload = Array("data: {\"content\":\"some words of an answer\"}\n\n".utf8)
        let count = 1_000_000
        let before = try Self.residentBytes()
        for number in 1...count {
            writer.append(
                Frame(
                    exchange: UInt64(number % 100), time: Int64(number) * 1000, kind: .responseBody,
                    payload: payload))
            if number % 1000 == 0 { try writer.commit() }
        }
        try writer.close()
        let reader = try TapeReader(path: path)
        var frames = 0
        while let item = try reader.next() {
            guard case .frame(let frame) = item else {
                Issue.record("a damage in a whole tape")
                return
            }
            guard frame.number == frames else {
                Issue.record("frame \(frame.number) at place \(frames)")
                return
            }
            frames += 1
        }
        #expect(frames == count + 1)
        #expect(reader.summary.isSealed)
        // The tape's frames are over 50 MB; other tests of the process take memory meanwhile.
        #expect(try Self.residentBytes() - before < 40 << 20)
    }
}
