/// A support ticket that was created.
public struct TicketResponse: Codable, Sendable, Hashable {
    /// Its id.
    public let id: String
    /// Where it is.
    public let ticketUrl: String

    /// Creates a response.
    public init(id: String, ticketUrl: String) {
        self.id = id
        self.ticketUrl = ticketUrl
    }

    enum CodingKeys: String, CodingKey {
        case id
        case ticketUrl = "ticket_url"
    }
}
