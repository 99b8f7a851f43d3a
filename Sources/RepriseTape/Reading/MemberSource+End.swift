internal import RepriseSupport
internal import RepriseWire

/// The index and its locator.
extension MemberSource {
    /// Compares the index with the members that were read.
    func take(index header: MemberHeader, _ bytes: [UInt8]) {
        nextMember = UInt64(header.number) + 1
        indexOffset = position
        guard let told = TapeIndex(memberBytes: bytes) else {
            return note("the index cannot be read")
        }
        index.frames = nextFrame
        let isRight =
            if isIncomplete {
                told.frames == nextFrame && told.covers(index)
            } else {
                told == index
            }
        if !isRight { note("the index says something else than the members do") }
    }

    /// Checks what ends a tape.
    func take(locator header: MemberHeader) throws(TapeError) {
        let size = MemberHeader.locatorSize
        let count = try source.require(size, at: position)
        let body = source.bytes(at: position, count: count).dropFirst(header.size)
        guard body.count == MemberHeader.emptyBody.count else {
            position = source.end
            return
        }
        if isSealed || header.tape != tape || header.number < nextMember
            || header.firstFrame < nextFrame
        {
            return refuse(header, end: position + UInt64(size))
        }
        noteGap(before: header)
        nextMember = UInt64(header.number) + 1
        isSealed = true
        let isRight =
            body.elementsEqual(MemberHeader.emptyBody)
            && (indexOffset == header.indexOffset || isIncomplete)
        if !isRight { note("what locates the index is wrong") }
        position += UInt64(size)
    }

    private func note(_ message: String) {
        before.append(
            Damage(.index, message, offset: position, frames: nextFrame..<nextFrame))
    }
}

extension TapeIndex {
    /// Whether it lists all members of `other`, wherever in the file they are.
    fileprivate func covers(_ other: TapeIndex) -> Bool {
        func place(_ member: Member) -> Member {
            var place = member
            place.offset = 0
            return place
        }
        return Set(members.map(place)).isSuperset(of: other.members.map(place))
    }

    /// The index in the bytes of its member, which holds one frame; nil where it is none.
    package init?(memberBytes: [UInt8]) {
        var reader = ByteReader(memberBytes)
        var time: Int64 = 0
        guard
            let frame = try? Frame(from: &reader, number: 0, time: &time, isVerified: true),
            reader.remaining == 0, frame.kind == .index,
            let document = try? JSON.parse(frame.payload)
        else { return nil }
        self.init(json: document.value)
    }
}
