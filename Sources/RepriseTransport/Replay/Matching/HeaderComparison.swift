internal import RepriseSupport

/// The header fields of a recorded request against those of a request now.
struct HeaderComparison {
    private typealias Field = MaskedRequest.Field

    private let recorded: [Field]
    private let now: [Field]
    private let trial: MatchTrial

    /// - Parameters:
    ///   - recorded: The fields that left.
    ///   - now: The fields as the client set them.
    ///   - hasUserInfo: Whether the URL has user info, of which a transport makes credentials.
    ///   - trial: What may be another.
    init(
        recorded: [MaskedRequest.Field], now: [MaskedRequest.Field], hasUserInfo: Bool,
        trial: MatchTrial
    ) {
        let set = Set(now.map { HeaderComparison.key($0) })
        self.recorded = recorded.filter { field in
            let key = HeaderComparison.key(field)
            return set.contains(key)
                || !HeaderComparison.isProtocols(key)
                    && !(hasUserInfo && key == "authorization")
        }
        self.now = now
        self.trial = trial
    }

    /// Whether the values are one, or may stand for each other.
    static func isSame(
        _ recorded: MaskedRequest.Field, _ now: MaskedRequest.Field, _ trial: MatchTrial
    ) -> Bool {
        now.value.firstDifference(from: recorded.value) == nil
            || trial.accepts(now.text, for: recorded.text, at: .header(key(recorded)))
    }

    /// Whether a transport adds a field of that name by itself.
    private static func isProtocols(_ key: String) -> Bool {
        ["host", "content-length", "transfer-encoding", "connection"].contains(key)
            || key.hasPrefix("proxy-")
    }

    private static func key(_ field: Field) -> String { field.name.lowercased() }

    /// In what the fields differ, by name in the order of the recorded ones.
    ///
    /// - Parameter isLengthFree: Whether `Content-Length` may differ, since the body is masked.
    func differences(isLengthFree: Bool) -> [RequestDifference] {
        var names: [String] = []
        for key in (recorded + now).map(HeaderComparison.key) where !names.contains(key) {
            names.append(key)
        }
        if isLengthFree { names.removeAll { $0 == "content-length" } }
        let found = names.compactMap(difference)
        if !found.isEmpty { return found }
        let order = (recorded.map(HeaderComparison.key), now.map(HeaderComparison.key))
        guard let place = zip(order.0, order.1).first(where: { $0 != $1 }) else { return [] }
        return [
            RequestDifference(
                .headerOrder,
                "the order of the header fields differs: recorded \(Shown(place.0)) where now "
                    + "\(Shown(place.1)) is")
        ]
    }

    private func difference(at key: String) -> RequestDifference? {
        let old = recorded.filter { HeaderComparison.key($0) == key }
        let new = now.filter { HeaderComparison.key($0) == key }
        let name = (old.first ?? new.first)?.name ?? key
        let part = RequestDifference.Part.header(name)
        let place = RequestPlace.header(name)
        if new.isEmpty {
            return RequestDifference(part, "the header \(name) is missing", at: place)
        }
        if old.isEmpty {
            return RequestDifference(part, "the header \(name) was not recorded", at: place)
        }
        if old.count != new.count {
            return RequestDifference(
                part,
                "the header \(name) was recorded \(Counted.text(old.count, "time")), now \(new.count)",
                at: place)
        }
        for (old, new) in zip(old, new) where !HeaderComparison.isSame(old, new, trial) {
            return RequestDifference(
                part,
                "the header \(name) differs: recorded \(Shown(old.value)), now "
                    + "\(Shown(new.value))", at: place)
        }
        if old.map(\.name) == new.map(\.name) { return nil }
        return RequestDifference(part, "the header \(name) is spelled otherwise", at: place)
    }
}
