internal import RepriseSession
internal import RepriseWire

/// The replies that are no streams: rule `json.J2`.
enum AgoReplies {
    static func check(
        _ value: JSON, of endpoint: AgoEndpoint, at place: Place, into output: inout DialectOutput
    ) {
        var problems: [(expected: String, seen: String)] = []
        switch endpoint {
        case .conversations: problems = conversations(value)
        case .conversation: problems = conversation(value)
        case .tickets:
            problems = strings(["id", "ticket_url"], of: value, at: "")
        default: break
        }
        for problem in problems {
            output.raise(.jsonJ2, at: place, expected: problem.expected, seen: problem.seen)
        }
    }

    private typealias Problems = [(expected: String, seen: String)]

    /// A bare array, or an envelope around it.
    private static func conversations(_ value: JSON) -> Problems {
        guard let list = value.array ?? value["data"]?.array else {
            return [("an array of conversations, or data with one", kind(value))]
        }
        return list.enumerated().flatMap { strings(["id"], of: $1, at: "[\($0)].") }
    }

    private static func conversation(_ value: JSON) -> Problems {
        let owner = value["thread"] == nil ? value : value["thread"] ?? value
        let path = value["thread"] == nil ? "" : "thread."
        let problems = strings(["id"], of: owner, at: path)
        guard let messages = value["messages"]?.array else {
            return problems + [("messages: array", "messages: \(kind(value["messages"]))")]
        }
        return problems
            + messages.enumerated().flatMap {
                strings(["id", "content", "role"], of: $1, at: "messages[\($0)].")
            }
    }

    private static func strings(_ keys: [String], of value: JSON, at path: String) -> Problems {
        keys.filter { value[$0]?.string == nil }.map { key in
            ("\(path)\(key): string", "\(path)\(key): \(kind(value[key]))")
        }
    }

    private static func kind(_ value: JSON?) -> String {
        AgoChunk.Mismatch.Found(value).rawValue
    }
}
