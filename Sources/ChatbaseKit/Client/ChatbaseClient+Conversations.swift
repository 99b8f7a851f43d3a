import RepriseTransport
import RepriseWire

extension ChatbaseClient {
    /// A page of the conversations of this user or device.
    ///
    /// - Parameters:
    ///   - cursor: Where it begins: the last page's cursor; nil for the first page.
    ///   - limit: How many there are on it at most; nil leaves it to the service.
    public func listConversations(
        cursor: String? = nil, limit: Int? = nil
    ) async throws -> Page<Conversation> {
        let args = Self.place(cursor, limit, [:])
        return try await operation("listConversations", args, result: JSONDocument.json) {
            operation in
            try await operation.document(
                Page<Conversation>.self,
                try operation.request(
                    "GET", "conversations", query: Self.query(cursor: cursor, limit: limit)))
        }
    }

    /// A page of the messages of a conversation.
    ///
    /// - Parameters:
    ///   - conversationId: The conversation.
    ///   - cursor: Where it begins: the last page's cursor; nil for the first page.
    ///   - limit: How many there are on it at most; nil leaves it to the service.
    public func listMessages(
        conversationId: String, cursor: String? = nil, limit: Int? = nil
    ) async throws -> Page<Message> {
        let args = Self.place(cursor, limit, ["conversationId": .string(conversationId)])
        return try await operation("listMessages", args, result: JSONDocument.json) { operation in
            try await operation.document(
                Page<Message>.self,
                try operation.request(
                    "GET", "conversations", conversationId, "messages",
                    query: Self.query(cursor: cursor, limit: limit)))
        }
    }

    private static func place(_ cursor: String?, _ limit: Int?, _ args: JSONObject) -> JSON {
        var args = args
        args["cursor"] = cursor.map { .string($0) }
        args["limit"] = limit.map { .integer($0) }
        return .object(args)
    }

    private static func query(cursor: String?, limit: Int?) -> String {
        let cursor = cursor.map { "cursor=" + PathSegment.percentEncoded($0) }
        let limit = limit.map { "limit=\($0)" }
        let query = [cursor, limit].compactMap { $0 }.joined(separator: "&")
        return query.isEmpty ? "" : "?" + query
    }
}
