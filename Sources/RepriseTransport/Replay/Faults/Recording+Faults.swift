internal import RepriseTape
internal import RepriseWire

extension Recording.Exchange {
    /// The exchange of HTTP as it goes with faults, apart from a status: what happens, when, and
    /// how it ends. A silence for ever is an end by a limit of time.
    package func faulted(_ faults: [AimedFault]) -> Recording.Exchange {
        let codings = response?.headers.contentCodings ?? []
        let isCloseDelimited =
            response?.isCloseDelimited(method: request.method) ?? false
        let fin = isCloseDelimited ? Fault.orderly : .failure(.faultFinish)
        let stages = FaultStages(faults) { $0.stage(start: time, fin: fin, codings: codings) }
        let cut = faults.cut(start: time, fin: fin)
        var isOver = false
        return remade { event in
            if isOver { return [] }
            var made: [Recording.Event] = []
            for step in steps(event, stages) ?? [.other(event)] {
                guard !isOver, case .step(var step) = step else {
                    if case .other(let event) = step { made.append(event) }
                    continue
                }
                if let cut, step.time >= cut.time {
                    cut.fault.strike()
                    step = .end(cut.end, time: cut.time)
                }
                isOver = step.isEnd || step.time == .max
                made.append(step.event(event, isNatural: event.content.kind == .end))
            }
            return made
        } behind: { _ in
            []
        }
    }

    private enum Made {
        case other(Recording.Event)
        case step(FaultStep<Delivery>)
    }

    /// What faults make of an event; nil for what they have nothing to do with.
    private func steps(
        _ event: Recording.Event, _ stages: FaultStages<Delivery>
    ) -> [Made]? {
        let step: FaultStep<Delivery>
        switch event.content {
        case .response(let head) where head.status >= 200: step = .head(time: event.time)
        case .responseBody(let bytes):
            step = .item(Delivery(bytes: bytes, time: event.time), time: event.time)
        case .decodedBody(let bytes):
            step = .item(
                Delivery(bytes: bytes, time: event.time, isDecoded: true), time: event.time)
        case .end(let record):
            let error = TransportError(record)
            step = .end(error.map { .failure($0) } ?? .success(()), time: event.time)
        default: return nil
        }
        return stages.take(step).map { .step($0) }
    }
}

extension FaultStep<Delivery> {
    fileprivate var isEnd: Bool { if case .end = self { true } else { false } }

    /// What a recording would have of it.
    ///
    /// - Parameter source: The event that it was made of, whose own end or head it may be.
    fileprivate func event(_ source: Recording.Event, isNatural: Bool) -> Recording.Event {
        var event = source
        event.time = time
        switch self {
        case _ where time == .max:
            event.time = source.time
            event.content = .end(EndRecord(how: .timedOut))
        case .head: break
        case .item(var delivery, let time):
            delivery.time = time
            event.content = delivery.event(source.frame).content
        case .end(.failure(let error), _):
            if isNatural, case .end(let record) = source.content, TransportError(record) == error {
                break
            }
            event.content = .end(error.endRecord)
        case .end(.success, _):
            if isNatural, case .end(let record) = source.content, record.how == .complete { break }
            event.content = .end(EndRecord(how: .complete, framing: .close, proven: false))
        }
        return event
    }
}
