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
        (String(repeating: "x", count: 300), "the name is too long"),
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

    @Test func aReadOnlyFolderIsNamed() throws {
        // Root may write to any folder but those of the kernel.
        let folder = try TemporaryFolder()
        _ = unsafe chmod(folder.path, 0o500)
        let path = getuid() == 0 ? "/sys/a.tape" : folder.file("a.tape")
        let error = #expect(throws: TapeError.self) {
            try TapeWriter(path: path, session: Samples.session)
        }
        #expect(error?.code == .file)
        #expect(error?.message.hasPrefix("\(path) cannot be created: ") == true)
        _ = unsafe chmod(folder.path, 0o700)
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

    @Test func aSlowReaderGetsEveryByte() async throws {
        // A write to a pipe that does not block takes less than it is given, or nothing.
        var ends: [Int32] = [-1, -1]
        let made = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        try #require(made == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let (input, output) = (ends[0], ends[1])
        async let received = blocking { try readFile("/dev/fd/\(input)") }
        try await blocking {
            let writer = TapeWriter(
                descriptor: output, name: "pipe", tape: TapeID(session: "x"))
            for number in 0..<64 {
                let bytes = (0..<20_000).map {
                    UInt8(truncatingIfNeeded: $0 &* $0 &* (number + 3) >> 5)
                }
                writer.append(.responseBody(bytes), exchange: 1, time: Int64(number))
                try writer.commit()
            }
            try writer.close()
            close(output)
        }
        let tape = try ReadTape(try await received)
        close(input)
        #expect(tape.frames.count == 64)
        #expect(tape.summary.isSealed)
    }

    @Test func aFileThatMayNotGrowStopsTheRecording() async throws {
        // A limit of the process, so in one of its own: a tape grows by what comes from a pipe.
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        var shell = Command(
            "/bin/sh",
            [
                "-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" import - -o \"$1\"",
                try Workspace.command, path,
            ])
        shell.input = (0..<2_000).flatMap { Self.noise($0) }
        let result = try await shell.run()
        #expect(result.status == 1)
        #expect(result.errorText.contains("the file would become too large"))
        #expect(folder.names() == [])
    }

    private static func noise(_ seed: Int) -> [UInt8] {
        var state = UInt64(seed)
        let text = (0..<40).map { _ -> String in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return String(state, radix: 16)
        }.joined()
        return Array(#"{"kind":"note","x":0,"t":1,"text":"\#(text)"}"#.utf8) + [0x0A]
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
