package import RepriseTransport

/// A recorded exchange that is served, and what became of it.
package struct ServedExchange: Sendable {
    /// What became of it.
    package enum State: Sendable, Hashable {
        /// No request asked for it.
        case unasked
        /// It goes out.
        case running
        /// All of it went out, to the recorded end.
        case whole
        /// The client left, or the server was stopped, after that many bytes of the body.
        case left(bytes: Int)
    }

    /// The name of its tape.
    package let tape: String
    /// What was recorded.
    package let exchange: Recording.Exchange
    /// How many bytes the body of its response has.
    package let byteCount: Int
    /// What became of it.
    package internal(set) var state = State.unasked

    /// What it is called in messages.
    package var name: String { "exchange \(exchange.id) of \(tape)" }
}
