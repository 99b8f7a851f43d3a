internal import RepriseWire

/// A recorded JSON payload some of whose values are masked: what those may be.
struct MaskedJSON {
    /// The value as recorded.
    let value: JSON
    /// The masked values by path: what is known around the mask.
    private var masked: [JSONPath: (prefix: String, suffix: String)] = [:]

    /// A JSON text; nil where it is none.
    ///
    /// - Parameter spans: Which bytes of it are masked.
    init?(_ text: [UInt8], masked spans: [Range<Int>]) {
        guard let value = try? JSON.parse(text).value else { return nil }
        self.value = value
        let spans = spans.map { $0.clamped(to: 0..<text.count) }
        if spans.isEmpty { return }
        // The same text with another filler: what differs is what is masked.
        var other = text
        for place in spans.joined() { other[place] = MaskedJSON.otherFiller(other[place]) }
        if let other = try? JSON.parse(other).value { compare(value, other, at: JSONPath()) }
    }

    private static func otherFiller(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "1")
        // The first digit of a masked number.
        case UInt8(ascii: "1"): UInt8(ascii: "2")
        case UInt8(ascii: "*"): UInt8(ascii: "#")
        default: byte
        }
    }

    private mutating func compare(_ one: JSON, _ other: JSON, at path: JSONPath) {
        switch (one, other) {
        case (.object(let one), .object(let other)):
            for (member, twin) in zip(one.members, other.members) {
                compare(member.value, twin.value, at: path.to(.key(member.key)))
            }
        case (.array(let one), .array(let other)):
            for (index, pair) in zip(one, other).enumerated() {
                compare(pair.0, pair.1, at: path.to(.index(index)))
            }
        case (.string(let one), .string(let other)) where one != other:
            let prefix = zip(one, other).prefix { $0 == $1 }.count
            let suffix = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
            masked[path] = (String(one.prefix(prefix)), String(one.suffix(suffix)))
        case (.number, .number) where one != other: masked[path] = ("", "")
        default: break
        }
    }

    /// Whether `now` can be what the mask at `path` hides.
    func hides(_ now: JSON, at path: JSONPath) -> Bool {
        guard let known = masked[path] else { return false }
        switch now {
        case .string(let text):
            return text.hasPrefix(known.prefix) && text.hasSuffix(known.suffix)
        case .number: return known.prefix.isEmpty && known.suffix.isEmpty
        default: return false
        }
    }

    /// The first difference of `now` to the recorded value's member `key`; what is masked differs
    /// not. Its path begins at the member.
    func firstDifference(of now: JSON, to key: String) -> JSONDifference? {
        let start = JSONPath([.key(key)])
        let comparison = JSONComparison(isSame: { path, _, now in hides(now, at: path) }, limit: 1)
        let found = comparison.differences(recorded: value[key] ?? .null, now: now, at: start)
        return found.first.map { found in
            JSONDifference(path: JSONPath(Array(found.path.steps.dropFirst())), kind: found.kind)
        }
    }

    /// The differences of `now` to the recorded value, but for what is masked and what `trial`
    /// lets be another.
    func differences(of now: JSON, _ trial: MatchTrial) -> [JSONDifference] {
        let comparison = JSONComparison(
            isOrdered: trial.matching.values == .written, isFree: { trial.isVolatile($0) },
            isSame: { path, recorded, now in
                hides(now, at: path) || trial.accepts(now, for: recorded, at: path)
            })
        return comparison.differences(recorded: value, now: now)
    }
}
