internal import RepriseSupport

/// The head of a gzip member (RFC 1952 section 2.3) with the extra field that makes it part of a
/// tape: subfield `RP`, all numbers little-endian.
///
/// The ten bytes of the gzip header and the lengths are constants, so a reader that compares them
/// notices damage to any byte of a header.
package struct MemberHeader: Sendable, Hashable {
    /// What a member is.
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It holds the index and no other frame.
        package static let index = Flags(rawValue: 1)
        /// It is empty and holds the offset of the index.
        package static let locator = Flags(rawValue: 2)
        /// What stood before it was lost when the tape was repaired: the frames between the
        /// previous member's last and its first, or, where no number is missing, what nobody knows.
        package static let lossBefore = Flags(rawValue: 4)
        /// Its frames were salvaged from where no checksum vouched for them.
        package static let unverified = Flags(rawValue: 8)
    }

    package var version = TapeFormat.version
    package var flags: Flags = []
    package var tape: TapeID
    /// Its number over the tape, from 0.
    package var number: UInt32
    /// The number of its first frame.
    package var firstFrame: UInt64
    /// Nanoseconds since the session's start from which its first frame's time counts.
    package var start: Int64
    /// Byte offset of the index member; only in the locator.
    package var indexOffset: UInt64 = 0

    package init(
        flags: Flags = [], tape: TapeID, number: UInt32, firstFrame: UInt64, start: Int64
    ) {
        self.flags = flags
        self.tape = tape
        self.number = number
        self.firstFrame = firstFrame
        self.start = start
    }
}

extension MemberHeader {
    /// How many bytes the header of a member with frames or the index has.
    package static let size = 50
    /// How many bytes the whole locator member has.
    package static let locatorSize = locatorHeaderSize + emptyBody.count
    /// An empty deflate stream, its checksum and its length.
    static let emptyBody: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    static let locatorHeaderSize = size + 8

    /// The constant beginning: magic, deflate, only an extra field, no time, unknown system, length
    /// of the extra field, `RP`, length of the subfield.
    static let signature = signature(fieldLength: 34)
    static let locatorSignature = signature(fieldLength: 42)

    private static func signature(fieldLength: UInt8) -> [UInt8] {
        [
            0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, fieldLength + 4, 0, UInt8(ascii: "R"),
            UInt8(ascii: "P"), fieldLength, 0,
        ]
    }

    package var isLocator: Bool { flags.contains(.locator) }

    /// How many bytes this header takes.
    package var size: Int { isLocator ? Self.locatorHeaderSize : Self.size }

    /// The header's bytes.
    package var bytes: [UInt8] {
        var fields: [UInt8] = [version, flags.rawValue]
        fields.appendLittleEndian(tape.value)
        fields.appendLittleEndian(number)
        fields.appendLittleEndian(firstFrame)
        fields.appendLittleEndian(start)
        if isLocator { fields.appendLittleEndian(indexOffset) }
        let checksum = Checksum(of: fields).value
        fields.appendLittleEndian(checksum)
        return (isLocator ? Self.locatorSignature : Self.signature) + fields
    }

    /// Reads a header at the beginning of `bytes`; nil where there is no whole and undamaged one.
    package init?(_ bytes: ArraySlice<UInt8>) {
        let isLocator: Bool
        if bytes.starts(with: Self.signature) {
            isLocator = false
        } else if bytes.starts(with: Self.locatorSignature) {
            isLocator = true
        } else {
            return nil
        }
        let size = isLocator ? Self.locatorHeaderSize : Self.size
        guard bytes.count >= size else { return nil }
        let fields = bytes.dropFirst(Self.signature.count).prefix(size - Self.signature.count)
        guard let header = try? MemberHeader(fields: fields, isLocator: isLocator) else {
            return nil
        }
        self = header
    }

    private init?(fields: ArraySlice<UInt8>, isLocator: Bool) throws(ByteReader.Failure) {
        var reader = ByteReader(fields)
        version = try reader.byte()
        flags = Flags(rawValue: try reader.byte())
        tape = TapeID(value: try reader.littleEndian())
        number = try reader.littleEndian()
        firstFrame = try reader.littleEndian()
        start = Int64(bitPattern: try reader.littleEndian())
        if isLocator { indexOffset = try reader.littleEndian() }
        let checksum = try reader.littleEndian(UInt32.self)
        guard checksum == Checksum(of: fields.dropLast(4)).value,
            flags.contains(.locator) == isLocator, firstFrame <= TapeFormat.maximumFrameNumber
        else { return nil }
    }
}
