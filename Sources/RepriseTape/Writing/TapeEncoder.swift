internal import RepriseSupport
internal import RepriseWire

/// Turns frames into the bytes of a tape, in memory.
///
/// Frames collect until ``flush()`` or until their member is full; what is then to be written waits
/// in ``output``.
final class TapeEncoder {
    /// Bytes of the tape that nobody took yet.
    private(set) var output: [UInt8] = []
    /// The number of the next frame.
    private(set) var nextFrame: UInt64 = 0

    private let tape: TapeID
    private let memberSize: Int
    private let deflate = Deflate(.raw(windowBits: 15))
    private var index = TapeIndex()
    private var open: OpenMember?
    /// Frames of the open member that are not deflated yet.
    private var pending: [UInt8] = []
    /// Where `output` goes in the file.
    private var offset: UInt64 = 0
    private var hasLoss = false

    /// What is known of the member being written.
    private struct OpenMember {
        var isUnverified: Bool
        /// The time from which the next frame's counts.
        var time: Int64
        /// Bytes of frames, pending ones included.
        var length = 0
        var checksum = Checksum()
    }

    /// - Parameter memberSize: How many bytes of frames fill a member, at most the format's.
    init(tape: TapeID, memberSize: Int) {
        self.tape = tape
        self.memberSize = memberSize
    }

    /// Adds a frame with the next number.
    ///
    /// - Returns: Its number.
    func append(
        kind: Frame.Kind, exchange: UInt64, time: Int64, payload: [UInt8], isVerified: Bool = true
    ) -> UInt64 {
        if let open, open.isUnverified == isVerified { finishMember() }
        var member = open ?? begin(at: time, isUnverified: !isVerified)
        let before = pending.count
        // Times are compared modulo 2^64, so no pair of times is too far apart.
        Frame.append(
            kind: kind, exchange: exchange, delta: time &- member.time, payload: payload,
            to: &pending)
        member.length += pending.count - before
        member.time = time
        open = member
        index.count(exchange: exchange, time: time, number: nextFrame)
        defer { nextFrame += 1 }
        if member.length >= memberSize { finishMember() }
        return nextFrame
    }

    /// Notes that something was lost here: frames up to `frame`, or an unknown number of them.
    func skip(to frame: UInt64?) {
        finishMember()
        nextFrame = max(nextFrame, frame ?? 0)
        hasLoss = true
    }

    /// Moves all frames into `output`, where a reader can decode the last of them.
    func flush() {
        guard !pending.isEmpty else { return }
        press(.sync)
    }

    /// Forgets what is in `output`, because it is written.
    func dropOutput() {
        offset += UInt64(output.count)
        // A burst may have made it large, and most commits are small.
        output.removeAll(keepingCapacity: output.capacity <= TapeFormat.memberSize)
    }

    /// Finishes the open member and adds the index and its locator.
    func seal() {
        finishMember()
        let indexOffset = offset + UInt64(output.count)
        index.frames = nextFrame
        var header = header(flags: .index, start: index.end)
        var member = OpenMember(isUnverified: false, time: index.end)
        output += header.bytes
        Frame.append(
            kind: .index, exchange: 0, delta: 0, payload: index.json.serializedBytes, to: &pending)
        member.length = pending.count
        open = member
        finishMember()
        header.flags = .locator
        header.number += 1
        header.indexOffset = indexOffset
        output += header.bytes + MemberHeader.emptyBody
    }

    private func begin(at time: Int64, isUnverified: Bool) -> OpenMember {
        let header = header(flags: isUnverified ? .unverified : [], start: time)
        index.add(
            TapeIndex.Member(
                offset: offset + UInt64(output.count), firstFrame: nextFrame, start: time))
        output += header.bytes
        return OpenMember(isUnverified: isUnverified, time: time)
    }

    private func header(flags: MemberHeader.Flags, start: Int64) -> MemberHeader {
        defer { hasLoss = false }
        return MemberHeader(
            flags: hasLoss ? flags.union(.lossBefore) : flags, tape: tape,
            number: UInt32(truncatingIfNeeded: index.members.count), firstFrame: nextFrame,
            start: start)
    }

    private func finishMember() {
        guard open != nil else { return }
        press(.finish)
        guard let member = open else { return }
        output.appendLittleEndian(member.checksum.value)
        output.appendLittleEndian(UInt32(truncatingIfNeeded: member.length))
        deflate.reset()
        open = nil
    }

    private func press(_ flush: Deflate.Flush) {
        open?.checksum.update(pending)
        deflate.push(pending, flush: flush, into: &output)
        pending.removeAll(keepingCapacity: pending.capacity <= 2 * TapeFormat.memberSize)
    }
}
