import RepriseTape
import RepriseTransport
import RepriseWire

extension ChatbaseOperation {
    /// The request that sends a message, or goes on behind tool results where there is none.
    func chat(
        _ message: JSON?, conversationId: String?, isStream: Bool = true
    ) throws(ChatError) -> Request {
        var body = JSONObject()
        body["message"] = message
        body["conversationId"] = conversationId.map { .string($0) }
        body["stream"] = .bool(isStream)
        return try request(
            "POST", "chat", body: body,
            accept: isStream ? "text/event-stream" : "application/json")
    }

    /// How often a tool's result is submitted at most.
    private static let maximumSubmissions = 3
    /// The wait before the second submission; before the third it is twice as long.
    private static let submissionDelay: Int64 = 300_000_000

    /// Submits what came of a tool, again where the service is not ready for it yet.
    ///
    /// - Throws: ``APIError`` of the last attempt. What a success says is of no matter.
    func submit(
        _ output: JSON, of id: String, conversationId: String,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let request = try request(
            "POST", "conversations", conversationId, "tool-result",
            body: ["toolCallId": .string(id), "output": output])
        var attempt = 1
        while true {
            do {
                _ = try await send(request) { try await $0.collected() }
                return
            } catch  where attempt < Self.maximumSubmissions && Self.mayPass(error) {
                let limit = Self.submissionDelay * Int64(attempt)
                let delay = client.context.drawDelay(call: call, limit: limit) { limit }
                try await client.context.clock.sleep(for: delay)
                attempt += 1
            }
        }
    }

    /// Whether a submission may succeed later: the service may not know the call yet (404), be
    /// busy, or not have been reached.
    private static func mayPass(_ error: any Error) -> Bool {
        if let status = (error as? APIError)?.statusCode {
            return [404, 408, 425, 429].contains(status) || status >= 500
        }
        guard let error = error as? TransportError else { return false }
        return error.how != .cancelled && !RetryPolicy.isFinal(error)
    }
}
