internal import RepriseSupport

/// The frames of a member, decoded one by one.
struct MemberFrames {
    private var reader: ByteReader
    private var number: UInt64
    private var time: Int64
    /// The number behind the last frame's.
    private let end: UInt64
    private let isVerified: Bool

    /// - Parameter count: How many frames to hand out, at most as many as ``count(_:)`` says.
    init(_ bytes: [UInt8], header: MemberHeader, count: UInt64, isVerified: Bool) {
        reader = ByteReader(bytes)
        number = header.firstFrame
        time = header.start
        end = header.firstFrame + count
        self.isVerified = isVerified
    }

    mutating func next() -> Frame? {
        guard number < end else { return nil }
        let frame = try? Frame(
            from: &reader, number: number, time: &time, isVerified: isVerified)
        number += 1
        return frame
    }

    /// How many whole frames there are, and whether there is nothing else.
    ///
    /// - Parameter first: The number of the first frame: with more than there are numbers for, the
    ///   rest is not counted.
    static func count(_ bytes: [UInt8], first: UInt64) -> (frames: UInt64, isWhole: Bool) {
        var reader = ByteReader(bytes)
        var count: UInt64 = 0
        while reader.remaining > 0 {
            guard count < UInt64.max - first, skip(&reader) else { return (count, false) }
            count += 1
        }
        return (count, true)
    }

    private static func skip(_ reader: inout ByteReader) -> Bool {
        do {
            var body = ByteReader(try reader.slice(try reader.varint()))
            _ = try body.byte()
            _ = try body.varint()
            _ = try body.varint()
            return true
        } catch {
            return false
        }
    }
}
