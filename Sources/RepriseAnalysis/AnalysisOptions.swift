internal import RepriseSession

/// How to analyze.
public struct AnalysisOptions: Sendable {
    /// The dialect that reads everything, by name; nil to find it per exchange.
    public var dialect: String?
    /// Which rules are off or graded otherwise.
    public var rules: RuleConfiguration
    /// A gap is a stall above so many times the stream's median gap …
    public var stallFactor: Int64
    /// … and above so many nanoseconds.
    public var stallFloor: Int64

    /// Options; by default nothing is forced, every rule is on, and a stall is a gap above ten
    /// times the median and half a second.
    public init(
        dialect: String? = nil, rules: RuleConfiguration = RuleConfiguration(),
        stallFactor: Int64 = 10, stallFloor: Int64 = 500_000_000
    ) {
        self.dialect = dialect
        self.rules = rules
        self.stallFactor = stallFactor
        self.stallFloor = stallFloor
    }
}
