import RepriseProcess

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension SpawnedProcess {
    /// A program that tests start: its three standard streams are pipes.
    static func forTests(
        _ path: String, _ arguments: [String], environment: [String: String]
    ) throws -> SpawnedProcess {
        // A child that does not read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        return try SpawnedProcess(
            path, arguments, environment: environment,
            options: Options(
                pipesErrors: true, resetSignals: [SIGPIPE, SIGINT, SIGTERM, SIGHUP]))
    }

    /// Waits for the end of the child and says how it was.
    func wait() -> Command.Ending {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }
}
