import RepriseProcess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One run of a program, as a shell would make it.
package struct Command: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// When to send the program its ``killSignal``.
    package enum Kill: Sendable {
        /// That many nanoseconds after its start.
        case after(Int64)
        /// When it has written that many bytes to its standard output.
        case output(Int)
    }

    /// What a run gave.
    package struct Result: Sendable {
        package var ending: Ending
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
        /// When each read of standard output came (monotonic nanoseconds) and how far it reached.
        package var reads: [(time: Int64, end: Int)] = []

        /// The exit status; -1 where a signal ended the program.
        package var status: Int32 {
            if case .exited(let status) = ending { status } else { -1 }
        }
        package var text: String { String(decoding: output, as: UTF8.self) }
        package var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    package var path: String
    package var arguments: [String]
    /// Variables beside PATH, HOME and TMPDIR of the tests; nothing else is inherited.
    package var environment: [String: String] = [:]
    package var folder: String?
    package var input: [UInt8] = []
    package var kill: Kill?
    package var killSignal = SIGKILL
    /// Seconds; then the program is ended and the run throws.
    package var timeout: Double = 240

    package init(_ path: String, _ arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// The command `reprise`.
    package static func reprise(_ arguments: String...) throws -> Command {
        Command(try Workspace.command, arguments)
    }

    /// Runs the program to its end.
    package func run() async throws -> Result {
        let command = self
        return try await blocking { try command.runBlocking() }
    }

    static func inherited(_ more: [String: String]) -> [String: String] {
        let all = ProcessInfo.processInfo.environment
        let kept = all.filter { ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"].contains($0.key) }
        return kept.merging(more) { $1 }
    }

    private func runBlocking() throws -> Result {
        let line = folder.map { ["-c", "cd \"$0\" && exec \"$@\"", $0, path] + arguments }
        let child = try SpawnedProcess.forTests(
            line == nil ? path : "/bin/sh", line ?? arguments,
            environment: Self.inherited(environment))
        var pump = Pump(
            child: child, input: input, kill: kill, signal: killSignal, timeout: timeout)
        let inTime = pump.run()
        var result = pump.result
        result.ending = child.wait()
        guard inTime else {
            throw TestSupportError(
                "\(path) \(arguments.joined(separator: " ")) took over \(timeout) s\n"
                    + result.errorText)
        }
        return result
    }
}
