import RepriseSupport
import RepriseTape
import TestSupport
import Testing

/// Any tool can open a tape.
@Suite struct GzipToolTests {
    static func run(_ path: String, _ arguments: String..., input: [UInt8] = []) async throws
        -> Command.Result
    {
        var command = Command(path, arguments)
        command.input = input
        return try await command.run()
    }

    @Test(arguments: [40, 400, TapeFormat.memberSize], [1, 7, 1000])
    func gzipAndZcatAcceptSealedTapes(memberSize: Int, group: Int) async throws {
        let bytes = try Samples.tape(memberSize: memberSize, commit: { $0 % group == 0 })
        let test = try await Self.run("/usr/bin/env", "gzip", "-t", input: bytes)
        #expect(test.status == 0)
        #expect(test.errorText == "")
        let content = try await Self.run("/usr/bin/env", "zcat", input: bytes)
        #expect(content.status == 0)
        try Self.expectFrames(content.output, Samples.frames)
    }

    @Test func aTapeOfNothingIsAccepted() async throws {
        let bytes = try Samples.tape([])
        #expect(try await Self.run("/usr/bin/env", "gzip", "-t", input: bytes).status == 0)
        let tape = try ReadTape(bytes)
        #expect(tape.items == [])
        #expect(tape.summary.isSealed)
    }

    /// What zcat gives is the frames one behind the other, and then the index.
    private static func expectFrames(_ bytes: [UInt8], _ frames: [Frame]) throws {
        var reader = ByteReader(bytes)
        for frame in frames {
            var body = ByteReader(try reader.slice(try reader.varint()))
            #expect(try body.byte() == frame.kind.rawValue)
            #expect(try body.varint() == frame.exchange)
            _ = try body.varint()
            #expect(Array(body.rest()) == frame.payload)
        }
        var index = ByteReader(try reader.slice(try reader.varint()))
        #expect(try index.byte() == Frame.Kind.index.rawValue)
        #expect(reader.remaining == 0)
    }
}
