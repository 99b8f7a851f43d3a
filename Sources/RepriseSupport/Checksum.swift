import CZlib

/// CRC-32 as of gzip (RFC 1952 section 8), running.
package struct Checksum: Sendable, Equatable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package init(of bytes: some Collection<UInt8>) { update(bytes) }

    package mutating func update(_ bytes: some Collection<UInt8>) {
        let before = value
        let result = bytes.withContiguousStorageIfAvailable { buffer -> UInt32 in
            unsafe UInt32(crc32_z(uLong(before), buffer.baseAddress, buffer.count))
        }
        if let result {
            // crc32 of a nil pointer is the initial value, whatever it was before.
            if !bytes.isEmpty { value = result }
        } else {
            update(Array(bytes))
        }
    }
}
