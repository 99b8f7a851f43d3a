/// The header fields that count where not all do: `Content-Type` and `Accept` by their media types,
/// and those listed by their values.
struct FieldComparison {
    let recorded: MaskedRequest
    let now: MaskedRequest
    let trial: MatchTrial

    var differences: [RequestDifference] {
        var found = [typeDifference, acceptDifference].compactMap { $0 }
        guard case .only(let names) = trial.matching.fields else { return found }
        for name in names where !trial.isVolatile(.header(name.lowercased())) {
            found += listedDifference(name).map { [$0] } ?? []
        }
        return found
    }

    private var typeDifference: RequestDifference? {
        guard !trial.isVolatile(.header("content-type")),
            let old = recorded.mediaType("content-type")
        else { return nil }
        guard let new = now.mediaType("content-type") else {
            return RequestDifference(
                .header("Content-Type"),
                "the header Content-Type is missing: recorded \(Shown(old))",
                at: .header("Content-Type"))
        }
        return old == new ? nil : difference("Content-Type", Shown(old), Shown(new))
    }

    /// A client that takes anything takes what was recorded, too.
    private var acceptDifference: RequestDifference? {
        guard !trial.isVolatile(.header("accept")), let old = recorded.mediaType("accept"),
            let new = now.mediaType("accept")
        else { return nil }
        let isOpen = now.values("accept").contains { $0.contains("*/*") }
        return isOpen || old == new ? nil : difference("Accept", Shown(old), Shown(new))
    }

    private func listedDifference(_ name: String) -> RequestDifference? {
        let key = name.lowercased()
        let old = recorded.headers.filter { $0.name.lowercased() == key }
        let new = now.headers.filter { $0.name.lowercased() == key }
        if old.count != new.count {
            return RequestDifference(
                .header(name),
                new.isEmpty
                    ? "the header \(name) is missing"
                    : old.isEmpty
                        ? "the header \(name) was not recorded"
                        : "the header \(name) was recorded \(old.count) times, now \(new.count)",
                at: .header(name))
        }
        let pair = zip(old, new).first { !HeaderComparison.isSame($0, $1, trial) }
        return pair.map { difference(name, Shown($0.value), Shown($1.value)) }
    }

    private func difference(_ name: String, _ old: Shown, _ new: Shown) -> RequestDifference {
        RequestDifference(
            .header(name), "the header \(name) differs: recorded \(old), now \(new)",
            at: .header(name))
    }
}

extension MaskedRequest {
    /// The value of a header without its parameters, in lower case.
    fileprivate func mediaType(_ name: String) -> String? {
        values(name).first.map { value in
            String(value.lowercased().prefix { $0 != ";" && $0 != " " })
        }
    }
}
