#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a system error number means, in the same words on every machine and in every locale.
package enum SystemText {
    package static func message(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case EACCES, EPERM: "permission denied"
        case EEXIST: "a file of that name is in the way"
        case ELOOP: "too many links lead on to another"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of the path is not a folder"
        case ENOSPC: "the disk is full"
        case EDQUOT: "the disk quota is used up"
        case EFBIG: "the file would become too large"
        case EROFS: "the file system is read-only"
        case EIO: "the device reports an error"
        case EPIPE: "nobody reads the other end"
        case EMFILE, ENFILE: "too many files are open"
        case EADDRINUSE: "another program listens there"
        case EADDRNOTAVAIL: "it is no address of this machine"
        case ENAMETOOLONG: "the name is too long"
        default: "system error \(code)"
        }
    }

    /// Why Foundation could not do something with a file, where it says so.
    package static func reason(of error: any Error) -> String {
        let system = error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError
        return system.map { message($0.code.rawValue) } ?? "the system gives no reason"
    }
}
