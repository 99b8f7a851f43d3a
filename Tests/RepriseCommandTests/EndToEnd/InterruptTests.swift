import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a signal does to a recording, or to a replay that is served.
@Suite("Signals", .timeLimit(.minutes(5)))
struct InterruptTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var signal: Int32
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "SIGINT", signal: SIGINT), Case(name: "SIGTERM", signal: SIGTERM),
        Case(name: "SIGHUP", signal: SIGHUP),
    ]

    @Test(
        "In the middle of an answer it ends the session, and the tape is sealed", arguments: cases)
    func seals(_ signal: Case) async throws {
        let session = try await AgoSession()
        var send = try session.ago("send", Self.long, tape: "stopped")
        send.kill = .output(100)
        send.killSignal = signal.signal
        let result = try await send.run()

        #expect(result.ending == .exited(1))
        #expect(
            result.errorText
                == "reprise: ago send: the operation was cancelled\nRecorded in stopped.tape\n")
        let verify = try await session.reprise(["verify", "stopped.tape"]).run()
        #expect(verify.status == 0, "\(verify.text)")
        let ends = try await session.frames("stopped.tape").filter { $0.kind == "end" }
        #expect(ends.count == 1)
    }

    @Test(
        "Of a terminal that closes, both the kernel and the shell send SIGHUP: the second is none")
    func twice() async throws {
        let session = try await AgoSession()
        // Both as soon as some of the answer is there; then everything else that comes.
        let script = """
            "$@" > answer 2> errors & PID=$!
            until [ -s answer ]; do sleep 0.01; done
            kill -HUP $PID; kill -HUP $PID; kill -HUP $PID
            wait $PID
            """
        let send = try session.ago("send", Self.long, tape: "closed")
        let result = try await Self.shell(script, send).run()
        #expect(result.ending == .exited(1))
        let verify = try await session.reprise(["verify", "closed.tape"]).run()
        #expect(verify.status == 0, "\(verify.text)")
    }

    @Test("A SIGHUP that is ignored, as by nohup, stays so")
    func ignored() async throws {
        let session = try await AgoSession()
        let send = try session.ago("send", "Speak peer:chunks=40,gap=10", tape: "kept")
        var command = Self.shell("trap '' HUP; exec \"$@\"", send)
        command.kill = .output(20)
        command.killSignal = SIGHUP
        let result = try await command.run()
        #expect(result.ending == .exited(0))
        #expect(result.errorText == "Recorded in kept.tape\n")
    }

    @Test("It ends a server with its summary", arguments: cases)
    func serves(_ signal: Case) async throws {
        var serve = try Command.reprise(
            "serve", "--listen", "0", "\(Workspace.root)/Recordings/ago-401.tape")
        serve.kill = .output(10)
        serve.killSignal = signal.signal
        let result = try await serve.run()
        #expect(result.ending == .exited(1))
        #expect(result.text.hasSuffix("\n0 of 1 exchange served\n"), "\(result.text)")
    }

    /// Far longer than any of the tests would wait for.
    private static let long = "Speak peer:chunks=3000,gap=50"

    private static func shell(_ script: String, _ command: Command) -> Command {
        var shell = Command("/bin/sh", ["-c", script, "sh", command.path] + command.arguments)
        shell.environment = command.environment
        shell.folder = command.folder
        return shell
    }
}
