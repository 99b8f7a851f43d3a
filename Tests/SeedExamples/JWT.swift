import AgoKit

/// Each declaration of the guide's JWT class, used with the names and types that it shows there.
func useEveryOperation(content: String, threadId: String?) async throws {
    let sdk = AgoChatSDK(
        authToken: "token", widgetId: "widget", origin: "https://your-app.example.com")
    sdk.authToken = "another token"
    let texts: [String] = [sdk.baseURL, sdk.authToken, sdk.widgetId, sdk.origin]
    print(texts)

    let threads: [Thread] = try await sdk.getConversations()
    let response: MessagesResponse = try await sdk.getConversation(conversationId: threads[0].id)
    let message: Message = try await sdk.sendMessage(content: content)
    let next: Message = try await sdk.sendMessage(content: content, threadId: threadId)
    let ticket: TicketResponse = try await sdk.createTicket(
        subject: "subject", typology: "typology", priority: "priority", body: "body")
    let other: TicketResponse = try await sdk.createTicket(
        subject: "subject", typology: "typology", priority: "priority", body: "body",
        conversationId: response.thread.id)
    print(message.id, next.content, ticket.id, other.ticketUrl)
}

/// The guide's widget class, whose `sendMessage` returns nothing.
func useEveryWidgetOperation() async throws {
    let sdk = AgoChatWidgetSDK(origin: "https://your-app.example.com")
    let email: String? = sdk.userEmail
    let texts: [String] = [sdk.baseURL, sdk.widgetId, sdk.origin, email ?? ""]
    print(texts)
    try await sdk.sendMessage(content: "content", threadId: nil)
    let ticket: TicketResponse = try await sdk.createTicket(
        subject: "subject", typology: "typology", priority: "priority", body: "body",
        conversationId: nil)
    print(ticket)
}

/// The listener of the guide's Kotlin class.
func listen(to sdk: AgoChatSDK) {
    sdk.sendMessage(
        content: "content",
        threadId: nil,
        onContentUpdate: { text in print(text) },
        onComplete: { print("complete") },
        onError: { message in print(message) }
    )
}
