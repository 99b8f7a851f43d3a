internal import RepriseSupport

/// What is in a member: its frames' bytes, as far as they could be inflated.
struct MemberBody {
    /// How a member ends.
    enum Ending: Equatable {
        /// With the right checksum and length, before the given offset.
        case whole(end: UInt64)
        /// With another checksum or length, or with frames that are none.
        case wrong(String)
        /// With data that is no deflate stream, or that no member may hold.
        case broken(String)
        /// With the file.
        case cut
    }

    var ending: Ending
    var bytes: [UInt8]
}

/// Inflates members.
final class MemberInflater {
    private let inflate = Inflate(.raw(windowBits: 15))
    /// How much is inflated before what came out is looked at.
    private static let step = 64 << 10

    /// Inflates the member whose deflate stream is at `offset`; all of it stays in the source.
    func read(_ source: ByteSource, at offset: UInt64) throws(TapeError) -> MemberBody {
        inflate.reset()
        var output: [UInt8] = []
        var position = offset
        let ending = try run(source, from: &position, into: &output)
        guard ending == nil else { return MemberBody(ending: ending ?? .cut, bytes: output) }
        guard try source.require(8, at: position) == 8 else {
            return MemberBody(ending: .cut, bytes: output)
        }
        var trailer: [UInt8] = []
        trailer.appendLittleEndian(Checksum(of: output).value)
        trailer.appendLittleEndian(UInt32(truncatingIfNeeded: output.count))
        guard source.bytes(at: position, count: 8).elementsEqual(trailer) else {
            return MemberBody(ending: .wrong("its checksum or length is wrong"), bytes: output)
        }
        return MemberBody(ending: .whole(end: position + 8), bytes: output)
    }

    /// Inflates to the end of the deflate stream, where `position` then is.
    ///
    /// - Returns: What went wrong.
    private func run(
        _ source: ByteSource, from position: inout UInt64, into output: inout [UInt8]
    ) throws(TapeError) -> MemberBody.Ending? {
        let start = position
        var bound = MemberBound()
        while true {
            var index = source.index(of: position)
            let status: Inflate.Status
            do throws(Inflate.Failure) {
                status = try inflate.push(
                    source.buffer, from: &index, into: &output, outputLimit: Self.step)
            } catch {
                return .broken("its compressed data is corrupt")
            }
            position = source.start + UInt64(index)
            guard bound.allows(output, compressed: position - start) else {
                return .broken("it is larger than a member may be")
            }
            switch status {
            case .ended: return nil
            case .outputLimit: continue
            case .needsInput: guard try source.fill() else { return .cut }
            }
        }
    }
}

/// Bounds what is kept of a member, whatever its data says: it ends with the first frame that
/// reaches the member size.
private struct MemberBound {
    /// The end of the last frame whose length is known.
    private var frameEnd = 0

    mutating func allows(_ bytes: [UInt8], compressed: UInt64) -> Bool {
        // A flush per frame makes tiny frames larger, but not without end.
        guard compressed <= UInt64(bytes.count) * 4 + (1 << 20) else { return false }
        while frameEnd < bytes.count {
            guard frameEnd < TapeFormat.memberSize else { return false }
            var reader = ByteReader(bytes[frameEnd...])
            guard let length = try? reader.varint() else { return bytes.count - frameEnd < 10 }
            guard length >= 3, length <= TapeFormat.maximumFrameLength else { return false }
            frameEnd = reader.position + Int(length)
        }
        return true
    }
}
