import RepriseSupport

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

/// A child process with pipes for its standard streams. The ends of the parent close on exec, so
/// that no other child keeps them open.
struct Spawned {
    let pid: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32

    /// Held while pipes are made and a child starts, so that no child inherits another's pipes.
    ///
    /// A value without a size would lie at the start of its box, and the thread sanitizer would
    /// take its access for one to the box itself.
    private static let gate = Locked(false)

    init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        self = try Self.gate.withLock { _ in
            try Spawned(path, arguments, alone: environment)
        }
    }

    private init(_ path: String, _ arguments: [String], alone environment: [String: String]) throws
    {
        // A child that does not read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let pipes = try (0..<3).map { _ in try Self.pipe() }
        defer {
            close(pipes[0].read)
            close(pipes[1].write)
            close(pipes[2].write)
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes[0].read, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes[1].write, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes[2].write, 2)
        pid = try unsafe Self.spawn(path, arguments, environment, &actions)
        input = pipes[0].write
        output = pipes[1].read
        errors = pipes[2].read
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let code = unsafe Darwin.pipe(&ends)
        #else
        let code = unsafe Glibc.pipe(&ends)
        #endif
        guard code == 0 else { throw TestSupportError("no pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let pairs = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let envp = unsafe pairs.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, path, &actions, &attributes, argv, envp)
        guard code == 0 else { throw TestSupportError("cannot start \(path)", errno: code) }
        return pid
    }

    /// Waits for the end of the child and says how it was.
    func wait() -> Command.Ending {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }
}
