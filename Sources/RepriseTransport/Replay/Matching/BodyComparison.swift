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
    /// What may be another.
    let trial: MatchTrial

    /// The differences; empty where there are none.
    var differences: [RequestDifference] {
        guard let offset = now.firstDifference(from: recorded) else { return [] }
        let (old, new) = (recorded.bytes, now.bytes)
        if !isWhole, old.isEmpty || new.starts(with: old) { return [] }
        if let json = MaskedJSON(old, masked: recorded.masks),
            let value = try? JSON.parse(new).value
        {
            let found = json.differences(of: value, trial)
            if !found.isEmpty { return found.map(told) }
            if trial.matching.values == .meant || trial.hasJSONPlaces { return [] }
        } else if isTranslation {
            return []
        }
        return [byteDifference(offset)]
    }

    private var isTranslation: Bool {
        let bytes = trial.translated(now.bytes)
        return bytes != now.bytes && !now.isMasked
            && MaskedText(bytes).firstDifference(from: recorded) == nil
    }

    private func told(_ difference: JSONDifference) -> RequestDifference {
        let path = difference.path.expression
        // An order cannot be declared.
        let place: RequestPlace? = difference.kind == .order ? nil : .json(path)
        return RequestDifference(
            .json(path: path), "in the \(name), " + difference.message, at: place,
            ids: difference.strings)
    }

    private func byteDifference(_ offset: Int) -> RequestDifference {
        let (old, new) = (recorded.bytes, now.bytes)
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
