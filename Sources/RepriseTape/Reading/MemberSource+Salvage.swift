/// Going on behind damage.
extension MemberSource {
    /// A header and where it is.
    private typealias Place = (offset: UInt64, header: MemberHeader)

    /// The next undamaged header of this tape from `offset` on; what is before it is forgotten.
    private func findHeader(from offset: UInt64) throws(TapeError) -> Place? {
        var offset = offset
        while true {
            source.drop(to: offset)
            let isLast =
                try source.require(ByteSource.chunkSize, at: offset)
                < ByteSource.chunkSize
            if let place = searchBuffer(from: &offset) { return place }
            if isLast { return nil }
        }
    }

    /// Searches what is in the buffer, up to where a header might go on behind it.
    private func searchBuffer(from offset: inout UInt64) -> Place? {
        let limit = source.end - min(source.end, UInt64(MemberHeader.size - 1))
        while offset < limit {
            let rest = source.buffer[source.index(of: offset)...]
            guard let found = rest.firstIndex(of: MemberHeader.signature[0]) else { break }
            offset = source.start + UInt64(found)
            guard offset < limit else { return nil }
            let bytes = source.bytes(at: offset, count: MemberHeader.locatorHeaderSize)
            if let header = MemberHeader(bytes), tape == nil || header.tape == tape {
                return (offset, header)
            }
            offset += 1
        }
        offset = max(offset, limit)
        return nil
    }

    /// Bytes at `position` that are no header.
    func skipGarbage() throws(TapeError) {
        let start = position
        let count = try source.require(MemberHeader.locatorHeaderSize, at: start)
        let head = source.bytes(at: start, count: count)
        let isTornHeader = MemberHeader.isPrefix(head) && count < MemberHeader.locatorHeaderSize
        let looksLikeTape = tape != nil || MemberHeader.isPrefix(head)
        guard let next = try findHeader(from: start + 1) else {
            guard looksLikeTape else {
                throw TapeError(.notATape, "this is neither a tape nor its JSONL form")
            }
            position = source.end
            if !isTornHeader || isSealed { noteGarbage(from: start, next: nil) }
            return
        }
        position = next.offset
        noteGarbage(from: start, next: next.header)
    }

    private func noteGarbage(from start: UInt64, next: MemberHeader?) {
        var damage = Damage(
            .garbage, "bytes that are no member", offset: start, length: position - start)
        if indexOffset != nil || isSealed {
            damage.frames = nextFrame..<nextFrame
        } else if let next, next.number >= nextMember, next.firstFrame >= nextFrame {
            lose(to: next, &damage)
        }
        isIncomplete = true
        before.append(damage)
    }

    /// Counts what is lost between what was read and the next member that can be.
    private func lose(to next: MemberHeader, _ damage: inout Damage) {
        let number = UInt64(next.number)
        damage.members = nextMember == number ? nil : nextMember..<number
        damage.frames = nextFrame..<next.firstFrame
        nextMember = number
        nextFrame = next.firstFrame
    }

    /// A member whose header is right and whose content is not.
    func take(damaged header: MemberHeader, _ body: MemberBody) throws(TapeError) {
        let start = position
        let next = try findHeader(from: start + 1)
        let end = next?.offset ?? source.end
        defer { position = end }
        if isStranger(header) { return refuse(header, end: end) }
        noteGap(before: header)
        isIncomplete = true
        nextMember = UInt64(header.number) + 1
        if header.flags.contains(.index) {
            if next != nil || body.ending != .cut {
                note(damagedIndex: start, length: end - start)
            }
        } else if let next {
            salvage(header, body, next: next.header, length: end - start)
        } else {
            takeLast(header, body, length: end - start)
        }
    }

    private func note(damagedIndex offset: UInt64, length: UInt64) {
        before.append(
            Damage(
                .index, "the index cannot be read", offset: offset, length: length,
                frames: nextFrame..<nextFrame))
    }

    /// A damaged member with others behind it, which say how many frames it had.
    private func salvage(
        _ header: MemberHeader, _ body: MemberBody, next: MemberHeader, length: UInt64
    ) {
        var damage = Damage(
            .member, "a member cannot be read: \(body.reason)", offset: position, length: length)
        var count = salvaging ? MemberFrames.count(body.bytes, first: nextFrame).frames : 0
        let isInOrder = next.number > header.number && next.firstFrame >= nextFrame
        if isInOrder { count = min(count, next.firstFrame - nextFrame) }
        if count > 0 { open(header, body.bytes, count: count, isVerified: false) }
        nextFrame += count
        nextMember = UInt64(header.number)
        if isInOrder {
            lose(to: next, &damage)
        } else {
            nextMember += 1
        }
        after.append(damage)
    }

    /// A damaged member with nothing behind it. Where it is only unfinished, its recorder died:
    /// what is there was written, though no checksum vouches for it.
    private func takeLast(_ header: MemberHeader, _ body: MemberBody, length: UInt64) {
        var count = MemberFrames.count(body.bytes, first: nextFrame).frames
        if case .wrong = body.ending, !salvaging { count = 0 }
        if count > 0 { open(header, body.bytes, count: count, isVerified: false) }
        nextFrame += count
        if body.ending == .cut {
            torn = Damage(
                .unsealed,
                count == 0
                    ? "the tape has no end: what followed is unknown"
                    : "the tape has no end: no checksum vouches for its last"
                        + (count == 1 ? " frame" : " \(count) frames")
                        + ", and what followed is unknown",
                offset: position, length: length)
        } else {
            after.append(
                Damage(
                    .member, "the last member cannot be read: \(body.reason)", offset: position,
                    length: length))
        }
    }
}

extension MemberBody {
    /// Why it is damaged.
    fileprivate var reason: String {
        switch ending {
        case .whole: "it is whole"
        case .wrong(let reason), .broken(let reason): reason
        case .cut: "it has no end"
        }
    }
}

extension MemberHeader {
    /// Whether `bytes` may be the beginning of a header.
    static func isPrefix(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.prefix(signature.count)
        return signature.starts(with: head) || locatorSignature.starts(with: head)
    }
}
