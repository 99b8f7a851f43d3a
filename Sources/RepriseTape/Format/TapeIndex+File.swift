internal import RepriseSupport

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension TapeIndex {
    /// How much of a tape's end is read at once: the index of nearly every tape fits.
    private static let tailSize = 64 << 10

    /// Reads the index of a tape from the end of its file, without reading the members.
    ///
    /// It is a hint: only a ``TapeReader`` checks it against the members.
    ///
    /// - Returns: nil where the tape is unsealed, or its end is damaged.
    /// - Throws: ``TapeError`` with code `file`.
    package static func read(path: String) throws(TapeError) -> TapeIndex? {
        let file = try SeekableFile(path: path)
        let size = file.size
        let tail = try file.read(
            at: size - min(size, UInt64(tailSize)), count: min(Int(size), tailSize))
        guard let locator = MemberHeader(tail.suffix(MemberHeader.locatorSize)),
            locator.isLocator, locator.indexOffset < size
        else { return nil }
        let offset = locator.indexOffset
        let start = size - UInt64(tail.count)
        let bytes =
            offset >= start
            ? Array(tail[Int(offset - start)...])
            : try file.read(at: offset, count: Int(size - offset))
        return try TapeIndex(member: bytes, of: locator.tape)
    }

    /// The index in a member at the beginning of `bytes`.
    private init?(member bytes: [UInt8], of tape: TapeID) throws(TapeError) {
        let source = ByteSource(bytes: bytes)
        guard let header = MemberHeader(bytes[...]), header.flags.contains(.index),
            header.tape == tape
        else { return nil }
        let body = try MemberInflater().read(source, at: UInt64(header.size))
        guard case .whole = body.ending else { return nil }
        self.init(memberBytes: body.bytes)
    }
}

/// A file that is read at any place.
private final class SeekableFile {
    let size: UInt64
    private let path: String
    private let descriptor: Int32

    init(path: String) throws(TapeError) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor != -1 else {
            throw TapeError(
                .file, "cannot be opened: \(SystemText.message(errno))", file: path)
        }
        size = UInt64(max(0, lseek(descriptor, 0, SEEK_END)))
    }

    deinit { close(descriptor) }

    /// The bytes from `offset` on: fewer than `count` only where the file got shorter.
    func read(at offset: UInt64, count: Int) throws(TapeError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var got = 0
            let place = off_t(clamping: offset + UInt64(bytes.count))
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: count - bytes.count) {
                got = unsafe pread(descriptor, $0.baseAddress, $0.count, place)
                $1 = max(got, 0)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                throw TapeError(
                    .file, "cannot be read: \(SystemText.message(errno))", file: path)
            }
            if got == 0 { break }
            bytes += chunk
        }
        return bytes
    }
}
