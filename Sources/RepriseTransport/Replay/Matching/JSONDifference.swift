internal import RepriseWire

/// Where two JSON values differ.
struct JSONDifference: Hashable {
    /// Where.
    var path: JSONPath
    /// What differs there.
    var kind: Kind

    /// What differs.
    enum Kind: Hashable {
        /// The recorded value is not there.
        case missing(JSON)
        /// A value is there that was not recorded.
        case unexpected(JSON)
        /// Another value than the recorded one.
        case value(recorded: JSON, now: JSON)
        /// The same members in another order.
        case order
    }
}

extension JSONDifference {
    /// The strings that differ; nil where it is something else.
    var strings: (recorded: String, now: String)? {
        guard case .value(.string(let recorded), .string(let now)) = kind else { return nil }
        return (recorded, now)
    }

    /// The difference in words.
    var message: String {
        let path = path.expression
        return switch kind {
        case .missing(let value): "\(path) is missing: recorded \(Shown(value))"
        case .unexpected(let value): "\(path) was not recorded: now \(Shown(value))"
        case .value(let recorded, let now):
            "\(path) differs: recorded \(Shown(recorded)), now \(Shown(now))"
        case .order: "the members of \(path) are in another order"
        }
    }
}

/// Holds one JSON value against another.
struct JSONComparison {
    /// Whether the members of an object must come in the recorded order.
    var isOrdered = true
    /// Whether anything, or nothing, may stand at a path.
    var isFree: (JSONPath) -> Bool = { _ in false }
    /// Whether a value that differs is as good as the recorded one at that path.
    var isSame: (_ path: JSONPath, _ recorded: JSON, _ now: JSON) -> Bool = { _, _, _ in false }
    /// How many differences are told at most.
    var limit = 16

    /// The differences in the order of the recorded value; empty where there is none.
    ///
    /// - Parameter path: Where the values stand.
    func differences(
        recorded: JSON, now: JSON, at path: JSONPath = JSONPath()
    ) -> [JSONDifference] {
        var found: [JSONDifference] = []
        compare(recorded, now, path, &found)
        return found
    }

    private func compare(
        _ recorded: JSON, _ now: JSON, _ path: JSONPath, _ found: inout [JSONDifference]
    ) {
        if found.count >= limit || recorded == now || isFree(path) { return }
        switch (recorded, now) {
        case (.object(let old), .object(let new)): compare(old, new, path, &found)
        case (.array(let old), .array(let new)): compare(old, new, path, &found)
        default:
            if isSame(path, recorded, now) { return }
            add(JSONDifference(path: path, kind: .value(recorded: recorded, now: now)), &found)
        }
    }

    private func compare(
        _ recorded: JSONObject, _ now: JSONObject, _ path: JSONPath,
        _ found: inout [JSONDifference]
    ) {
        let before = found.count
        let (old, new) = (JSONIndex(recorded), JSONIndex(now))
        for member in recorded.members where found.count < limit {
            let inner = path.to(.key(member.key))
            guard let value = new[member.key] else {
                if isFree(inner) { continue }
                add(JSONDifference(path: inner, kind: .missing(member.value)), &found)
                continue
            }
            // Of duplicate keys the last one counts, as for whoever reads it.
            compare(old[member.key] ?? member.value, value, inner, &found)
        }
        for member in now.members where found.count < limit && old[member.key] == nil {
            let inner = path.to(.key(member.key))
            if isFree(inner) { continue }
            add(JSONDifference(path: inner, kind: .unexpected(member.value)), &found)
        }
        guard isOrdered, found.count == before else { return }
        let common = { (one: JSONObject, other: JSONIndex) in
            one.members.map(\.key).filter { other[$0] != nil }
        }
        if common(recorded, new) != common(now, old) {
            add(JSONDifference(path: path, kind: .order), &found)
        }
    }

    private func compare(
        _ recorded: [JSON], _ now: [JSON], _ path: JSONPath, _ found: inout [JSONDifference]
    ) {
        for (index, pair) in zip(recorded, now).enumerated() {
            compare(pair.0, pair.1, path.to(.index(index)), &found)
        }
        let common = min(recorded.count, now.count)
        for index in common..<max(recorded.count, now.count) {
            let inner = path.to(.index(index))
            if isFree(inner) { continue }
            let kind: JSONDifference.Kind =
                index < recorded.count ? .missing(recorded[index]) : .unexpected(now[index])
            // Of what is too much or too little the first says enough.
            return add(JSONDifference(path: inner, kind: kind), &found)
        }
    }

    private func add(_ difference: JSONDifference, _ found: inout [JSONDifference]) {
        if found.count < limit { found.append(difference) }
    }
}

/// The members of an object by their keys; of duplicates the last, as in the object itself.
private struct JSONIndex {
    private var values: [[UInt8]: JSON] = [:]

    init(_ object: JSONObject) {
        for member in object.members { values[Array(member.key.utf8)] = member.value }
    }

    subscript(key: String) -> JSON? { values[Array(key.utf8)] }
}
