public import RepriseSession
internal import RepriseWire

/// Which rules are off or graded otherwise, each with a reason that the report shows.
///
/// As JSON: `{"rules": {"sse.S6": {"severity": "off", "reason": "…"}}}`, with `off`, `info`,
/// `warning` or `error`.
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

extension RuleConfiguration {
    /// Something wrong with a configuration.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong and what is expected.
        public var description: String
    }

    /// Reads a configuration.
    ///
    /// - Parameter known: The ids that there are.
    /// - Throws: ``Problem`` where it is not JSON, names an unknown rule, or lacks a reason.
    public init(json bytes: [UInt8], known: Set<String>) throws(Problem) {
        let value: JSON
        do {
            value = try JSON.parse(bytes).value
        } catch {
            throw Problem(description: "the configuration is not JSON: \(error)")
        }
        guard let object = value.object else {
            throw Problem(description: "the configuration is not a JSON object")
        }
        if let other = object.members.first(where: { $0.key != "rules" }) {
            throw Problem(description: "unknown key \"\(other.key)\"; there is \"rules\"")
        }
        guard let rules = object["rules"]?.object else {
            throw Problem(description: "\"rules\" is missing, an object by rule id")
        }
        entries = [:]
        for member in rules.members {
            guard known.contains(member.key) else {
                throw Problem(description: "there is no rule \"\(member.key)\"")
            }
            entries[member.key] = try RuleConfiguration.entry(member.key, member.value)
        }
    }

    private static func entry(_ id: String, _ value: JSON) throws(Problem) -> Entry {
        guard let reason = value["reason"]?.string, !reason.isEmpty else {
            throw Problem(description: "rule \(id) needs a \"reason\", which the report shows")
        }
        let text = value["severity"]?.string ?? ""
        guard text == "off" || Severity(rawValue: text) != nil else {
            throw Problem(
                description: "rule \(id) needs a \"severity\": off, info, warning or error")
        }
        return Entry(severity: Severity(rawValue: text), reason: reason)
    }
}
