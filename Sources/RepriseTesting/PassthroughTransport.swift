internal import RepriseTransport

/// A replay that asks the service for what is not on the tape.
struct PassthroughTransport: Transport {
    let replay: ReplayTransport
    let live: any Transport

    var context: SessionContext { replay.context }

    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        if let answer = try await replay.answer(request, observer: observer) { return answer }
        return try await live.send(request, observer: observer)
    }

    func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        let answer = try await replay.answer(request, options: options, observer: observer)
        if let answer { return answer }
        return try await live.connect(request, options: options, observer: observer)
    }
}
