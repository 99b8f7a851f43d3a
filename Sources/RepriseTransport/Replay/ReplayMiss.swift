internal import RepriseTape

/// A request that was answered by no recorded exchange.
public struct ReplayMiss: Sendable, Hashable {
    /// The operation that made it.
    public var call: UInt64?
    /// The exchange that was due; nil where none was left.
    public var exchange: UInt64?
    /// The method and URL path of the request.
    public var request: String
    /// In what the request is not the recorded one; empty where none was left.
    public var differences: [RequestDifference]

    /// Whether no recorded exchange was left for it.
    public var isExhausted: Bool { exchange == nil }

    /// What was thrown for it.
    public var error: TransportError {
        guard let exchange else {
            return TransportError(
                how: .failed, .exhausted,
                "\(request): more requests \(place) than were recorded")
        }
        let first = differences.first?.description ?? "it differs"
        let more = differences.count > 1 ? " (and \(differences.count - 1) more)" : ""
        return TransportError(
            how: .failed, .mismatch,
            "\(request) is not the request of the recorded exchange \(exchange): \(first)\(more)")
    }

    private var place: String { call.map { "in call \($0)" } ?? "outside of calls" }
}
