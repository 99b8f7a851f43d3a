import RepriseSupport
import RepriseTape
import RepriseWire
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct TapeWriterTests {
    @Test func aSealedTapeIsGzipWhoseContentIsTheFrames() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(path: path, session: Samples.session)
        #expect(writer.append(.requestBody([1, 2, 3]), exchange: 7, time: 5) == 1)
        #expect(writer.append(.note("back in time"), exchange: 0, time: -9) == 2)
        try writer.commit()
        try writer.close()
        try writer.close()

        let inflated = try gunzip(readFile(path))
        #expect(inflated.members == 3)
        var reader = ByteReader(inflated.bytes)
        var kinds: [UInt8] = []
        var deltas: [Int64] = []
        while reader.remaining > 0 {
            let length = try reader.varint()
            var body = ByteReader(try reader.slice(length))
            kinds.append(try body.byte())
            _ = try body.varint()
            deltas.append(Varint.unzigzag(try body.varint()))
        }
        #expect(kinds == [1, 3, 12, 127])
        #expect(deltas == [0, 5, -14, 0])
        var info = stat()
        let code = unsafe stat(path, &info)
        #expect(code == 0)
        #expect(info.st_mode & 0o777 == 0o600)
    }

    @Test func nothingIsWrittenBeforeACommitAndAllOfItAfter() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(path: path, session: Samples.session)
        let size = try readFile(path).count
        writer.append(.note("x"), exchange: 0, time: 1)
        #expect(try readFile(path).count == size)
        try writer.commit()
        let afterCommit = try readFile(path)
        #expect(afterCommit.suffix(4) == [0, 0, 0xff, 0xff])
        try writer.commit()
        #expect(try readFile(path) == afterCommit)
    }

    @Test func membersRollOverAtTheirSize() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(path: path, session: Samples.session)
        for time in 0..<5 {
            writer.append(
                .responseBody(Array(repeating: UInt8(time), count: 100 << 10)), exchange: 1,
                time: Int64(time))
        }
        try writer.close()
        // Three frames fill one member, two the next; then the index and the locator.
        #expect(try gunzip(readFile(path)).members == 4)
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func everyTimeCanBeWritten(time: Int64) throws {
        let folder = try TemporaryFolder()
        let writer = try TapeWriter(path: folder.file("a.tape"), session: Samples.session)
        writer.append(.note("a"), exchange: .max, time: time)
        writer.append(.note("b"), exchange: .max, time: ~time)
        try writer.close()
    }

    @Test func anExistingFileIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        try writeFile(path, [1, 2, 3])
        #expect(throws: TapeError.self) { try TapeWriter(path: path, session: Samples.session) }
        #expect(try readFile(path) == [1, 2, 3])
    }

    @Test func replacingKeepsTheOldTapeUntilTheNewOneIsSealed() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        try writeFile(path, [1, 2, 3])
        let writer = try TapeWriter(path: path, session: Samples.session, replacing: true)
        #expect(try readFile(path) == [1, 2, 3])
        #expect(throws: TapeError.self) {
            try TapeWriter(path: path, session: Samples.session, replacing: true)
        }
        try writer.close()
        #expect(try gunzip(readFile(path)).members == 3)
        #expect(!folder.names().contains("a.tape.new"))
    }

    @Test(arguments: [
        ("missing/a.tape", "its folder does not exist"), ("", "it is a folder"),
        ("file/a.tape", "a part of the path is not a folder"),
    ])
    func aPathThatCannotBeCreatedSaysWhy(name: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try writeFile(folder.file("file"), [])
        let error = #expect(throws: TapeError.self) {
            try TapeWriter(path: folder.file(name), session: Samples.session)
        }
        #expect(error?.code == .file)
        #expect(error?.message.contains(reason) == true)
    }

    @Test func aFullDiskStopsTheRecordingAndIsToldAtClose() throws {
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let writer = TapeWriter(
            descriptor: descriptor, name: "full.tape", tape: TapeID(session: "x"))
        writer.append(.note("lost"), exchange: 0, time: 0)
        for _ in 0..<2 {
            let error = #expect(throws: TapeError.self) { try writer.commit() }
            #expect(error?.code == .writeFailed)
            #expect(error?.message == "full.tape could not be written: the disk is full")
            writer.append(.note("dropped"), exchange: 0, time: 0)
        }
        for _ in 0..<2 {
            #expect(throws: TapeError.self) { try writer.close() }
        }
    }

    @Test func aClosedWriterTakesNothing() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(path: path, session: Samples.session)
        try writer.close()
        let bytes = try readFile(path)
        writer.append(.note("late"), exchange: 0, time: 0)
        #expect(throws: TapeError.self) { try writer.commit() }
        try writer.close()
        #expect(try readFile(path) == bytes)
    }

    @Test func aFrameThatIsTooLargeStopsTheRecording() throws {
        let folder = try TemporaryFolder()
        let writer = try TapeWriter(path: folder.file("a.tape"), session: Samples.session)
        writer.append(
            .responseBody(Array(repeating: 0, count: TapeFormat.maximumFrameLength)), exchange: 1,
            time: 0)
        let error = #expect(throws: TapeError.self) { try writer.close() }
        #expect(error?.frame == 1)
    }
}
