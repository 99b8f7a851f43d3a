package import RepriseSession

/// Writes the rules as an article, so that the documentation cannot say something else.
package enum RuleDocument {
    /// The article on `rules`, each line ended.
    package static func markdown(_ rules: [Rule]) -> String {
        var lines = [
            "# Rules", "",
            "What sessions are held against: every rule with its id, its severity and its source.",
            "",
            "An id names one fact and is never used for another. Where a vendor's rule supersedes a "
                + "general one,", "only the vendor's is reported for that fact.",
        ]
        var family = ""
        for rule in rules {
            let name = String(rule.id.prefix { $0 != "." })
            if name != family {
                family = name
                lines += ["", "## \(title(name))", "", "| id | severity | what is broken |"]
                lines.append("| --- | --- | --- |")
            }
            lines.append("| `\(rule.id)` | \(rule.severity.rawValue) | \(text(rule)) |")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func text(_ rule: Rule) -> String {
        let title = rule.title.prefix(1).uppercased() + rule.title.dropFirst()
        var text = "\(title). \(rule.explanation) *Source: \(rule.source).*"
        if !rule.supersedes.isEmpty { text += " Supersedes \(list(rule.supersedes))." }
        if !rule.yieldsTo.isEmpty { text += " Not reported along with \(list(rule.yieldsTo))." }
        return text.replacing("|", with: "\\|")
    }

    private static func list(_ ids: [String]) -> String {
        ids.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func title(_ family: String) -> String {
        switch family {
        case "http": "HTTP"
        case "sse": "Event streams"
        case "ws": "WebSockets"
        case "json": "JSON"
        case "time": "Time"
        case "usage": "Usage"
        case "tool": "Tools"
        case "tape": "The recording itself"
        case "ago": "AGO"
        case "chatbase": "Chatbase"
        case "cometchat": "CometChat"
        default: family
        }
    }
}
