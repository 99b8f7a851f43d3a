/// Why a reply ended.
public enum FinishReason: String, Codable, Sendable, Hashable {
    /// The agent was done.
    case stop
    /// The agent failed.
    case error
    /// The agent waits for the results of tools.
    case toolCalls = "tool-calls"
}

/// What a reply cost.
public struct Usage: Codable, Sendable, Hashable {
    /// Credits, which may be a fraction.
    public let credits: Double

    /// Creates a usage.
    public init(credits: Double) { self.credits = credits }
}
