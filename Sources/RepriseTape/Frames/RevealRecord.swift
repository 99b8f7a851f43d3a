internal import RepriseSupport

/// Restores bytes that were masked provisionally and turned out to be no secret.
public struct RevealRecord: Sendable, Hashable {
    /// The number of the masked frame.
    public var frame: UInt64
    /// First restored byte in its payload.
    public var offset: Int
    /// The bytes.
    public var bytes: [UInt8]

    /// Creates the record.
    public init(frame: UInt64, offset: Int, bytes: [UInt8]) {
        self.frame = frame
        self.offset = offset
        self.bytes = bytes
    }
}

extension RevealRecord {
    /// `frame varint · offset varint · bytes`
    var payload: [UInt8] {
        var payload: [UInt8] = []
        Varint.append(frame, to: &payload)
        Varint.append(UInt64(clamping: offset), to: &payload)
        return payload + bytes
    }

    init(payload: [UInt8]) throws(TapeError) {
        var reader = ByteReader(payload)
        do {
            frame = try reader.varint()
            guard let offset = Int(exactly: try reader.varint()) else {
                throw ByteReader.Failure.overlong(at: 0)
            }
            self.offset = offset
            bytes = Array(reader.rest())
        } catch {
            throw TapeError(.badFrame, "the payload of a reveal frame is too short")
        }
    }
}
