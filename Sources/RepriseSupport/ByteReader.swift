/// A cursor over bytes whose every read is bounded by what is left.
package struct ByteReader: Sendable {
    /// A read that the bytes cannot satisfy.
    package enum Failure: Error, Equatable {
        /// The bytes end before the value does.
        case truncated(at: Int)
        /// A varint of more than 64 bits.
        case overlong(at: Int)
    }

    package let bytes: ArraySlice<UInt8>
    package private(set) var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// How many bytes are left.
    package var remaining: Int { bytes.endIndex - position }

    package mutating func byte() throws(Failure) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated(at: position) }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next `count` bytes; `count` comes from the data and may be anything.
    package mutating func slice(_ count: UInt64) throws(Failure) -> ArraySlice<UInt8> {
        guard count <= UInt64(remaining) else { throw .truncated(at: position) }
        let end = position + Int(count)
        defer { position = end }
        return bytes[position..<end]
    }

    package mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    package mutating func varint() throws(Failure) -> UInt64 {
        let start = position
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            let bits = UInt64(byte & 0x7f)
            guard shift < 63 || (shift == 63 && bits <= 1) else { throw .overlong(at: start) }
            value |= bits << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
    }

    /// A little-endian integer of fixed width.
    package mutating func littleEndian<T: FixedWidthInteger & UnsignedInteger>(
        _ type: T.Type = T.self
    ) throws(Failure) -> T {
        var value: T = 0
        for (index, byte) in try slice(UInt64(T.bitWidth / 8)).enumerated() {
            value |= T(truncatingIfNeeded: byte) << T(index * 8)
        }
        return value
    }
}

extension [UInt8] {
    /// Appends a little-endian integer of fixed width.
    package mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<(rest.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
