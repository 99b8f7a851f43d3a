import RepriseSupport
import RepriseTape
import TestSupport
import Testing

/// Members that are missing, repeated, foreign, or between other bytes.
@Suite struct MemberOrderTests {
    static let frames = (0..<12).map {
        Frame(.note("note number \($0)"), time: Int64($0), number: UInt64($0))
    }

    /// A tape of six members with two frames each, the index and the locator.
    static func members() throws -> [[UInt8]] {
        let bytes = try Samples.tape(frames, memberSize: 50)
        var members: [[UInt8]] = []
        var position = 0
        while position < bytes.count {
            let start = position
            var output: [UInt8] = []
            _ = try Inflate(.gzip).push(bytes, from: &position, into: &output)
            members.append(Array(bytes[start..<position]))
        }
        try #require(members.count == 8)
        return members
    }

    static func read(_ members: [[UInt8]], salvaging: Bool = false) throws -> ReadTape {
        try ReadTape(Array(members.joined()), salvaging: salvaging)
    }

    @Test(arguments: 0..<6) func aMissingMemberCostsItsFrames(number: Int) throws {
        var members = try Self.members()
        members.remove(at: number)
        let tape = try Self.read(members)
        let lost = UInt64(number * 2)..<UInt64(number * 2 + 2)
        #expect(tape.frames == Self.frames.filter { !lost.contains($0.number) })
        #expect(tape.damages.map(\.kind) == [.missing])
        #expect(tape.damages.first?.members == UInt64(number)..<UInt64(number + 1))
        #expect(tape.damages.first?.frames == lost)
        #expect(tape.summary.isSealed)
    }

    @Test func aRepeatedMemberIsNotReadTwice() throws {
        var members = try Self.members()
        members.insert(members[2], at: 3)
        members.insert(members[2], at: 3)
        let tape = try Self.read(members)
        #expect(tape.frames == Self.frames)
        #expect(tape.damages.map(\.kind) == [.repeated])
        #expect(tape.damages.allSatisfy { $0.frames?.isEmpty == true })
    }

    @Test func membersOutOfOrderAreNotReadBackwards() throws {
        var members = try Self.members()
        members.swapAt(2, 3)
        let tape = try Self.read(members)
        #expect(tape.frames.map(\.number) == [0, 1, 2, 3, 6, 7, 8, 9, 10, 11])
        #expect(tape.damages.map(\.kind) == [.missing, .repeated])
    }

    @Test func aMemberOfAnotherTapeIsForeign() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("b.tape")
        let other = try TapeWriter(
            path: path,
            session: SessionRecord(session: "fedcba9876543210", wall: "w", recorder: "r"))
        try other.close()
        var members = try Self.members()
        members.insert(try readFile(path), at: 4)
        let tape = try Self.read(members)
        #expect(tape.frames == Self.frames)
        #expect(tape.damages.map(\.kind) == [.foreign])
        #expect(tape.summary.isSealed)
    }

    @Test(arguments: 0...8) func garbageIsSkipped(place: Int) throws {
        var members = try Self.members()
        members.insert(Array("garbage \u{1f}".utf8) + [0x1f, 0x8b, 8], at: place)
        let tape = try Self.read(members)
        #expect(tape.frames == Self.frames)
        #expect(tape.damages.map(\.kind) == [.garbage])
        #expect(tape.damages.first?.frames?.isEmpty == true)
        #expect(tape.damages.first?.length == 12)
    }

    @Test func zerosBehindAnUnfinishedMemberAreTold() throws {
        // What some file systems leave after the power failed.
        let bytes = try Samples.tape(Self.frames, sealed: false)
        let tape = try ReadTape(bytes + [UInt8](repeating: 0, count: 4096))
        #expect(tape.frames.map(\.payload) == Self.frames.map(\.payload))
        #expect(tape.frames.allSatisfy { !$0.isVerified })
        #expect(tape.damages.map(\.kind) == [.member, .unsealed])
    }

    @Test func aTapeBehindItselfIsRepeated() throws {
        let bytes = Array(try Self.members().joined())
        let tape = try ReadTape(bytes + bytes)
        #expect(tape.frames == Self.frames)
        #expect(tape.damages.map(\.kind) == [.repeated])
        #expect(tape.damages.first?.offset == UInt64(bytes.count))
        #expect(tape.damages.first?.length == UInt64(bytes.count))
    }

    @Test func theIndexIsComparedWithTheMembers() throws {
        var members = try Self.members()
        let other = try Samples.tape(
            Self.frames.map {
                var frame = $0
                frame.time += 1
                return frame
            }, memberSize: 50)
        let tail = try Self.read(members)
        #expect(tail.damages == [])
        // The same layout with other times: only the index can tell.
        members.removeSubrange(6...)
        let indexed = members.joined() + other.suffix(other.count - members.joined().count)
        let tape = try ReadTape(Array(indexed))
        #expect(tape.damages.map(\.kind) == [.index])
        #expect(tape.frames == Self.frames)
    }

    @Test func salvageHandsOutWhatCanBeDecoded() throws {
        var members = try Self.members()
        // The checksum of the third member.
        members[2][members[2].count - 8] ^= 1
        let strict = try Self.read(members)
        #expect(strict.frames.map(\.number) == [0, 1, 2, 3, 6, 7, 8, 9, 10, 11])
        #expect(strict.damages.map(\.kind) == [.member])
        #expect(strict.damages.first?.frames == 4..<6)

        let salvaged = try Self.read(members, salvaging: true)
        #expect(salvaged.frames.map(\.number) == Array(0..<12))
        #expect(salvaged.frames.filter { !$0.isVerified }.map(\.number) == [4, 5])
        #expect(salvaged.damages.first?.frames == 6..<6)
    }

    @Test func aForgedLengthIsBounded() throws {
        var header = MemberHeader(tape: TapeID(session: "x"), number: 0, firstFrame: 0, start: 0)
        for length: UInt64 in [0, 2, UInt64(TapeFormat.maximumFrameLength) + 1, .max] {
            var frames: [UInt8] = []
            Varint.append(length, to: &frames)
            frames += [12, 0, 0]
            let tape = try ReadTape(header.bytes + Self.body(frames))
            #expect(tape.frames.isEmpty)
            #expect(tape.damages.map(\.kind) == [.member, .unsealed], "\(length)")
        }
        header.firstFrame = .max
        let tape = try ReadTape(header.bytes + Self.body([3, 12, 0, 0]))
        #expect(tape.frames.isEmpty)
        #expect(tape.damages.map(\.kind) == [.garbage, .unsealed])
    }

    @Test func aBombIsBounded() throws {
        // A gigabyte of empty frames in one member.
        let header = MemberHeader(tape: TapeID(session: "x"), number: 0, firstFrame: 0, start: 0)
        let deflate = Deflate(.raw(windowBits: 15))
        var bytes = header.bytes
        let block = Array(repeatElement([3, 12, 0, 0] as [UInt8], count: 64 << 10).joined())
        for _ in 0..<8 { deflate.push(block, flush: .none, into: &bytes) }
        deflate.push([], flush: .finish, into: &bytes)
        let tape = try ReadTape(bytes + [UInt8](repeating: 0, count: 8))
        #expect(tape.damages.first?.message.contains("larger than a member") == true)
        #expect(tape.frames.count <= TapeFormat.memberSize / 2)
    }

    private static func body(_ frames: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        Deflate(.raw(windowBits: 15)).push(frames, flush: .finish, into: &bytes)
        bytes.appendLittleEndian(Checksum(of: frames).value)
        bytes.appendLittleEndian(UInt32(frames.count))
        return bytes
    }
}
