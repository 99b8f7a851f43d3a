import AgoKit

/// The guide's models, built and read with the names that it shows.
func useEveryModel() {
    let document = KnowledgeDocument(
        id: "document", title: "title", externalLinkUrl: nil, internalLinkUrl: nil)
    let source = KnowledgeSource(id: "source", knowledgeDocument: document)
    let agent = Agent(id: "agent", name: "name")
    let message = Message(
        id: "message", content: "content", role: "assistant", agent: nil, knowledgeSources: nil)
    let thread = Thread(id: "thread", title: nil, lastMessageDate: nil)
    let response = MessagesResponse(messages: [message], thread: thread)
    let ticket = TicketResponse(id: "ticket", ticketUrl: "url")

    let links: [String?] = [document.externalLinkUrl, document.internalLinkUrl]
    let title: String? = thread.title
    let date: String? = thread.lastMessageDate
    let sources: [KnowledgeSource]? = message.knowledgeSources
    let answering: Agent? = message.agent
    print(links, title ?? "", date ?? "", sources ?? [], answering?.name ?? agent.name)
    print(source.knowledgeDocument.title, message.role, response.messages.count, ticket.ticketUrl)
}
