internal import RepriseSupport

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A file that is written from its beginning to its end.
final class OutputFile {
    /// What was asked for: also the path of the finished file.
    let path: String
    /// Where the bytes go until the file is finished, if that is elsewhere.
    private let workingPath: String?
    private let mode: Mode
    private var descriptor: Int32?
    private var isBorrowed = false

    /// When and how a file gets its name.
    enum Mode {
        /// At once.
        case inPlace
        /// When it is finished, in the place of a file that may be there.
        case replacing
        /// When it is finished, where there must be none.
        case appearing
    }

    /// Creates a file that nobody else may read (mode 0600).
    ///
    /// - Parameter mode: With other modes than `inPlace` it is called `PATH.new` until
    ///   ``finish()``.
    init(creating path: String, mode: Mode) throws(TapeError) {
        self.path = path
        self.mode = mode
        workingPath = mode == .inPlace ? nil : path + ".new"
        let target = workingPath ?? path
        if mode == .appearing, unsafe access(path, F_OK) == 0 {
            throw OutputFile.creationFailure(path, EEXIST, isWorkingCopy: false)
        }
        descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor != -1 else {
            let code = errno
            descriptor = nil
            throw OutputFile.creationFailure(target, code, isWorkingCopy: workingPath != nil)
        }
    }

    /// Writes to an open descriptor, which stays open.
    init(borrowing descriptor: Int32, name: String) {
        path = name
        mode = .inPlace
        workingPath = nil
        self.descriptor = descriptor
        isBorrowed = true
    }

    deinit { try? release() }

    /// Hands all bytes to the kernel.
    func write(_ bytes: [UInt8]) throws(TapeError) {
        guard let descriptor else { throw TapeError(.closed, "\(path) is closed") }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
            }
            if count > 0 {
                written += count
            } else if count == 0 || !OutputFile.isTransient(errno, descriptor) {
                let code = count == 0 ? ENOSPC : errno
                throw TapeError(
                    code == EPIPE ? .readerGone : .writeFailed,
                    "\(path) could not be written: \(SystemText.message(code))")
            }
        }
    }

    /// Closes the file and gives it its name.
    func finish() throws(TapeError) {
        if workingPath != nil, let descriptor, fsync(descriptor) != 0, errno != EINVAL {
            throw failure("could not be written")
        }
        try release()
        guard let workingPath else { return }
        // Only a link fails where a file of that name came in the meantime; some file systems
        // have none.
        if mode == .appearing, unsafe link(workingPath, path) == 0 {
            unsafe unlink(workingPath)
            return
        }
        if mode == .appearing, errno == EEXIST {
            throw OutputFile.creationFailure(path, EEXIST, isWorkingCopy: false)
        }
        guard unsafe rename(workingPath, path) == 0 else {
            throw failure("could not get its name, it stays in \(workingPath)")
        }
    }

    /// Closes the descriptor, and removes a file that has not got its name yet.
    func discard() {
        try? release()
        if let workingPath { unsafe unlink(workingPath) }
    }

    /// Closes the descriptor and leaves the file as it is.
    func release() throws(TapeError) {
        guard let descriptor else { return }
        self.descriptor = nil
        guard isBorrowed || close(descriptor) == 0 || errno == EINTR else {
            throw failure("could not be closed")
        }
    }

    private func failure(_ what: String) -> TapeError {
        TapeError(.writeFailed, "\(path) \(what): \(SystemText.message(errno))")
    }

    /// Whether a write may be tried again, after waiting where the descriptor does not block.
    private static func isTransient(_ code: Int32, _ descriptor: Int32) -> Bool {
        if code == EAGAIN {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return unsafe poll(&entry, 1, -1) >= 0 || errno == EINTR
        }
        return code == EINTR
    }

    private static func creationFailure(
        _ path: String, _ code: Int32, isWorkingCopy: Bool
    ) -> TapeError {
        switch code {
        case EEXIST where isWorkingCopy:
            TapeError(
                .file, "\(path) exists: an earlier recording was not finished; repair or remove it")
        case EEXIST:
            TapeError(
                .file,
                "\(path) exists already: choose another name, or replace it where that is offered (--replace)"
            )
        case ENOENT:
            TapeError(
                .file, "\(path) cannot be created: its folder does not exist, create it first")
        default:
            TapeError(.file, "\(path) cannot be created: \(SystemText.message(code))")
        }
    }
}

/// `write(2)`, under a name that the method's does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
