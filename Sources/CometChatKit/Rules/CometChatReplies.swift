import RepriseSession
import RepriseWire

/// The replies to requests: rule `json.J2`.
enum CometChatReplies {
    static func check(
        _ value: JSON, of endpoint: CometChatEndpoint, at place: Place,
        into output: inout DialectOutput
    ) {
        for problem in problems(value, of: endpoint) {
            output.raise(
                .jsonJ2, at: place, expected: "\(problem.path): \(problem.expected.rawValue)",
                seen: "\(problem.path): \(problem.found.rawValue)")
        }
    }

    private static func problems(
        _ value: JSON, of endpoint: CometChatEndpoint
    ) -> [JSON.Mismatch] {
        let data = value["data"]
        switch endpoint {
        case .message:
            guard let body = data?.object else { return [missing("data", .object, data)] }
            return message(body, at: "data.")
                + (data?["conversationId"] == nil
                    ? [missing("data.conversationId", .string, nil)] : [])
        case .user:
            return data?["uid"]?.string == nil ? [missing("data.uid", .string, data?["uid"])] : []
        case .history:
            guard let messages = data?.array else { return [missing("data", .array, data)] }
            return messages.enumerated().flatMap { index, value in
                value.object.map { message($0, at: "data[\(index)].") }
                    ?? [missing("data[\(index)]", .object, value)]
            }
        case .other: return []
        }
    }

    private static func message(_ body: JSONObject, at path: String) -> [JSON.Mismatch] {
        var found = ChatMessage(body).mismatches
        if body["id"] == nil { found.append(missing("id", .integer, nil)) }
        return found.map { mismatch in
            var mismatch = mismatch
            mismatch.path = path + mismatch.path
            return mismatch
        }
    }

    private static func missing(
        _ path: String, _ expected: JSON.Mismatch.Expected, _ value: JSON?
    ) -> JSON.Mismatch {
        JSON.Mismatch(path: path, expected: expected, found: .init(value))
    }
}
