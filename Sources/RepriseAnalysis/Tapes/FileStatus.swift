#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What a path leads to; links are followed.
struct FileStatus {
    /// What there is.
    enum Kind {
        case file, folder
        /// A pipe, a device: something that can be read only once.
        case stream
    }

    /// Which file it is, whatever its names.
    struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    let kind: Kind
    let identity: Identity

    /// - Throws: ``SystemError`` where there is nothing, or it cannot be seen.
    init(_ path: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemError(code: errno) }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .stream
            }
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Whether the path itself is a link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}

/// A system call that failed.
struct SystemError: Error {
    var code: Int32
}
