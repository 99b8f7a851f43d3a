#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What a system error number means, in the same words on every machine and in every locale.
package enum SystemText {
    package static func message(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case EACCES, EPERM: "permission denied"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of the path is not a folder"
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is used up"
        case EFBIG: "the file would become too large"
        case EROFS: "the file system is read-only"
        case EIO: "the device reports an error"
        case EPIPE: "nobody reads the other end"
        case EMFILE, ENFILE: "too many files are open"
        case ENAMETOOLONG: "the name is too long"
        default: "system error \(code)"
        }
    }
}
