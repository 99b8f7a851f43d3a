internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A program that was started, with the ends of its pipes.
struct SpawnedPipes {
    let pid: pid_t
    /// Where its standard input is written.
    let input: Int32
    /// Where its standard output is read.
    let output: Int32

    #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
    #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
    #endif

    /// Held while pipes are made and a program starts, so that none inherits another's.
    private static let gate = Locked(())

    init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        self = try SpawnedPipes.gate.withLock { _ in
            try SpawnedPipes(path, arguments, alone: environment)
        }
    }

    private init(_ path: String, _ arguments: [String], alone environment: [String: String]) throws
    {
        let input = try SpawnedPipes.pipe()
        let output: (read: Int32, write: Int32)
        do {
            output = try SpawnedPipes.pipe()
        } catch {
            SpawnedPipes.close([input.read, input.write])
            throw error
        }
        defer { SpawnedPipes.close([input.read, output.write]) }
        do {
            pid = try SpawnedPipes.spawn(
                path, arguments, environment, stdin: input.read, stdout: output.write)
        } catch {
            SpawnedPipes.close([input.write, output.read])
            throw error
        }
        self.input = input.write
        self.output = output.read
    }

    private static func close(_ ends: [Int32]) {
        for end in ends {
            #if canImport(Darwin)
            _ = Darwin.close(end)
            #else
            _ = Glibc.close(end)
            #endif
        }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let code = unsafe Darwin.pipe(&ends)
        #else
        let code = unsafe Glibc.pipe(&ends)
        #endif
        guard code == 0 else { throw failure("no pipe can be made", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String], stdin: Int32,
        stdout: Int32
    ) throws -> pid_t {
        var actions = unsafe Actions.none()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, stdin, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, stdout, 1)
        var attributes = Attributes.none()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { unsafe sigaddset(&defaults, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
        let pairs = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let envp = unsafe pairs.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, path, &actions, &attributes, argv, envp)
        guard code == 0 else { throw failure("the command cannot be started", code) }
        return pid
    }

    private static func failure(_ what: String, _ number: Int32) -> CommandFailure {
        let reason = unsafe String(cString: strerror(number))
        return CommandFailure("\(what): \(reason)")
    }
}

#if canImport(Darwin)
extension Optional {
    /// What the system makes an object of.
    fileprivate static func none() -> Self { nil }
}
#else
extension posix_spawn_file_actions_t {
    /// What the system makes an object of.
    fileprivate static func none() -> Self { unsafe Self() }
}

extension posix_spawnattr_t {
    /// What the system makes an object of.
    fileprivate static func none() -> Self { Self() }
}
#endif
