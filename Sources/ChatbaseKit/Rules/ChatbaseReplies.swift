import RepriseSession
import RepriseWire

/// The replies that are no streams: rule `json.J2`.
enum ChatbaseReplies {
    static func check(
        _ value: JSON, of endpoint: ChatbaseEndpoint, at place: Place,
        into output: inout DialectOutput
    ) {
        for problem in problems(value, of: endpoint) {
            output.raise(
                .jsonJ2, at: place, expected: "\(problem.path): \(problem.expected.rawValue)",
                seen: "\(problem.path): \(problem.found.rawValue)")
        }
    }

    private static func problems(_ value: JSON, of endpoint: ChatbaseEndpoint) -> [JSON.Mismatch] {
        let data = value["data"]
        switch endpoint {
        case .chat: return message(data, at: "data", .metadata)
        case .toolResult: return need(data?["success"], \.bool, .bool, at: "data.success")
        case .conversations:
            return page(value) { need($0["id"], \.string, .string, at: $1 + ".id") }
        case .messages: return page(value) { message($0, at: $1, .parts) }
        case .verify, .other: return []
        }
    }

    /// How much of a message is looked at.
    private enum Depth { case parts, metadata }

    private static func message(
        _ value: JSON?, at path: String, _ depth: Depth
    ) -> [JSON.Mismatch] {
        var found = ["id", "role"].flatMap {
            need(value?[$0], \.string, .string, at: "\(path).\($0)")
        }
        found += need(value?["parts"], \.array, .array, at: path + ".parts")
        if depth == .metadata {
            let metadata = value?["metadata"]
            found += ["conversationId", "finishReason"].flatMap {
                need(metadata?[$0], \.string, .string, at: "\(path).metadata.\($0)")
            }
            found += need(
                metadata?["usage"]?["credits"], \.double, .number,
                at: path + ".metadata.usage.credits")
        }
        return found
    }

    private static func page(
        _ value: JSON, _ item: (JSON, String) -> [JSON.Mismatch]
    ) -> [JSON.Mismatch] {
        let items = value["data"]?.array ?? []
        let pagination = value["pagination"]
        return need(value["data"], \.array, .array, at: "data")
            + items.enumerated().flatMap { item($1, "data[\($0)]") }
            + need(pagination?["hasMore"], \.bool, .bool, at: "pagination.hasMore")
            + need(pagination?["total"], \.double, .number, at: "pagination.total")
    }

    private static func need<Value>(
        _ value: JSON?, _ read: (JSON) -> Value?, _ expected: JSON.Mismatch.Expected,
        at path: String
    ) -> [JSON.Mismatch] {
        if value.flatMap(read) != nil { return [] }
        return [JSON.Mismatch(path: path, expected: expected, found: .init(value))]
    }
}

extension ChatbaseStream {
    /// A reply that came whole, in place of a stream.
    mutating func read(reply: JSON, at place: Place, in around: inout Surroundings) {
        isReply = true
        let message = reply["data"]
        var parts: [JSONObject] = [["type": "start", "messageId": message?["id"] ?? .null]]
        for part in message?["parts"]?.array ?? [] { parts += ChatbaseStream.parts(of: part) }
        parts.append(["type": "finish", "messageMetadata": message?["metadata"] ?? [:]])
        for part in parts {
            guard let document = try? JSON.parse(JSON.object(part).serializedBytes),
                let part = StreamPart(document)
            else { continue }
            take(part, at: place, in: &around)
        }
        readDone(at: place, in: &around)
    }

    /// The parts of a stream that say what a part of a message does.
    private static func parts(of part: JSON) -> [JSONObject] {
        guard let object = part.object else { return [] }
        switch part["type"]?.string {
        case "text": return [["type": "text-delta", "delta": object["text"] ?? ""]]
        case "tool-call": return [object.typed("tool-input-available")]
        case "tool-result": return [object.typed("tool-output-available")]
        default: return []
        }
    }
}

extension JSONObject {
    fileprivate func typed(_ type: JSON) -> JSONObject {
        var object = self
        object["type"] = type
        return object
    }
}
