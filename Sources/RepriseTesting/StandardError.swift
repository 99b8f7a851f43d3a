#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What is told beside the test's issues.
enum StandardError {
    /// Writes a text at once, ended as it is.
    @Sendable static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { bytes in
            #if canImport(Darwin)
            unsafe Darwin.write(2, bytes.baseAddress, bytes.count)
            #else
            unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
            #endif
        }
    }
}
