internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Another transport on which things go wrong as is said: at the same places and times of the
/// context's clock on each run.
///
/// Of several faults in one exchange each counts in what those before it leave. A silence that a
/// fault makes ends by the request's limit of silence, as one of the peer's would. An observer is
/// told what the app gets.
public struct FaultTransport: Transport {
    /// The transport that does the work.
    public let base: any Transport
    /// What goes wrong.
    public let faults: [Fault]
    private let plan: FaultPlan

    /// Lets things go wrong over `base`.
    public init(base: any Transport, faults: [Fault]) {
        self.base = base
        self.faults = faults
        plan = FaultPlan(faults)
    }

    /// Lets those go wrong over `base`, in whatever exchange: their targets are met.
    package init(base: any Transport, aimed: [AimedFault]) {
        self.base = base
        faults = aimed.map { Fault($0.fault.kind, at: $0.fault.place) }
        plan = FaultPlan(faults, within: aimed)
    }

    /// The faults that have not struck yet: no exchange was their target, or none reached their
    /// place, or there was nothing for them to change.
    public var unstruck: [Fault] { plan.unstruck }

    /// That of the other transport.
    public var context: SessionContext { base.context }

    /// Sends `request` over the other transport, unless a fault answers it.
    public func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        let faults = plan.take(request)
        if let answer = FaultAnswer(faults, request, .http, at: context.clock.now()) {
            return answer.response(observer)
        }
        if faults.isEmpty { return try await base.send(request, observer: observer) }
        let tee = FaultObserver(observer)
        let response = try await started(faults, tee) {
            [base] () -> Result<Response, TransportError> in
            do throws(TransportError) {
                return .success(try await base.send(request, observer: tee))
            } catch {
                return .failure(error)
            }
        }
        return Response(
            head: response.head,
            body: try await body(of: response, request, faults, tee))
    }

    /// Connects over the other transport, unless a fault answers the request.
    public func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        let faults = plan.take(request)
        if let answer = FaultAnswer(faults, request, .websocket, at: context.clock.now()) {
            let response = answer.response(observer)
            return SocketResponse(head: response.head, outcome: .refused(response.body))
        }
        if faults.isEmpty {
            return try await base.connect(request, options: options, observer: observer)
        }
        let tee = FaultObserver(observer)
        var response = try await started(faults, tee) {
            [base] () -> Result<SocketResponse, TransportError> in
            do throws(TransportError) {
                return .success(
                    try await base.connect(request, options: options, observer: tee))
            } catch {
                return .failure(error)
            }
        }
        switch response.outcome {
        case .refused(let body):
            let whole = Response(head: response.head, body: body)
            response.outcome = .refused(try await self.body(of: whole, request, faults, tee))
        case .switched(let channel):
            response.outcome = .switched(
                try await self.channel(channel, response.head, request, options, faults, tee))
        }
        return response
    }

    /// What the other transport answers, unless a fault ends the exchange before.
    private func started<Value: Sendable>(
        _ faults: [AimedFault], _ tee: FaultObserver,
        _ work: @escaping @Sendable () async -> Result<Value, TransportError>
    ) async throws(TransportError) -> Value {
        let now = context.clock.now()
        let cut = faults.cut(start: 0, fin: .failure(.faultFinish))
        var answer: Result<Value, TransportError>?
        if let cut, context.hasMoments {
            answer = await context.race(
                until: { (tee.start ?? now).saturatingAdd(cut.time) }, work: work)
        } else {
            answer = await work()
        }
        switch answer {
        case .success(let value): return value
        case .failure(let error):
            tee.tell(.end(tee.end?.record ?? error.endRecord), at: context.clock.now())
            throw error
        case nil:
            cut?.fault.strike()
            let error = cut?.error ?? .faultReset
            tee.tell(.end(error.endRecord), at: context.clock.now())
            throw error
        }
    }

    private func body(
        of response: Response, _ request: Request, _ faults: [AimedFault], _ tee: FaultObserver
    ) async throws(TransportError) -> ResponseBody {
        let source = response.body
        let start = tee.start ?? context.clock.now()
        let codings = response.head.headers.contentCodings
        let fin =
            response.head.isCloseDelimited(method: request.method)
            ? Fault.orderly : .failure(.faultFinish)
        let stages = FaultStages(faults) { $0.stage(start: start, fin: fin, codings: codings) }
        let run = FaultRun(
            stages,
            FaultRun<Delivery>.Surroundings(
                context: context, observer: tee, start: start, timeouts: request.timeouts,
                cut: faults.cut(start: start, fin: fin),
                next: {
                    var iterator = source.makeAsyncIterator()
                    do throws(TransportError) { return .success(try await iterator.next()) } catch {
                        return .failure(error)
                    }
                },
                stop: { _ in source.cancel() },
                content: { $0.isDecoded ? .decodedBody($0.bytes) : .responseBody($0.bytes) }))
        try await run.head(response.head)
        return ResponseBody(FaultBody(run))
    }

    private func channel(
        _ channel: any SocketChannel, _ head: ResponseRecord, _ request: Request,
        _ options: SocketOptions, _ faults: [AimedFault], _ tee: FaultObserver
    ) async throws(TransportError) -> FaultChannel {
        let start = tee.start ?? context.clock.now()
        let deflate = (try? WebSocketAgreement(request: request.headers, response: head.headers))?
            .deflate
        let stages = FaultStages(faults) {
            $0.socketStage(start: start, deflate: deflate, limits: options.limits)
        }
        let pieces = SocketPieces(channel, tee)
        var surroundings = FaultRun<SocketPiece>.Surroundings(
            context: context, observer: tee, start: start,
            // An open WebSocket may be silent for as long as it likes.
            timeouts: Timeouts(idle: nil), cut: faults.cut(start: start, fin: Fault.orderly),
            next: { await pieces.next() }, stop: { channel.end($0) }, content: { $0.content })
        surroundings.hasOrderlyEnd = false
        let run = FaultRun(stages, surroundings)
        try await run.head(head)
        return FaultChannel(channel, run)
    }
}

extension Fault {
    static let orderly: Result<Void, TransportError> = .success(())

    /// What it does to a body; nil for nothing.
    ///
    /// - Parameter fin: What the end of the connection is for the body's reader.
    func stage(
        start: Int64, fin: Result<Void, TransportError>, codings: [String]
    ) -> (any FaultStage<Delivery>)? {
        switch (kind, place) {
        case (.status, _): nil
        case (.cut(let ending), _):
            TimingFault<Delivery>(
                self, start: start, ending: ending == .fin ? fin : .failure(.faultReset),
                codings: codings)
        case (.stall, _), (.delay, _), (.slow, _):
            TimingFault<Delivery>(self, start: start, ending: fin, codings: codings)
        case (_, .event(let number)): EventEditFault(self, number: number, codings: codings)
        default: DeliveryFault<Delivery>(self, start: start)
        }
    }
}

extension ResponseRecord {
    /// Whether only the end of the connection ends its body (RFC 9112 section 6.3).
    func isCloseDelimited(method: String) -> Bool {
        version.hasPrefix("1.") && method != "HEAD"
            && headers.first("Transfer-Encoding") == nil && headers.first("Content-Length") == nil
    }
}

/// A body with faults.
final class FaultBody: ResponseBody.Source {
    private let run: FaultRun<Delivery>

    init(_ run: FaultRun<Delivery>) { self.run = run }

    deinit { cancel() }

    func next() async throws(TransportError) -> Delivery? {
        guard let (delivery, time) = try await run.next() else { return nil }
        return Delivery(bytes: delivery.bytes, time: time, isDecoded: delivery.isDecoded)
    }

    func cancel() { run.stop(.faultStop) }
}
