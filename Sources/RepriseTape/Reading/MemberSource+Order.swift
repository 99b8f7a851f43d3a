/// Members that are not in their place.
extension MemberSource {
    /// Whether a member is of another tape, or was there before, or cannot be where it is.
    func isStranger(_ header: MemberHeader) -> Bool {
        header.tape != tape || header.number < nextMember || header.firstFrame < nextFrame
            || indexOffset != nil
    }

    /// Tells that the member at `position` is a stranger and goes on behind it; strangers in a row
    /// are told as one.
    func refuse(_ header: MemberHeader, end: UInt64) {
        isIncomplete = true
        let kind: Damage.Kind = header.tape == tape ? .repeated : .foreign
        if var run = strangers, run.kind == kind {
            run.length = end - (run.offset ?? position)
            strangers = run
        } else {
            if let strangers { before.append(strangers) }
            strangers = Damage(
                kind,
                kind == .foreign
                    ? "a member of another tape" : "a member that is not in its place",
                offset: position, length: end - position, frames: nextFrame..<nextFrame)
        }
        refusals += 1
        position = end
    }

    /// Tells what is missing between the last member and this one, which is no stranger.
    func noteGap(before header: MemberHeader) {
        let lost = nextFrame..<header.firstFrame
        if header.number > nextMember {
            note(
                Damage(
                    .missing, "members are missing", offset: position,
                    members: nextMember..<UInt64(header.number), frames: lost))
        } else if header.flags.contains(.lossBefore) {
            note(
                Damage(
                    .lost,
                    lost.isEmpty
                        ? "the tape was repaired: what stood here is unknown"
                        : "the tape was repaired: what stood here is lost",
                    offset: position, frames: lost.isEmpty ? nil : lost))
        } else if !lost.isEmpty {
            note(Damage(.missing, "frame numbers are missing", offset: position, frames: lost))
        }
        nextFrame = header.firstFrame
        nextMember = UInt64(header.number)
    }

    private func note(_ damage: Damage) {
        // A loss that a repair noted is in its index too.
        if damage.kind != .lost { isIncomplete = true }
        before.append(damage)
    }
}
