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

/// A system call that failed.
struct SystemFailure: Error {
    /// What was to be done, as a participle.
    let what: String
    /// The system's words for why not.
    let reason: String

    init(_ what: String, _ number: Int32 = errno) {
        self.what = what
        reason = unsafe String(cString: strerror(number))
    }
}

/// A small text file that only its owner reads.
struct PrivateFile {
    let path: String

    /// The text, up to 1,000 bytes of it; nil where there is no file.
    func read() throws(SystemFailure) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw SystemFailure("read")
        }
        defer { close(descriptor) }
        // Narrowed where it was made or copied otherwise; not being able to is no failure.
        _ = fchmod(descriptor, 0o600)
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe systemRead(descriptor, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { throw SystemFailure("read") }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Makes the file; false where there is one already, which stays as it is.
    func create(_ text: String) throws(SystemFailure) -> Bool {
        let draft = try writeDraft(text)
        defer { _ = unsafe unlink(draft) }
        // A link, unlike a renaming, never replaces what another process has just made.
        if unsafe link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        // Some file systems have no links.
        guard unsafe rename(draft, path) == 0 else { throw SystemFailure("kept") }
        return true
    }

    /// Makes the file or replaces it.
    func replace(_ text: String) throws(SystemFailure) {
        let draft = try writeDraft(text)
        guard unsafe rename(draft, path) == 0 else {
            let failure = SystemFailure("kept")
            _ = unsafe unlink(draft)
            throw failure
        }
    }

    /// The path of a new file with `text` beside the file.
    private func writeDraft(_ text: String) throws(SystemFailure) -> String {
        try makeFolder()
        let draft = "\(path).\(UUID().uuidString).new"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("kept") }
        defer { close(descriptor) }
        let bytes = Array((text + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes {
            unsafe systemWrite(descriptor, $0.baseAddress, $0.count)
        }
        guard count == bytes.count, fsync(descriptor) == 0 else {
            let failure = SystemFailure("kept", count < 0 ? errno : ENOSPC)
            _ = unsafe unlink(draft)
            throw failure
        }
        return draft
    }

    /// Makes the folders above the file that are missing.
    private func makeFolder() throws(SystemFailure) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            if unsafe mkdir(folder, 0o700) == 0 { continue }
            // Other failures show when the file is written: a folder above may be read-only.
            if errno == ENOENT { throw SystemFailure("kept") }
        }
    }
}

private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    var result = -1
    repeat { result = unsafe read(descriptor, buffer, count) } while result < 0 && errno == EINTR
    return result
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    var result = -1
    repeat { result = unsafe write(descriptor, buffer, count) } while result < 0 && errno == EINTR
    return result
}
