internal import RepriseProcess
internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One run of a program in a process group of its own: its standard input and output are pipes, its
/// standard error is this process's.
struct ChildProcess: Sendable {
    /// How much it may print.
    static let outputLimit = 1 << 20

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]

    init(_ path: String, _ arguments: [String], environment: [String: String]) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    /// How a run ended, and what was printed.
    struct Ending: Sendable {
        enum How: Sendable, Equatable {
            case exited(Int32)
            case signalled(Int32)
            case wroteTooMuch
        }

        var how: How
        var output: [UInt8]
    }

    /// Runs the program to its end.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be started, `CancellationError` where the task
    ///   was cancelled, which ends the program and all of its group.
    func run(input: [UInt8]) async throws -> Ending {
        try Task.checkCancellation()
        let group = ProcessGroup()
        let ending = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isStarted = OwnThread.start {
                    continuation.resume(with: Result { try run(input, in: group) })
                }
                if !isStarted {
                    continuation.resume(throwing: CommandFailure("there is no thread left"))
                }
            }
        } onCancel: {
            group.end()
        }
        try Task.checkCancellation()
        return ending
    }

    /// Blocks until the program has ended.
    private func run(_ input: [UInt8], in group: ProcessGroup) throws -> Ending {
        let process: SpawnedProcess
        do {
            process = try SpawnedProcess(
                path, arguments, environment: environment,
                options: SpawnedProcess.Options(leadsGroup: true))
        } catch {
            throw CommandFailure(error.description)
        }
        group.began(process.pid)
        var exchange = PipeExchange(
            input: input, into: process.input, from: process.output, limit: Self.outputLimit)
        exchange.run()
        if exchange.isOverLimit { group.end() }
        var status: Int32 = 0
        group.reap(&status)
        let signal = status & 0x7F
        let how: Ending.How =
            exchange.isOverLimit
            ? .wroteTooMuch
            : signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
        return Ending(how: how, output: exchange.output)
    }
}

/// The group of a program that runs, as long as it has not been waited for.
private final class ProcessGroup: Sendable {
    private struct State {
        var pid: pid_t?
        var isEnded = false
    }

    private let state = Locked(State())

    func began(_ pid: pid_t) {
        state.withLock { state in
            state.pid = pid
            if state.isEnded { kill(-pid, SIGKILL) }
        }
    }

    /// Ends every process of the group, now or as soon as there is one.
    func end() {
        state.withLock { state in
            state.isEnded = true
            if let pid = state.pid { kill(-pid, SIGKILL) }
        }
    }

    /// Waits for the program; from then on its number may be another one's.
    func reap(_ status: inout Int32) {
        guard let pid = state.withLock({ $0.pid }) else { return }
        // Without the lock, so that it can be ended meanwhile: it stays a zombie until then.
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        state.withLock { state in
            state.pid = nil
            while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        }
    }
}
