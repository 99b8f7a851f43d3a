import RepriseTape
import TestSupport
import Testing

@Suite struct RepairTests {
    static func verify(_ path: String) throws -> TapeVerification {
        try TapeVerification(TapeReader(path: path))
    }

    @Test func aCopyOfAWholeTapeIsEqual() throws {
        let folder = try TemporaryFolder()
        try writeFile(folder.file("a.tape"), Samples.tape())
        let summary = try TapeCopy.run(
            from: TapeReader(path: folder.file("a.tape")), to: folder.file("b.tape"))
        #expect(summary.damages.isEmpty)
        let copy = try ReadTape(TapeReader(path: folder.file("b.tape")))
        #expect(copy.frames == Samples.frames)
        #expect(copy.damages == [])
        #expect(folder.names() == ["a.tape", "b.tape"])
    }

    @Test func aTornTapeIsSealedAndStillSaysSo() throws {
        let folder = try TemporaryFolder()
        let torn = try Samples.tape(sealed: false)
        _ = try TapeCopy.run(from: TapeReader(bytes: torn), to: folder.file("b.tape"))

        let before = try ReadTape(torn)
        let after = try ReadTape(TapeReader(path: folder.file("b.tape")))
        #expect(after.frames == before.frames)
        #expect(after.frames.allSatisfy { !$0.isVerified })
        #expect(after.summary.isSealed)
        #expect(after.damages.map(\.kind) == [.lost])
        #expect(after.damages.map(\.rule) == ["tape.R2"])

        let verification = try Self.verify(folder.file("b.tape"))
        #expect(verification.errors == 0)
        #expect(verification.findings.map(\.severity) == [.note])
    }

    @Test func everyDamagedTapeIsRepairedToOneThatVerifies() throws {
        let folder = try TemporaryFolder()
        let bytes = try DamagedTapeTests.small()
        for offset in stride(from: 0, to: bytes.count, by: 7) {
            for salvaging in [false, true] {
                var flipped = bytes
                flipped[offset] ^= 0xFF
                let path = folder.file("b.tape")
                let source = try TapeReader(bytes: flipped, salvaging: salvaging)
                _ = try TapeCopy.run(from: source, to: path, replacing: true)
                let before = try ReadTape(flipped, salvaging: salvaging)
                let after = try ReadTape(TapeReader(path: path))
                #expect(after.frames == before.frames, "byte \(offset)")
                #expect(after.damages.allSatisfy { $0.kind == .lost }, "byte \(offset)")
                let lost = before.damages.flatMap { $0.frames.map(Array.init) ?? [] }
                #expect(after.damages.flatMap { $0.frames.map(Array.init) ?? [] } == lost)
                // What is salvaged may say anything.
                if !salvaging { #expect(try Self.verify(path).errors == 0, "byte \(offset)") }
                // Repairing again changes nothing more.
                let again = folder.file("c.tape")
                _ = try TapeCopy.run(from: TapeReader(path: path), to: again, replacing: true)
                #expect(
                    try readFile(again) == readFile(path),
                    "byte \(offset) \(salvaging) \(before.damages) \(after.damages)")
            }
        }
    }

    @Test func theJSONLFormOfADamagedTapeMakesTheSameCopy() throws {
        let folder = try TemporaryFolder()
        var bytes = try DamagedTapeTests.small()
        bytes[bytes.count / 2] ^= 0xFF
        bytes.removeLast(200)
        let damaged = try ReadTape(bytes)
        #expect(damaged.damages.count == 2)
        _ = try TapeCopy.run(from: TapeReader(bytes: bytes), to: folder.file("a.tape"))
        _ = try TapeCopy.run(
            from: TapeReader(bytes: JSONLTests.lines(damaged.items)), to: folder.file("b.tape"))
        #expect(try readFile(folder.file("a.tape")) == readFile(folder.file("b.tape")))
    }

    @Test func aTapeWithoutSessionCanBeImported() throws {
        let folder = try TemporaryFolder()
        let line = Array(#"{"kind":"note","t":3,"text":"alone"}"#.utf8)
        _ = try TapeCopy.run(from: TapeReader(bytes: line), to: folder.file("a.tape"))
        let tape = try ReadTape(TapeReader(path: folder.file("a.tape")))
        #expect(tape.frames == [Frame(.note("alone"), time: 3)])
        #expect(tape.damages == [])
        #expect(
            try Self.verify(folder.file("a.tape")).findings.map(\.message)
                == ["there is no session frame"])
    }

    @Test(arguments: [[], [0x0A], Array(" \r\n\n".utf8)] as [[UInt8]])
    func nothingMakesNoTape(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: TapeError.self) {
            try TapeCopy.run(from: TapeReader(bytes: bytes), to: folder.file("b.tape"))
        }
        #expect(error?.message == "there is no frame in it")
        #expect(folder.names() == [])
        #expect(try TapeVerification(TapeReader(bytes: bytes)).errors == 1)
    }

    @Test func aFailedCopyLeavesNothing() throws {
        let folder = try TemporaryFolder()
        let lines = Array((#"{"kind":"note","t":3,"text":"a"}"# + "\n{").utf8)
        #expect(throws: TapeError.self) {
            try TapeCopy.run(from: TapeReader(bytes: lines), to: folder.file("a.tape"))
        }
        #expect(folder.names() == [])
        try writeFile(folder.file("a.tape"), [1])
        #expect(throws: TapeError.self) {
            try TapeCopy.run(
                from: TapeReader(bytes: Array(lines.dropLast(2))), to: folder.file("a.tape"))
        }
        #expect(try readFile(folder.file("a.tape")) == [1])
        #expect(folder.names() == ["a.tape"])
    }

    @Test func verifyTellsOfFramesThatAreNotOfTheirKind() throws {
        let call = Frame(exchange: 0, time: 0, kind: .call, payload: Array("{}".utf8))
        let frames = [Frame(.session(Samples.session), time: 0), call]
        let verification = try TapeVerification(TapeReader(bytes: Samples.tape(frames)))
        #expect(verification.findings.map(\.severity) == [.error])
        #expect(verification.findings.first?.message.contains("frame 1") == true)
    }
}

@Suite struct TapeIndexTests {
    @Test(arguments: [60, TapeFormat.memberSize]) func theIndexIsReadFromTheEnd(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        try writeFile(path, Samples.tape(memberSize: size))
        let index = try #require(try TapeIndex.read(path: path))
        #expect(index.frames == UInt64(Samples.frames.count))
        #expect(index.end == Samples.frames.map(\.time).max())
        #expect(index.members.first == TapeIndex.Member(offset: 0, firstFrame: 0, start: 0))
        #expect(index.exchanges.map(\.number) == [1, 2, 3])
        let bytes = try readFile(path)
        for member in index.members {
            let header = try #require(MemberHeader(bytes[Int(member.offset)...]))
            #expect(header.firstFrame == member.firstFrame)
            #expect(header.start == member.start)
        }
    }

    @Test func aLongIndexIsFoundToo() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let frames = (0..<20_000).map {
            Frame(
                .responseBody([]), exchange: .max - UInt64($0 &* 7919), time: 0, number: UInt64($0))
        }
        try writeFile(path, Samples.tape(frames, memberSize: 16))
        #expect(try TapeIndex.read(path: path)?.exchanges.count == 20_000)
    }

    @Test func withoutAnEndThereIsNone() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let bytes = try Samples.tape()
        for count in [0, 10, 67, bytes.count - 1, bytes.count - 68] {
            try writeFile(path, Array(bytes.prefix(count)))
            #expect(try TapeIndex.read(path: path) == nil)
        }
    }
}
