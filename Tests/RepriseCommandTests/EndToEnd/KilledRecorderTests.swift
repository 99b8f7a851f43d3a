import TestSupport
import Testing

@Suite("A recorder that is killed", .timeLimit(.minutes(10)))
struct KilledRecorderTests {
    /// A moment to die at: after a time, or after an amount of output.
    struct Moment: Sendable {
        var number: Int
        var kill: Command.Kill
    }

    /// Moments drawn from a fixed seed: half by time, half in the middle of the answer.
    static let moments: [Moment] = {
        var state: UInt64 = 0x5eed
        func draw(_ range: Range<Int>) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(state >> 33) % range.count
        }
        return (0..<100).map { number in
            number.isMultiple(of: 2)
                ? Moment(number: number, kill: .after(Int64(draw(5_000..<350_000)) * 1000))
                : Moment(number: number, kill: .output(draw(1..<500)))
        }
    }()

    @Test("Whatever the moment, the tape opens and holds all that the app was given")
    func randomMoments() async throws {
        let session = try await AgoSession()
        let died = try await withThrowingTaskGroup(of: Bool.self) { group in
            var died = 0
            for (index, moment) in Self.moments.enumerated() {
                // Two at a time, as many as there are processors anywhere.
                if index >= 2, try await group.next() == true { died += 1 }
                group.addTask { try await self.dies(at: moment, in: session) }
            }
            for try await one in group where one { died += 1 }
            return died
        }
        // Half of the moments are in the middle of an answer.
        #expect(died >= 50)
    }

    /// Whether the recorder died in an exchange; everything else is expected here.
    private func dies(at moment: Moment, in session: AgoSession) async throws -> Bool {
        let name = "killed-\(moment.number)"
        let coding = moment.number % 4 < 2 ? "identity" : "gzip"
        var send = try session.ago(
            "send", "Speak peer:chunks=100,gap=2,cuts=hard", "peer:coding=\(coding)", tape: name)
        send.kill = moment.kill
        let result = try await send.run()

        let cat = try await session.reprise(["cat", "\(name).tape"]).run()
        if result.output.isEmpty && cat.output.isEmpty { return false }
        let frames = try TapeLine.read(cat.output)
        let printed = result.text.trimmingSpace
        let taped = try await text(of: frames)
        // A complete answer is followed by its sources and so on.
        #expect(taped.hasPrefix(printed) || printed.hasPrefix(taped), "\(name)")

        let died = frames.contains { $0.kind == "request" } && !frames.contains { $0.kind == "end" }
        // One line begins the operation, another one ends it.
        let calls = frames.filter { $0.kind == "call" }
        let isOperationOpen = calls.count % 2 == 1
        let check = try await session.reprise(["check", "\(name).tape"]).run()
        #expect(
            check.text.contains("tape.R1") == (died || isOperationOpen), "\(name): \(check.text)")
        if died {
            #expect(check.status == 1)
            let show = try await session.reprise(["show", "\(name).tape"]).run()
            #expect(show.text.contains("recorder died"), "\(show.text)")
        }
        return died
    }

    /// What the assistant had said by the end of the tape.
    private func text(of frames: [TapeLine]) async throws -> String {
        let coded = frames.bytes("responseBody")
        let isCoded = frames.contains {
            $0.headers?.contains(["Content-Encoding", "gzip"]) == true
        }
        var said = Said()
        said.take(isCoded ? try await inflated(coded) : coded)
        return said.content.trimmingSpace
    }

    /// Decoded by another implementation, as far as it goes.
    private func inflated(_ bytes: [UInt8]) async throws -> [UInt8] {
        var inflate = Command(
            try Workspace.python,
            [
                "-c",
                "import sys, zlib; sys.stdout.buffer.write("
                    + "zlib.decompressobj(31).decompress(sys.stdin.buffer.read()))",
            ])
        inflate.input = bytes
        return try await inflate.run().output
    }
}
