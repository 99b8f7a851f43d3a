import RepriseTape
import RepriseTransport
import RepriseWire

extension AgoOperation {
    /// The request that sends a message.
    func message(_ content: String, threadId: String?) throws(AgoError) -> Request {
        var body: JSONObject = ["content": .string(content)]
        body["thread"] = threadId.map { ["id": .string($0)] }
        return try request(
            "POST", "/messages", body: JSON.object(body).serializedBytes,
            contentType: "application/json", accept: "text/event-stream")
    }

    /// Checks that the answer to a message is a stream.
    func stream(_ response: Response) async throws -> Response {
        let head = response.head
        if !(200..<300).contains(head.status) {
            try check(head, try await response.collected())
        }
        if head.headers.mediaType == "text/event-stream" { return response }
        let isEmpty = try await response.collected().isEmpty
        var error =
            isEmpty
            ? AgoError(
                .emptyReply,
                "the service answered with nothing, as it does for an agent that it does not know")
            : AgoError(
                .unexpectedContentType,
                "the service answered with another type of content than an event stream; "
                    + "check the base URL")
        error.status = head.status
        throw error
    }
}
