/// A rule that a session broke, and where.
public struct Violation: Sendable, Hashable {
    /// The rule's id.
    public var rule: String
    /// How bad it is: the rule's severity, unless a configuration grades it otherwise.
    public var severity: Severity
    /// Where it shows.
    public var place: Place
    /// What was expected: control characters escaped, at most 200 characters.
    public var expected: String
    /// What was seen: masked, control characters escaped, at most 200 characters.
    public var seen: String
    /// The event or document in which it shows, else the last one before it; nil where there was
    /// none, or where many violations of the rule have one already.
    public var event: Excerpt?
    /// What it is about, e.g. a tool call's id: two rules that tell the same fact name the same.
    package var subject: String?

    /// A violation; `seen` is masked and cut. Recorded words in it stand between quotes: see
    /// `SeenText.quoted`.
    public init(
        _ rule: Rule, at place: Place, expected: String, seen: String, subject: String? = nil
    ) {
        self.rule = rule.id
        severity = rule.severity
        self.place = place
        self.expected = SeenText.sentence(expected)
        self.seen = SeenText.shown(seen)
        self.subject = subject
    }
}
