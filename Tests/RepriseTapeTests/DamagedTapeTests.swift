import RepriseTape
import RepriseWire
import Testing

/// Never other data than was written without a report of damage, and never a crash.
@Suite struct DamagedTapeTests {
    static let frames = Samples.frames

    /// A small tape of several members, so that damage has something behind it.
    static func small() throws -> [UInt8] {
        let bytes = try Samples.tape(memberSize: 250, commit: { $0 % 5 == 0 })
        #expect(try ReadTape(bytes).summary.members > 3)
        return bytes
    }

    @Test func everyTruncationGivesAPrefix() throws {
        let frames = Self.frames
        let bytes = try Self.small()
        for count in 0..<bytes.count {
            let tape = try ReadTape(Array(bytes.prefix(count)))
            #expect(!tape.summary.isSealed, "cut at \(count)")
            #expect(tape.damages.map(\.kind) == [.unsealed], "cut at \(count)")
            for (read, written) in zip(tape.frames, frames) {
                var verified = read
                verified.isVerified = true
                guard verified == written else {
                    Issue.record("cut at \(count): frame \(read.number) differs")
                    break
                }
            }
            #expect(tape.frames.count <= frames.count)
        }
    }

    @Test(arguments: [0xFF, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80] as [UInt8])
    func everyFlippedByteIsReported(mask: UInt8) throws {
        let frames = Self.frames
        let bytes = try Self.small()
        for offset in bytes.indices {
            var flipped = bytes
            flipped[offset] ^= mask
            let tape = try ReadTape(flipped)
            // Some bits of a deflate stream only fill a byte up.
            if tape.damages.isEmpty { #expect(tape.frames == frames, "byte \(offset)") }
            for frame in tape.frames {
                #expect(frame.isVerified, "byte \(offset)")
                guard frame == frames[Int(frame.number)] else {
                    Issue.record("byte \(offset) flipped: frame \(frame.number) differs")
                    break
                }
            }
        }
    }

    @Test func everyFlippedByteOfAnUnfinishedTapeIsReportedOrUnverified() throws {
        let bytes = try Samples.tape(sealed: false, commit: { $0 % 3 == 0 })
        for offset in bytes.indices {
            var flipped = bytes
            flipped[offset] ^= 0xFF
            do throws(TapeError) {
                let tape = try ReadTape(flipped)
                #expect(tape.damages.contains { $0.kind == .unsealed })
                #expect(tape.frames.allSatisfy { !$0.isVerified })
            } catch {
                // Its only header is damaged: nothing tells it from another file.
                #expect(error.code == .notATape)
                #expect(offset < MemberHeader.size)
            }
        }
    }
}
