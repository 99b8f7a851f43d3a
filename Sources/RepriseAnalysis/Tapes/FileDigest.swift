internal import RepriseSupport
internal import RepriseTape

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
        try ByteSource.forEachPiece(ofFileAt: path) { piece in
            hash.update(piece)
            size += UInt64(piece.count)
        }
        sha256 = hash.hexadecimal
        self.size = size
    }
}
