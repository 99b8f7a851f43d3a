internal import RepriseTape
internal import RepriseWire

extension Recording.Exchange {
    /// The exchange with its response's body cut anew.
    ///
    /// - Parameter member: Which exchange of the session it is.
    package func cut(_ cuts: Cuts, member: UInt64) -> Recording.Exchange {
        if cuts == .asRecorded { return self }
        let cutter = BodyCutter(
            cuts, codings: response?.headers.contentCodings ?? [], member: member)
        return remade { event in
            switch event.content {
            case .responseBody(let bytes):
                cutter.push(Delivery(bytes: bytes, time: event.time)).map { $0.event(event.frame) }
            case .decodedBody(let bytes):
                cutter.push(Delivery(bytes: bytes, time: event.time, isDecoded: true))
                    .map { $0.event(event.frame) }
            case .end: cutter.finish().map { $0.event(event.frame) } + [event]
            default: [event]
            }
        } behind: { frame in
            // The recorder died: nothing says that it ended.
            cutter.finish().map { $0.event(frame) }
        }
    }

    /// The exchange with other events, bodies coded as the head says.
    func remade(
        _ change: (Recording.Event) -> [Recording.Event],
        behind: (_ frame: UInt64) -> [Recording.Event]
    ) -> Recording.Exchange {
        var exchange = self
        exchange.events = codedEvents.flatMap(change)
        exchange.events += behind(exchange.events.last?.frame ?? frame)
        return exchange
    }
}

extension Delivery {
    /// What a recording has of it.
    func event(_ frame: UInt64) -> Recording.Event {
        Recording.Event(
            content: isDecoded ? .decodedBody(bytes) : .responseBody(bytes), time: time,
            frame: frame)
    }
}
