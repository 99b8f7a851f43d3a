import RepriseTransport
import RepriseWire

/// A client of the AGO service: what ``AgoChatSDK`` and ``AgoChatWidgetSDK`` can do.
///
/// Every operation throws ``AgoError``, whose code says what happened and whose message says what
/// to do. Cancelling the task ends the operation and its exchange.
public protocol AgoChat: Sendable {
    /// How it reaches the service.
    var client: AgoClient { get }
}

extension AgoChat {
    /// Where the service is.
    public var baseURL: String { client.baseURL }
    /// The app's origin.
    public var origin: String { client.origin }

    /// The user's conversations, newest first as the service lists them; all pages of them.
    public func getConversations() async throws -> [Thread] {
        try await client.operation("getConversations", [:]) { operation in
            var threads: [Thread] = []
            var known: Set<String> = []
            var page = 1
            while true {
                let query = page == 1 ? "" : "?page=\(page)"
                let list = try await operation.document(
                    ThreadList.self, try operation.request("GET", "/conversations" + query))
                let new = list.threads.filter { known.insert($0.id).inserted }
                threads += new
                // A page without anything new would be followed by another one for ever.
                if !list.hasMore || new.isEmpty { return threads }
                page += 1
            }
        }
    }

    /// A conversation with its messages.
    ///
    /// - Parameter conversationId: The conversation's id.
    public func getConversation(conversationId: String) async throws -> MessagesResponse {
        let args: JSON = ["conversationId": .string(conversationId)]
        return try await client.operation("getConversation", args) { operation in
            guard let segment = PathSegment.escaped(conversationId) else {
                throw AgoError(
                    .badArgument, "a conversation's id cannot be empty, '.' or '..'")
            }
            return try await operation.document(
                MessagesResponse.self, try operation.request("GET", "/conversations/" + segment))
        }
    }

    /// Creates a support ticket.
    ///
    /// - Parameters:
    ///   - subject: What it is about, in a line.
    ///   - typology: Its kind, as the service's settings name it.
    ///   - priority: How urgent it is, as the service's settings name it.
    ///   - body: The whole of it.
    ///   - conversationId: The conversation that it comes from.
    public func createTicket(
        subject: String, typology: String, priority: String, body: String,
        conversationId: String? = nil
    ) async throws -> TicketResponse {
        var form = MultipartForm()
        form.append("subject", subject)
        form.append("typology", typology)
        form.append("priority", priority)
        form.append("body", body)
        form.append("conversation_id", conversationId)
        var args: JSONObject = [
            "subject": .string(subject), "typology": .string(typology),
            "priority": .string(priority), "body": .string(body),
        ]
        args["conversationId"] = conversationId.map { .string($0) }
        return try await client.operation("createTicket", .object(args)) { [form] operation in
            try await operation.document(TicketResponse.self, try operation.ticket(form))
        }
    }
}
