internal import RepriseSupport

/// A body whose deliveries are cut anew.
final class RecutBody: ResponseBody.Source {
    fileprivate struct State {
        var cutter: BodyCutter
        /// Pieces that nobody took yet.
        var ready: ArraySlice<Delivery> = []
        var end: Result<Void, TransportError>?
        /// Whether the app stopped the exchange, and wants none of it.
        var hasStopped = false
    }

    private let base: ResponseBody
    private let state: Locked<State>

    init(_ base: ResponseBody, _ cutter: sending BodyCutter) {
        self.base = base
        state = Locked(State(cutter: cutter))
    }

    func next() async throws(TransportError) -> Delivery? {
        if Task.isCancelled { cancel() }
        var source = base.makeAsyncIterator()
        while true {
            let ready = state.withLock { state -> Result<Delivery?, TransportError>? in
                if let piece = state.ready.popFirst() { return .success(piece) }
                return state.end?.map { nil }
            }
            if let ready { return try ready.get() }
            do throws(TransportError) {
                let delivery = try await source.next()
                state.withLock { $0.take(delivery) }
            } catch {
                state.withLock { $0.take(.failure(error)) }
            }
        }
    }

    func cancel() {
        state.withLock { state in
            if state.end != nil { return }
            state.hasStopped = true
            state.ready = []
        }
        base.cancel()
    }
}

extension RecutBody.State {
    fileprivate mutating func take(_ delivery: Delivery?) {
        guard let delivery else { return take(.success(())) }
        ready += cutter.push(delivery)
    }

    fileprivate mutating func take(_ end: Result<Void, TransportError>) {
        self.end = end
        if hasStopped { return }
        ready += cutter.finish()
    }
}
