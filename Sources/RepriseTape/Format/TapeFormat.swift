/// The numbers of format version 1.
package enum TapeFormat {
    /// The version that this library writes, and the newest that it reads.
    package static let version: UInt8 = 1

    /// A member is finished once it holds this many bytes of frames.
    package static let memberSize = 256 << 10

    /// The largest `length` of a frame: what bounds the memory of a reader.
    package static let maximumFrameLength = 64 << 20

    /// No tape gets this far: what says so is damaged, and counting on never overflows.
    package static let maximumFrameNumber: UInt64 = 1 << 62
}

/// Which tape a member belongs to: the session's id as 8 bytes.
package struct TapeID: Sendable, Hashable {
    /// The bytes, the first one lowest.
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// The id of a session: its 16 hexadecimal digits as bytes; for an id of another shape, which
    /// an imported tape may have, the FNV-1a hash of its text.
    package init(session: String) {
        let digits = session.utf8
        if digits.count == 16, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let number = UInt64(session, radix: 16)
        {
            self.init(value: number.byteSwapped)
        } else {
            self.init(hashing: Array(digits))
        }
    }

    /// An id for a tape without a session: the FNV-1a hash of what it begins with.
    package init(hashing bytes: [UInt8]) {
        let hash: UInt64 = bytes.reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        self.init(value: hash)
    }
}
