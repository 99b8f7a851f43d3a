internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

extension Request {
    /// The request as it crossed the seam.
    func record(for transport: RequestRecord.Transport) -> RequestRecord {
        RequestRecord(
            call: call, transport: transport, method: method, url: WireText(url), headers: headers)
    }

    /// Tells an observer of a request that never left.
    func refuse(
        _ error: TransportError, at time: Int64, to observer: (any ExchangeObserver)?,
        for transport: RequestRecord.Transport = .http
    ) {
        observer?.observe(.request(record(for: transport)), at: time)
        observer?.observe(.end(error.record), at: time)
        observer?.commit()
    }
}

extension Exchange {
    /// The request as it crossed the seam.
    var record: RequestRecord { request.record(for: transport) }

    /// Ends it before it began.
    func fail(_ why: String) {
        let error = TransportError(
            how: .failed, .failed, "the request to \(target.place) cannot be started: \(why)")
        request.refuse(error, at: began, to: observer, for: transport)
        handoff.release(Handoff<Delivery>.Batch(end: error.record))
    }
}
