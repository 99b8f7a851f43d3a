#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What `posix_spawn` is told.
struct SpawnPlan {
    let path: String
    let arguments: [String]
    let environment: [String: String]
    let options: SpawnedProcess.Options
    /// What becomes its descriptors 0, 1 and so on.
    let streams: [Int32]

    #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
    #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
    #endif

    /// The number of the process.
    func start() throws(SpawnError) -> pid_t {
        var actions = unsafe Actions.none()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        var attributes = Attributes.none()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        set(&attributes)
        let pairs = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let envp = unsafe pairs.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, path, &actions, &attributes, argv, envp)
        guard code == 0 else { throw SpawnError("\(path) cannot be started", code) }
        return pid
    }

    private func set(_ attributes: inout Attributes) {
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        for signal in options.resetSignals { unsafe sigaddset(&defaults, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF)
        if options.leadsGroup {
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            flags |= Int16(POSIX_SPAWN_SETPGROUP)
        }
        unsafe posix_spawnattr_setflags(&attributes, flags)
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
