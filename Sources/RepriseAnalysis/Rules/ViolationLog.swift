internal import RepriseSession

/// The violations of one session: graded, without those that another one tells better.
struct ViolationLog {
    /// So many violations of one rule are kept; the rest is counted.
    static let limit = 1_000
    /// So many violations of one rule get the event around them.
    static let eventLimit = 100

    private let configuration: RuleConfiguration
    private let rules: [String: Rule]
    private var kept: [String: [Violation]] = [:]
    private var counts: [String: Int] = [:]
    /// What was read last of each open exchange.
    private var events: [UInt64: SeenEvent] = [:]

    init(rules: [Rule], configuration: RuleConfiguration) {
        self.rules = Dictionary(rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.configuration = configuration
    }

    mutating func add(_ violation: Violation) {
        let count = counts[violation.rule, default: 0] + 1
        counts[violation.rule] = count
        guard count <= ViolationLog.limit else { return }
        var violation = violation
        if count <= ViolationLog.eventLimit {
            violation.event = events[violation.place.exchange]?.excerpt(at: violation.place)
        }
        kept[violation.rule, default: []].append(violation)
    }

    /// What is read now: violations in it, and behind it, show it.
    mutating func note(_ event: SeenEvent, of exchange: UInt64) { events[exchange] = event }

    /// The exchange is over.
    mutating func forget(_ exchange: UInt64) { events[exchange] = nil }

    mutating func raise(
        _ rule: Rule, at place: Place, expected: String, seen: String, subject: String? = nil
    ) {
        add(Violation(rule, at: place, expected: expected, seen: seen, subject: subject))
    }

    /// What stands, in the order of the tape; and how many of each rule were left out.
    func result() -> (violations: [Violation], omitted: [String: Int]) {
        let hidden = HiddenFacts(kept, rules)
        let standing = kept.values.joined().filter { !hidden.hides($0) }.compactMap(graded)
        var omitted: [String: Int] = [:]
        for (id, count) in counts where count > ViolationLog.limit {
            if let entry = configuration.entries[id], entry.severity == nil { continue }
            omitted[id] = count - ViolationLog.limit
        }
        return (standing.sorted(by: ViolationLog.inOrder), omitted)
    }

    private func graded(_ violation: Violation) -> Violation? {
        guard let entry = configuration.entries[violation.rule] else { return violation }
        guard let severity = entry.severity else { return nil }
        var graded = violation
        graded.severity = severity
        return graded
    }

    private static func inOrder(_ one: Violation, _ other: Violation) -> Bool {
        let left = key(one)
        let right = key(other)
        if left != right { return left.lexicographicallyPrecedes(right) }
        return (one.rule, one.expected, one.seen) < (other.rule, other.expected, other.seen)
    }

    private static func key(_ violation: Violation) -> [UInt64] {
        let place = violation.place
        return [place.frame ?? .max, place.offset ?? 0, place.exchange]
    }
}

/// Which general violations another one tells better.
private struct HiddenFacts {
    /// A rule that is told better: with its exchange, or with what it is about.
    private struct Fact: Hashable {
        var rule: String
        var exchange: UInt64?
        var subject: String?
        var time: Int64?
    }

    private var superseded: Set<Fact> = []
    private var present: Set<Fact> = []
    private let rules: [String: Rule]

    init(_ violations: [String: [Violation]], _ rules: [String: Rule]) {
        self.rules = rules
        let yieldedTo = Set(rules.values.flatMap(\.yieldsTo))
        for violation in violations.values.joined() {
            for id in rules[violation.rule]?.supersedes ?? [] {
                superseded.insert(HiddenFacts.fact(id, violation))
            }
            if yieldedTo.contains(violation.rule) {
                present.insert(HiddenFacts.moment(violation.rule, violation))
            }
        }
    }

    func hides(_ violation: Violation) -> Bool {
        if superseded.contains(HiddenFacts.fact(violation.rule, violation)) { return true }
        let betters = rules[violation.rule]?.yieldsTo ?? []
        return betters.contains { present.contains(HiddenFacts.moment($0, violation)) }
    }

    private static func fact(_ rule: String, _ violation: Violation) -> Fact {
        guard let subject = violation.subject else {
            return Fact(rule: rule, exchange: violation.place.exchange)
        }
        return Fact(rule: rule, subject: subject)
    }

    private static func moment(_ rule: String, _ violation: Violation) -> Fact {
        Fact(rule: rule, exchange: violation.place.exchange, time: violation.place.time)
    }
}
