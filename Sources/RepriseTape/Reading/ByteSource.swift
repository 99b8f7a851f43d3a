internal import RepriseSupport

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The bytes of a file in order; those from ``start`` on are kept until they are dropped.
package final class ByteSource {
    /// The bytes that are kept, first the one at offset ``start``.
    private(set) var buffer: [UInt8]
    /// Offset in the file of the buffer's first byte.
    private(set) var start: UInt64 = 0
    /// What the file is called in errors; nil for bytes from memory.
    let name: String?

    private let descriptor: Int32?
    private let isBorrowed: Bool
    private var isAtEnd: Bool

    static let chunkSize = 64 << 10

    /// Opens a file; `-` is standard input.
    init(path: String) throws(TapeError) {
        isBorrowed = path == "-"
        name = isBorrowed ? "standard input" : path
        buffer = []
        isAtEnd = false
        let opened = isBorrowed ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened != -1 else {
            let code = errno
            descriptor = nil
            throw TapeError(
                .file, "cannot be opened: \(SystemText.message(code))", file: path)
        }
        descriptor = opened
    }

    init(bytes: [UInt8]) {
        buffer = bytes
        name = nil
        descriptor = nil
        isBorrowed = true
        isAtEnd = true
    }

    deinit {
        if let descriptor, !isBorrowed { close(descriptor) }
    }

    /// All bytes of a file, for what has to fit in memory anyway; `-` is standard input.
    package static func bytes(ofFileAt path: String) throws(TapeError) -> [UInt8] {
        let source = try ByteSource(path: path)
        while try source.fill() {}
        return source.buffer
    }

    /// Hands the bytes of a file to `take` in pieces; `-` is standard input.
    package static func forEachPiece(
        ofFileAt path: String, _ take: ([UInt8]) -> Void
    ) throws(TapeError) {
        let source = try ByteSource(path: path)
        while try source.fill() {
            take(source.buffer)
            source.drop(to: source.end)
        }
    }

    /// Offset behind the last byte that was read.
    var end: UInt64 { start + UInt64(buffer.count) }

    /// Reads more bytes into the buffer.
    ///
    /// - Returns: False at the end of the file.
    func fill() throws(TapeError) -> Bool {
        guard let descriptor, !isAtEnd else { return false }
        var count = 0
        var code: Int32 = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { room, filled in
            repeat {
                count = unsafe read(descriptor, room.baseAddress, Self.chunkSize)
                code = count < 0 ? errno : 0
            } while count < 0 && Self.isTransient(code, descriptor)
            filled = max(count, 0)
        }
        guard count >= 0 else {
            throw TapeError(
                .file, "cannot be read: \(SystemText.message(code))", file: name, offset: end)
        }
        isAtEnd = count == 0
        buffer += chunk
        return !isAtEnd
    }

    /// Makes sure that `count` bytes from `offset` on are in the buffer.
    ///
    /// - Returns: How many there are: fewer only at the end of the file.
    func require(_ count: Int, at offset: UInt64) throws(TapeError) -> Int {
        while available(at: offset) < count, try fill() {}
        return min(count, available(at: offset))
    }

    /// How many bytes from `offset` on are in the buffer.
    func available(at offset: UInt64) -> Int { offset < end ? Int(end - offset) : 0 }

    /// The place in the buffer of the byte at `offset`, which is not dropped and not behind the end.
    func index(of offset: UInt64) -> Int { Int(offset - start) }

    /// Up to `count` bytes at `offset` that are in the buffer.
    func bytes(at offset: UInt64, count: Int) -> ArraySlice<UInt8> {
        let first = index(of: min(offset, end))
        return buffer[first..<min(first + count, buffer.count)]
    }

    /// Forgets what is before `offset`, now or later: bytes move only where it pays.
    func drop(to offset: UInt64) {
        let count = index(of: min(offset, end))
        guard descriptor != nil, count >= Self.chunkSize || count == buffer.count else { return }
        buffer.removeSubrange(..<count)
        start += UInt64(count)
    }

    private static func isTransient(_ code: Int32, _ descriptor: Int32) -> Bool {
        if code == EAGAIN {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, -1) >= 0 || errno == EINTR
        }
        return code == EINTR
    }
}
