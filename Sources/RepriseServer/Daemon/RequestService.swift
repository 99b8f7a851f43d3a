internal import RepriseTape
internal import RepriseTransport

/// What decides on responses. Called on the daemon's thread, so it may not block.
protocol RequestService: AnyObject, Sendable {
    /// A request came whole.
    func respond(to request: Request) -> ServiceAnswer

    /// What was answered is over.
    ///
    /// - Parameters:
    ///   - ticket: The one of the answer.
    ///   - sent: How many bytes of the body went out.
    ///   - isWhole: Whether everything went out, to the recorded end.
    func finish(_ ticket: Int, sent: Int, isWhole: Bool)
}

/// A response, and what the service calls it.
struct ServiceAnswer: Sendable {
    var response: ServedResponse
    /// What the service wants to be told the end by; nil for nothing.
    var ticket: Int?
    /// For a WebSocket: makes what plays it, given the clock, when by it the request came, who sends
    /// the head of the answer, and who writes pieces that have so many bytes of payload.
    var socket:
        (
            @Sendable (
                any SessionClock, _ start: Int64,
                _ open: @escaping @Sendable (ResponseRecord) -> Void,
                _ write: @escaping @Sendable (_ pieces: [[UInt8]], _ payload: Int) -> Void
            ) -> ServedSocket
        )?
}
