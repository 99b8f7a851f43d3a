internal import RepriseSupport
internal import RepriseTape

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What a file holds, in short.
struct FileDigest {
    /// SHA-256 in hexadecimal.
    let sha256: String
    let size: UInt64

    init(of bytes: [UInt8]) {
        sha256 = SHA256(of: bytes).hexadecimal
        size = UInt64(bytes.count)
    }

    init(path: String) throws(TapeError) {
        var hash = SHA256()
        var size: UInt64 = 0
        try FileDigest.read(path) { piece in
            hash.update(piece)
            size += UInt64(piece.count)
        }
        sha256 = hash.hexadecimal
        self.size = size
    }

    /// All of a file that can be read only once; `-` is standard input.
    static func contents(of path: String) throws(TapeError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(path) { bytes += $0 }
        return bytes
    }

    private static func read(
        _ path: String, _ take: ([UInt8]) -> Void
    ) throws(TapeError) {
        let isInput = path == "-"
        let descriptor = isInput ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if !isInput { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe systemRead(descriptor, bytes)
            }
            if count == 0 { return }
            if count > 0 {
                take(Array(buffer[..<count]))
            } else if errno != EINTR {
                throw failure(path)
            }
        }
    }

    private static func systemRead(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        #if canImport(Darwin)
        unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #else
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func failure(_ path: String) -> TapeError {
        TapeError(.file, "it cannot be read: \(SystemText.message(errno))", file: path)
    }
}
