import RepriseTape
import RepriseWire
import TestSupport
import Testing

@Suite struct TapeReaderTests {
    @Test(arguments: [1, 2, 1000]) func framesComeBackAsTheyWereWritten(group: Int) throws {
        let bytes = try Samples.tape(commit: { $0 % group == 0 })
        let tape = try ReadTape(bytes)
        #expect(tape.frames == Samples.frames)
        #expect(tape.damages == [])
        #expect(tape.summary.isSealed)
        #expect(tape.summary.frames == UInt64(Samples.frames.count))
        #expect(tape.summary.unverifiedFrames == 0)
        #expect(tape.summary.members == 1)
        #expect(tape.summary.endOffset == UInt64(bytes.count))
        for (frame, content) in zip(tape.frames.dropFirst(), Samples.contents) {
            #expect(try frame.content() == content)
        }
    }

    @Test func aFileIsReadLikeBytes() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        try writeFile(path, Samples.tape())
        #expect(try ReadTape(TapeReader(path: path)).frames == Samples.frames)
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func everyTimeComesBack(time: Int64) throws {
        let frames = [time, ~time, 0, time].enumerated().map {
            Frame(.note("x"), exchange: .max, time: $1, number: UInt64($0))
        }
        #expect(try ReadTape(Samples.tape(frames)).frames == frames)
    }

    @Test func anUnfinishedTapeIsReadWhileItIsWritten() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(path: path, session: Samples.session)
        for number in 1...5 {
            writer.append(.note("\(number)"), exchange: 0, time: Int64(number))
            try writer.commit()
            let tape = try ReadTape(TapeReader(path: path))
            #expect(tape.frames.count == number + 1)
            #expect(tape.frames.allSatisfy { !$0.isVerified })
            #expect(tape.damages.map(\.kind) == [.unsealed])
            #expect(!tape.summary.isSealed)
            #expect(tape.summary.unverifiedFrames == UInt64(number + 1))
        }
    }

    @Test func onlyTheUnfinishedMemberIsUnverified() throws {
        let large = (0..<4).map {
            Frame(
                .responseBody(Array(repeating: UInt8($0), count: 100 << 10)), time: 0,
                number: UInt64($0))
        }
        let tape = try ReadTape(Samples.tape(large, sealed: false))
        #expect(tape.frames.map(\.isVerified) == [true, true, true, false])
        #expect(tape.frames.map(\.payload) == large.map(\.payload))
    }

    @Test func anEmptyFileIsATapeWhoseRecorderDiedAtOnce() throws {
        let tape = try ReadTape([])
        #expect(tape.frames.isEmpty)
        #expect(tape.damages.map(\.kind) == [.unsealed])
    }

    @Test func otherFilesAreNoTapes() throws {
        let gzip: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]
        for bytes in [gzip, Array("hello".utf8), [UInt8](repeating: 0, count: 200_000)] {
            let error = #expect(throws: TapeError.self) { try ReadTape(bytes) }
            #expect(error?.code == .notATape)
        }
        let error = #expect(throws: TapeError.self) { try TapeReader(path: "/nowhere.tape") }
        #expect(error?.code == .file)
        let folder = #expect(throws: TapeError.self) { try TapeReader(path: "/tmp") }
        #expect(folder?.message == "cannot be read: it is a folder")
        #expect(folder?.description == "/tmp: cannot be read: it is a folder (offset 0)")
    }

    @Test func whatIsWrongWithALineNamesTheFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.jsonl", Array("{\"kind\":\"note\"}\n".utf8))
        let error = #expect(throws: TapeError.self) { try ReadTape(TapeReader(path: path)) }
        #expect(error?.description == "\(path): a note frame needs t, which is missing (line 1)")
        #expect(error?.reason == "a note frame needs t, which is missing (line 1)")
    }

    @Test func aNewerVersionIsRefused() throws {
        var header = MemberHeader(
            tape: TapeID(session: "x"), number: 0, firstFrame: 0, start: 0)
        header.version = 2
        let error = #expect(throws: TapeError.self) { try ReadTape(header.bytes + [3, 0]) }
        #expect(error?.code == .unsupportedVersion)
        #expect(error?.message.contains("version 2") == true)
    }
}
