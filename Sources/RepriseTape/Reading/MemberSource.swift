/// Reads the members of a tape in order, checks each, and salvages what is undamaged.
///
/// A damaged member costs its own frames and nothing else: the reader goes on at the next header
/// whose checksum is right, which says how many frames were lost.
final class MemberSource: FrameSource {
    let isCanonical = false
    let source: ByteSource
    let salvaging: Bool
    let inflater = MemberInflater()

    /// Where the next member should begin.
    var position: UInt64 = 0
    /// The tape that the first readable header belongs to.
    var tape: TapeID?
    /// The number that the next member should have.
    var nextMember: UInt64 = 0
    /// The number that the next frame should have.
    var nextFrame: UInt64 = 0
    /// The index as the members that were read make it.
    var index = TapeIndex()
    /// Whether anything is lost or added, so that the index says more than `index`, or at other
    /// offsets.
    var isIncomplete = false
    /// Offset of the index member, once it was read.
    var indexOffset: UInt64?
    /// Why the tape has no end, where the last member says it.
    var torn: Damage?

    /// Members in a row that do not belong where they are, and how often there was one.
    var strangers: Damage?
    var refusals = 0

    /// What to hand out, in this order, before the next member is read.
    var before: [Damage] = []
    var frames: MemberFrames?
    var after: [Damage] = []

    private(set) var members: UInt64 = 0
    var isSealed = false
    private var isDone = false

    init(_ source: ByteSource, salvaging: Bool) {
        self.source = source
        self.salvaging = salvaging
    }

    func next() throws(TapeError) -> TapeReader.Item? {
        while true {
            if !before.isEmpty { return .damage(before.removeFirst()) }
            if let frame = nextFrameOfMember() { return .frame(frame) }
            if !after.isEmpty { return .damage(after.removeFirst()) }
            if isDone { return nil }
            let refused = refusals
            try advance()
            if let strangers, refusals == refused {
                before.insert(strangers, at: 0)
                self.strangers = nil
            }
        }
    }

    private func nextFrameOfMember() -> Frame? {
        while let frame = frames?.next() {
            index.count(exchange: frame.exchange, time: frame.time, number: frame.number)
            if frame.kind != .index { return frame }
        }
        frames = nil
        return nil
    }

    private func advance() throws(TapeError) {
        source.drop(to: position)
        guard try source.require(1, at: position) == 1 else { return finish() }
        guard let header = try header(at: position) else { return try skipGarbage() }
        guard header.version == TapeFormat.version else {
            throw .unsupported(version: Int(header.version), offset: position)
        }
        tape = tape ?? header.tape
        if header.isLocator {
            try take(locator: header)
        } else {
            try read(header)
        }
    }

    func header(at offset: UInt64) throws(TapeError) -> MemberHeader? {
        let count = try source.require(MemberHeader.locatorHeaderSize, at: offset)
        return MemberHeader(source.bytes(at: offset, count: count))
    }

    private func read(_ header: MemberHeader) throws(TapeError) {
        let body = try inflater.read(source, at: position + UInt64(header.size))
        guard case .whole(let end) = body.ending else {
            return try take(damaged: header, body)
        }
        let count = MemberFrames.count(body.bytes, first: header.firstFrame)
        guard count.isWhole else {
            let ending = MemberBody.Ending.wrong("it holds a frame that cannot be read")
            return try take(damaged: header, MemberBody(ending: ending, bytes: body.bytes))
        }
        if isStranger(header) { return refuse(header, end: end) }
        noteGap(before: header)
        if header.flags.contains(.index) {
            take(index: header, body.bytes)
        } else {
            take(header, body.bytes, count: count.frames)
        }
        position = end
    }

    private func take(_ header: MemberHeader, _ bytes: [UInt8], count: UInt64) {
        members += 1
        nextMember = UInt64(header.number) + 1
        nextFrame = header.firstFrame + count
        open(header, bytes, count: count, isVerified: !header.flags.contains(.unverified))
    }

    /// Makes the first `count` frames of a member the next to hand out.
    func open(_ header: MemberHeader, _ bytes: [UInt8], count: UInt64, isVerified: Bool) {
        index.add(
            TapeIndex.Member(
                offset: position, firstFrame: header.firstFrame, start: header.start))
        frames = MemberFrames(bytes, header: header, count: count, isVerified: isVerified)
    }

    private func finish() {
        isDone = true
        guard !isSealed else { return }
        let isEnded = indexOffset != nil
        after.append(
            torn
                ?? Damage(
                    .unsealed,
                    isEnded
                        ? "the tape ends behind its index, without what locates it"
                        : "the tape has no end: what followed is unknown",
                    offset: source.end, frames: isEnded ? nextFrame..<nextFrame : nil))
    }
}
