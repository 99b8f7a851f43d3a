internal import RepriseSession
internal import RepriseWire

/// Something wrong with a configuration.
public struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what is expected.
    public var description: String
}

extension AnalysisOptions {
    /// Takes a configuration in:
    ///
    /// ```json
    /// {
    ///   "rules": {"sse.S6": {"severity": "off", "reason": "…"}},
    ///   "stall": {"factor": 10, "floorMs": 500}
    /// }
    /// ```
    ///
    /// Both keys may be left out; a severity is `off`, `info`, `warning` or `error`.
    ///
    /// - Parameter known: The ids of the rules that there are.
    /// - Throws: ``ConfigurationProblem`` where it is not JSON, names what there is not, or lacks a
    ///   reason.
    public mutating func configure(
        json bytes: [UInt8], known: Set<String>
    ) throws(ConfigurationProblem) {
        for member in try AnalysisOptions.members(of: bytes) {
            switch member.key {
            case "rules": try readRules(member.value, known)
            case "stall": try readStall(member.value)
            default:
                throw ConfigurationProblem(
                    description: "unknown key \"\(member.key)\"; there are \"rules\" and \"stall\"")
            }
        }
    }

    private static func members(
        of bytes: [UInt8]
    ) throws(ConfigurationProblem) -> [JSONObject.Member] {
        let value: JSON
        do {
            value = try JSON.parse(bytes).value
        } catch {
            throw ConfigurationProblem(description: "the configuration is not JSON: \(error)")
        }
        guard let object = value.object else {
            throw ConfigurationProblem(description: "the configuration is not a JSON object")
        }
        return object.members
    }

    private mutating func readRules(
        _ value: JSON, _ known: Set<String>
    ) throws(ConfigurationProblem) {
        guard let object = value.object else {
            throw ConfigurationProblem(description: "\"rules\" is not an object by rule id")
        }
        for member in object.members {
            guard known.contains(member.key) else {
                throw ConfigurationProblem(description: "there is no rule \"\(member.key)\"")
            }
            rules.entries[member.key] = try AnalysisOptions.entry(member.key, member.value)
        }
    }

    private static func entry(
        _ id: String, _ value: JSON
    ) throws(ConfigurationProblem) -> RuleConfiguration.Entry {
        guard let reason = value["reason"]?.string, !reason.isEmpty else {
            throw ConfigurationProblem(
                description: "rule \(id) needs a \"reason\", which the report shows")
        }
        let text = value["severity"]?.string ?? ""
        guard text == "off" || Severity(rawValue: text) != nil else {
            throw ConfigurationProblem(
                description: "rule \(id) needs a \"severity\": off, info, warning or error")
        }
        return RuleConfiguration.Entry(severity: Severity(rawValue: text), reason: reason)
    }

    private mutating func readStall(_ value: JSON) throws(ConfigurationProblem) {
        for member in value.object?.members ?? [] {
            guard let number = member.value.integer, (1...1_000_000).contains(number) else {
                throw ConfigurationProblem(
                    description: "\"\(member.key)\" is a whole number from 1 to 1000000")
            }
            switch member.key {
            case "factor": stallFactor = number
            case "floorMs": stallFloor = number * 1_000_000
            default:
                throw ConfigurationProblem(
                    description:
                        "unknown key \"\(member.key)\"; \"stall\" has \"factor\" and \"floorMs\"")
            }
        }
    }
}
