internal import RepriseWire

/// Where two JSON values differ first, in the order of the recorded one.
struct JSONDifference: Hashable {
    /// Where, e.g. `$.items[2].name`; `$` is the value itself.
    var path: String
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

    /// The first difference; nil where the values are equal.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether the members of an object must come in the recorded order.
    ///   - isSame: Whether a differing value is as good as the recorded one at that path.
    static func first(
        recorded: JSON, now: JSON, at path: String = "$", isOrdered: Bool = true,
        isSame: (_ path: String, _ recorded: JSON, _ now: JSON) -> Bool = { _, _, _ in false }
    ) -> JSONDifference? {
        switch (recorded, now) {
        case (.object(let old), .object(let new)):
            return first(recorded: old, now: new, at: path, isOrdered, isSame)
        case (.array(let old), .array(let new)):
            return first(recorded: old, now: new, at: path, isOrdered, isSame)
        default:
            if recorded == now || isSame(path, recorded, now) { return nil }
            return JSONDifference(path: path, kind: .value(recorded: recorded, now: now))
        }
    }

    private static func first(
        recorded: JSONObject, now: JSONObject, at path: String, _ isOrdered: Bool,
        _ isSame: (String, JSON, JSON) -> Bool
    ) -> JSONDifference? {
        if recorded == now { return nil }
        for member in recorded.members {
            let inner = path + step(member.key)
            guard let value = now[member.key] else {
                return JSONDifference(path: inner, kind: .missing(member.value))
            }
            // Of duplicate keys the last one counts, as for whoever reads it.
            let old = recorded[member.key] ?? member.value
            let found = first(
                recorded: old, now: value, at: inner, isOrdered: isOrdered, isSame: isSame)
            if let found { return found }
        }
        for member in now.members where recorded[member.key] == nil {
            return JSONDifference(path: path + step(member.key), kind: .unexpected(member.value))
        }
        if !isOrdered || recorded.members.map(\.key) == now.members.map(\.key) { return nil }
        return JSONDifference(path: path, kind: .order)
    }

    private static func first(
        recorded: [JSON], now: [JSON], at path: String, _ isOrdered: Bool,
        _ isSame: (String, JSON, JSON) -> Bool
    ) -> JSONDifference? {
        for (index, pair) in zip(recorded, now).enumerated() {
            let inner = "\(path)[\(index)]"
            let found = first(
                recorded: pair.0, now: pair.1, at: inner, isOrdered: isOrdered, isSame: isSame)
            if let found { return found }
        }
        let common = min(recorded.count, now.count)
        let inner = "\(path)[\(common)]"
        if recorded.count > common {
            return JSONDifference(path: inner, kind: .missing(recorded[common]))
        }
        if now.count > common {
            return JSONDifference(path: inner, kind: .unexpected(now[common]))
        }
        return nil
    }

    static func step(_ key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || (0x30...0x39).contains(byte)
                    || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
        return isPlain ? ".\(key)" : "[\(JSON.string(key).serialized)]"
    }
}

extension JSONDifference {
    /// The difference in words.
    var message: String {
        switch kind {
        case .missing(let value): "\(path) is missing: recorded \(Shown(value))"
        case .unexpected(let value): "\(path) was not recorded: now \(Shown(value))"
        case .value(let recorded, let now):
            "\(path) differs: recorded \(Shown(recorded)), now \(Shown(now))"
        case .order: "the members of \(path) are in another order"
        }
    }
}
