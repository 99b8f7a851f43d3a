internal import RepriseSupport
internal import RepriseTape

extension ReplayTransport {
    /// What is left of the bodies that were not read to their ends, in the order of the requests.
    /// It changes while they are read.
    public var unreadBodies: [UnreadBody] { state.withLock { $0.bodies }.compactMap(\.rest) }

    /// Answers `request` with the first recorded exchange that is left and is one of it, whatever
    /// was asked for before.
    ///
    /// - Returns: nil where there is none; nothing is used up then, and it is no miss.
    package func answer(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response? {
        guard let place = take(request, .http) else { return nil }
        return try await respond(to: request, with: place, observer)
    }

    /// Answers the request for a WebSocket likewise.
    package func answer(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse? {
        guard let place = take(request, .websocket) else { return nil }
        return try await connect(request, to: place, options, observer)
    }

    private func take(_ request: Request, _ transport: RequestRecord.Transport) -> Int? {
        let place = state.withLock { $0.matcher.takeAny(request, transport) }
        if let place { gate.came(recording.exchanges[place]) }
        return place
    }
}
