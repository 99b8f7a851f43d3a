internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The command `reprise`.
@main
struct RepriseMain {
    static func main() async {
        // A reader that goes away ends writes with EPIPE, not the process.
        signal(SIGPIPE, SIG_IGN)
        StandardStreams.occupy()
        let terminal = Terminal.standard(environment: ProcessEnvironment.variables)
        let status = await CommandLineRunner(terminal: terminal)
            .run(Array(CommandLine.arguments.dropFirst()))
        exit(status.rawValue)
    }
}
