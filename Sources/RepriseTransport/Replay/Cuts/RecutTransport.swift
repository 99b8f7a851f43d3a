internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Another transport whose responses and frames arrive in other pieces: what a client makes of
/// them must not depend on it.
///
/// Bytes, their order and how exchanges end are those of the other transport.
public struct RecutTransport: Transport {
    /// The transport that does the work.
    public let base: any Transport
    /// Where its bytes are cut.
    public let cuts: Cuts
    private let counter = Locked<UInt64>(0)

    /// Cuts what comes over `base` anew.
    public init(base: any Transport, cuts: Cuts) {
        self.base = base
        self.cuts = cuts
    }

    /// That of the other transport.
    public var context: SessionContext { base.context }

    /// Sends `request` over the other transport.
    public func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        if cuts == .asRecorded { return try await base.send(request, observer: observer) }
        let member = nextMember()
        let tee = observer.map { RecutObserver($0, cuts, member) }
        var response = try await base.send(request, observer: tee)
        let cutter = BodyCutter(cuts, codings: response.head.headers.contentCodings, member: member)
        response.body = ResponseBody(RecutBody(response.body, cutter))
        return response
    }

    /// Connects over the other transport.
    public func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        if cuts == .asRecorded {
            return try await base.connect(request, options: options, observer: observer)
        }
        let member = nextMember()
        let tee = observer.map { RecutObserver($0, cuts, member) }
        var response = try await base.connect(request, options: options, observer: tee)
        switch response.outcome {
        case .switched(let channel):
            let cutter = FrameCutter(cuts, member: member)
            response.outcome = .switched(
                RecutChannel(channel, cutter, limits: options.limits, tee))
        case .refused(let body):
            let cutter = BodyCutter(
                cuts, codings: response.head.headers.contentCodings, member: member)
            response.outcome = .refused(ResponseBody(RecutBody(body, cutter)))
        }
        return response
    }

    private func nextMember() -> UInt64 {
        counter.withLock { counter in
            counter &+= 1
            return counter
        }
    }
}
