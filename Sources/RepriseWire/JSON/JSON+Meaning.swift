extension JSON {
    /// Whether both mean the same to whoever reads them: members in any order, of duplicate keys
    /// the last one, numbers by value (`1` and `1.0`).
    public func means(_ other: JSON) -> Bool {
        switch (self, other) {
        case (.number, .number):
            if self == other { return true }
            if let one = integer, let two = other.integer { return one == two }
            return double != nil && double == other.double
        case (.array(let one), .array(let two)):
            return one.count == two.count && zip(one, two).allSatisfy { $0.means($1) }
        case (.object(let one), .object(let two)):
            let (one, two) = (one.lastValues, two.lastValues)
            return one.count == two.count
                && one.allSatisfy { key, value in two[key].map(value.means) ?? false }
        default: return self == other
        }
    }
}

extension JSONObject {
    /// By the bytes of the keys: strings compare by canonical equivalence, JSON's keys do not.
    fileprivate var lastValues: [[UInt8]: JSON] {
        Dictionary(members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { $1 })
    }
}
