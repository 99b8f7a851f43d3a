import RepriseTape
import RepriseWire
import TestSupport
import Testing

/// Memory does not grow with the tape; measured in a process that does nothing else.
@Suite struct MemoryTests {
    private let folder: TemporaryFolder
    private let payload = Array("data: {\"content\":\"some words of an answer\"}\n\n".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func tape(_ name: String, frames: Int) throws -> String {
        let path = folder.file(name)
        let session = SessionRecord(
            session: "0011223344556677", wall: "2026-01-02T03:04:05.000000000Z", recorder: "test/1")
        let writer = try TapeWriter(path: path, session: session)
        for exchange in 1...100 {
            let request = RequestRecord(method: "GET", url: "http://a.example/")
            writer.append(.request(request), exchange: UInt64(exchange), time: 0)
        }
        for number in 1...frames {
            writer.append(
                Frame(
                    exchange: UInt64(1 + number % 100), time: Int64(number) * 1000,
                    kind: .responseBody,
                    payload: payload))
            if number % 1000 == 0 { try writer.commit() }
        }
        try writer.close()
        return path
    }

    /// How many bytes of memory `reprise` had at most.
    ///
    /// Asked of a small parent: what Linux says of a child counts from before its `exec`, when it
    /// still was a copy of the parent.
    private func peak(_ arguments: String...) async throws -> Int {
        let script = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let command = Command(
            try Workspace.python, ["-c", script, try Workspace.command] + arguments)
        let result = try await command.run()
        #expect(result.status == 0, "\(result.errorText)")
        return try #require(Int(result.text.split(separator: "\n").last ?? "")) * 1024
    }

    /// 1,000,000 frames of over 50 MB.
    @Test func readingIsFlat() async throws {
        let small = try await peak("verify", try tape("small.tape", frames: 10_000))
        let large = try await peak("verify", try tape("large.tape", frames: 1_000_000))
        #expect(large - small < 8 << 20, "\(small), \(large)")
    }

    /// Writing, of what is read a line at a time: 100,000 frames, 12 MB of lines.
    @Test func writingIsFlat() async throws {
        var peaks: [Int] = []
        for frames in [5_000, 100_000] {
            let lines = try tape("\(frames).tape", frames: frames)
            let cat = try Command.reprise("cat", lines)
            let text = try await cat.run()
            let path = try folder.write("\(frames).lines.jsonl", text.output)
            peaks.append(try await peak("import", path))
        }
        #expect(peaks[1] - peaks[0] < 8 << 20, "\(peaks)")
    }
}
