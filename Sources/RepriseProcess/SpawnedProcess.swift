internal import RepriseSupport

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A program that was started, with this process's ends of its pipes, which whoever has it closes.
/// They close on exec, so that no other program keeps them open.
package struct SpawnedProcess: Sendable {
    /// How it differs from one that shares standard error and process group with this process.
    package struct Options: Sendable {
        /// Whether its standard error is a pipe, too.
        package var pipesErrors: Bool
        /// Whether it leads a process group of its own.
        package var leadsGroup: Bool
        /// The signals that have their usual effect even where this process ignores them.
        package var resetSignals: [Int32]

        package init(
            pipesErrors: Bool = false, leadsGroup: Bool = false,
            resetSignals: [Int32] = [SIGPIPE, SIGINT, SIGTERM]
        ) {
            self.pipesErrors = pipesErrors
            self.leadsGroup = leadsGroup
            self.resetSignals = resetSignals
        }
    }

    package let pid: Int32
    /// Where its standard input is written.
    package let input: Int32
    /// Where its standard output is read.
    package let output: Int32
    /// Where its standard error is read, if that is a pipe.
    package let errors: Int32?

    /// Held while pipes are made and a program starts, so that none inherits another's.
    ///
    /// A value without a size would lie at the start of its box, and the thread sanitizer would
    /// take its access for one to the box itself.
    private static let gate = Locked(false)

    /// Starts the program at `path` with that environment and no other variable.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String],
        options: Options = Options()
    ) throws(SpawnError) {
        self = try Self.gate.withLock { _ throws(SpawnError) in
            var pipes: [Pipe] = []
            do throws(SpawnError) {
                for _ in 0..<(options.pipesErrors ? 3 : 2) { pipes.append(try Pipe()) }
                let child = SpawnPlan(
                    path: path, arguments: arguments, environment: environment, options: options,
                    streams: [pipes[0].read] + pipes.dropFirst().map(\.write))
                return try SpawnedProcess(child.start(), pipes)
            } catch {
                for pipe in pipes { pipe.close() }
                throw error
            }
        }
    }

    private init(_ pid: Int32, _ pipes: [Pipe]) {
        self.pid = pid
        input = pipes[0].write
        output = pipes[1].read
        errors = pipes.count > 2 ? pipes[2].read : nil
        close(pipes[0].read)
        for pipe in pipes.dropFirst() { close(pipe.write) }
    }
}

/// Why a program was not started.
package struct SpawnError: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, _ number: Int32) {
        description = "\(what): \(SystemText.message(number))"
    }
}

private struct Pipe {
    let read: Int32
    let write: Int32

    init() throws(SpawnError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SpawnError("no pipe can be made", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }

    func close() {
        for end in [read, write] {
            #if canImport(Darwin)
            _ = Darwin.close(end)
            #else
            _ = Glibc.close(end)
            #endif
        }
    }
}
