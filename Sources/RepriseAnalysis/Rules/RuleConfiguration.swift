public import RepriseSession

/// Which rules are off or graded otherwise, each with a reason that the report shows.
public struct RuleConfiguration: Sendable, Hashable {
    /// By rule id.
    public var entries: [String: Entry]

    /// A configuration; by default every rule is as its table has it.
    public init(entries: [String: Entry] = [:]) { self.entries = entries }

    /// What happens to one rule.
    public struct Entry: Sendable, Hashable {
        /// How it is graded; nil switches it off.
        public var severity: Severity?
        /// Why.
        public var reason: String

        /// What happens to a rule.
        public init(severity: Severity?, reason: String) {
            self.severity = severity
            self.reason = reason
        }
    }
}
