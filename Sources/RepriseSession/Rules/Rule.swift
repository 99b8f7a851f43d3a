/// One fact about a protocol that a session can break.
public struct Rule: Sendable, Hashable {
    /// Stable name, never used again for another fact, e.g. `http.H1`.
    public var id: String
    /// How bad it is.
    public var severity: Severity
    /// What is broken, in a few words.
    public var title: String
    /// Why it matters and what to do.
    public var explanation: String
    /// Where the rule comes from: a standard's section, a page.
    public var source: String
    /// Ids of rules that tell the same fact in general terms; where this one is reported, those
    /// are not.
    public var supersedes: [String]
    /// Ids of rules that tell more of the same; where one of them is reported at the same time,
    /// this one is not.
    public var yieldsTo: [String]

    /// A rule.
    public init(
        _ id: String, _ severity: Severity, _ title: String, _ explanation: String,
        source: String, supersedes: [String] = [], yieldsTo: [String] = []
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.source = source
        self.supersedes = supersedes
        self.yieldsTo = yieldsTo
    }
}

/// How bad a violation is.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Something worth knowing.
    case info
    /// Something that will hurt somebody.
    case warning
    /// The protocol is broken, or data is lost.
    case error

    /// Whether it is milder.
    public static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}
