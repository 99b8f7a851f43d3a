internal import RepriseTape

/// A request that was answered by no recorded exchange, or what a client said on a WebSocket that
/// was not recorded so.
public struct ReplayMiss: Sendable, Hashable {
    /// The operation that made it.
    public var call: UInt64?
    /// The exchange that was due; nil where none was left. The WebSocket's.
    public var exchange: UInt64?
    /// The method and URL path of the request; with the number of the message on a WebSocket.
    public var request: String
    /// In what the request or message is not the recorded one; empty where none was left.
    public var differences: [RequestDifference]
    /// The number, from 1, of the message or close frame on a WebSocket; nil for a request.
    public var message: Int?

    /// Whether nothing recorded was left for it.
    public var isExhausted: Bool { exchange == nil || message != nil && differences.isEmpty }

    /// What was thrown for it.
    public var error: TransportError {
        if message != nil, isExhausted {
            return TransportError(
                how: .failed, .exhausted,
                "\(request): more than the client said on this WebSocket when it was recorded")
        }
        guard let exchange else {
            return TransportError(
                how: .failed, .exhausted,
                "\(request): more requests \(place) than were recorded")
        }
        let first = differences.first?.description ?? "it differs"
        let more = differences.count > 1 ? " (and \(differences.count - 1) more)" : ""
        return TransportError(
            how: .failed, .mismatch,
            "\(request) is not the \(message == nil ? "request" : "one") of the recorded exchange "
                + "\(exchange): \(first)\(more)")
    }

    private var place: String { call.map { "in call \($0)" } ?? "outside of calls" }
}
