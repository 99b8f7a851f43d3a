/// The agent that answers.
public struct Agent: Codable, Sendable, Hashable {
    /// Its id.
    public let id: String
    /// Its name.
    public let name: String
    /// The name to show, where it has one of its own.
    public let displayName: String?

    /// Creates an agent.
    public init(id: String, name: String, displayName: String? = nil) {
        self.id = id
        self.name = name
        self.displayName = displayName
    }

    enum CodingKeys: String, CodingKey {
        case id, name
        case displayName = "display_name"
    }
}
