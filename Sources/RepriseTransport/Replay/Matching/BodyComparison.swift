internal import RepriseSupport
internal import RepriseWire

/// Recorded bytes against those of now, both masked: a masked run is as good as any other.
struct BodyComparison {
    let recorded: MaskedText
    let now: MaskedText
    /// Whether all of it was recorded; else what was recorded is a beginning.
    var isWhole = true
    /// What it is, e.g. `body`.
    var name = "body"
    /// Who sent it, where that is a client that knows nothing of the recording: its JSON may be
    /// written in any order.
    var foreign: ForeignClient?

    /// The first difference; nil where there is none.
    var difference: RequestDifference? {
        guard let offset = now.firstDifference(from: recorded) else { return nil }
        let (old, new) = (recorded.bytes, now.bytes)
        if !isWhole, old.isEmpty || new.starts(with: old) { return nil }
        if let json = MaskedJSON(old, masked: recorded.masks),
            let value = try? JSON.parse(new).value
        {
            let found = json.firstDifference(of: value, foreign: foreign)
            if let found {
                return RequestDifference(
                    .json(path: found.path), "in the \(name), " + found.message)
            }
            if foreign != nil { return nil }
        }
        let lengths = "recorded \(Counted.text(old.count, "byte")), now \(new.count)"
        let message =
            if offset >= new.count {
                "the \(name) ends before the recorded one: \(lengths)"
            } else if new.starts(with: old) {
                "the \(name) goes on after the recorded one: \(lengths)"
            } else {
                "the \(name) differs from byte \(offset) on: \(lengths)"
            }
        return RequestDifference(.body(offset: offset), message)
    }
}
