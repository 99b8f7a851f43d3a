import TestSupport
import Testing

/// What clients make of faults, over the recordings that ship.
@Suite("Clients under faults", .timeLimit(.minutes(10)))
struct FaultEndToEndTests {
    static let faults = [
        "cut", "cut@event:2", "cut@event:1,end=fin", "cut@byte:33", "cut@time:1ms", "stall@event:1",
        "stall@byte:40,for=3s", "stall@time:0s", "duplicate@event:2", "duplicate@byte:0",
        "reorder@event:1", "reorder", "corrupt@event:1", "corrupt@byte:9", "slow@event:1,delay=1s",
        "slow@factor=1000", "status=503", "status=429@body={\"error\":1}", "status=204",
    ]

    static let tapes = ShippedRecordingsTests.names.filter {
        $0.contains("send") || $0.contains("tools") || $0.contains("retry")
            || $0.contains("comet")
    }

    /// Each operation has an outcome: as recorded, or an error with a code, never a hang.
    @Test("No client hangs, and each tells what went wrong", arguments: tapes)
    func outcomes(tape: String) async throws {
        for fault in Self.faults {
            let result = try await Command.reprise(
                "replay", "\(Workspace.root)/Recordings/\(tape).tape", "--check", "--fault", fault
            ).run()
            let comment: Comment = "\(fault): \(result.text)\(result.errorText)"
            #expect(result.status == 0 || result.status == 1, comment)
            #expect(result.errorText.isEmpty, comment)
            let last = result.text.split(separator: "\n").last ?? ""
            #expect(
                last.hasSuffix(result.status == 0 ? ": as recorded" : "differences")
                    || last.hasSuffix(": 1 difference"), comment)
            #expect(!result.text.contains("not deterministic"), comment)
            #expect(!result.text.contains("did not tell how it ended"), comment)
            for line in result.text.split(separator: "\n") where line.contains("now it failed") {
                #expect(line.contains(/now it failed: [a-z]+(\.[A-Za-z0-9]+)+$/), comment)
            }
        }
    }

    @Test(
        "A fault that never strikes is told and fails",
        arguments: ["cut@event:200", "cut@path:/nope", "status=503@exchange:9"])
    func neverStruck(fault: String) async throws {
        let tape = "\(Workspace.root)/Recordings/chatbase-user-send.tape"
        let result = try await Command.reprise(
            "replay", tape, "--check", "--fault", fault, "--fault", "duplicate@event:1"
        ).run()
        let lines = result.text.split(separator: "\n")
        #expect(lines.filter { $0.contains("struck") } == ["the fault \(fault) never struck"])
        #expect(lines.last?.hasSuffix(": as recorded") == false)
        #expect(result.status == 1)
    }

    @Test("A fault is told with what the client makes of it; a wrong one is wrong usage")
    func command() async throws {
        let tape = "\(Workspace.root)/Recordings/ago-jwt-send.tape"
        let cut = try await Command.reprise(
            "replay", tape, "--check", "--fault", "cut@event:1", "--cuts", "bytes"
        ).run()
        #expect(
            cut.text
                == "cuts bytes: call 1: recorded a result of streamMessage, now it failed: "
                + "ago.streamCut\ncuts bytes: 1 operation, 1 exchange: 1 difference\n")
        #expect(cut.status == 1)
        let wrong = try await Command.reprise("replay", tape, "--check", "--fault", "cut@x").run()
        #expect(wrong.status == 2)
        #expect(
            wrong.errorText
                == "reprise: replay: --fault: 'cut@x' is no fault: 'x' is neither a place, such as "
                + "event:3, nor a target or a setting\nTry 'reprise replay --help'.\n")
        let idle = try await Command.reprise("replay", tape, "--fault", "cut").run()
        #expect(idle.status == 2)
        #expect(idle.errorText.hasPrefix("reprise: replay: --fault goes with --check\n"))
    }
}
