#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The descriptors 0, 1 and 2.
enum StandardStreams {
    /// Takes those that the caller closed, so that no tape is opened as one of them and gets what
    /// was meant for a terminal. Reading or writing them fails, as it would have.
    static func occupy() {
        for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor is the one that is missing.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
