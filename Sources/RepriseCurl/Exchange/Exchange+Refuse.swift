internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

extension Request {
    /// The request as it crossed the seam.
    var record: RequestRecord {
        RequestRecord(call: call, method: method, url: WireText(url), headers: headers)
    }

    /// Tells an observer of a request that never left.
    func refuse(_ error: TransportError, at time: Int64, to observer: (any ExchangeObserver)?) {
        observer?.observe(.request(record), at: time)
        observer?.observe(.end(error.record), at: time)
        observer?.commit()
    }
}

extension Exchange {
    /// Ends it before it began.
    func fail(_ why: String) {
        let error = TransportError(
            how: .failed, .failed, "the request to \(target.place) cannot be started: \(why)")
        request.refuse(error, at: began, to: observer)
        handoff.release(Handoff<Delivery>.Batch(end: error.record))
    }
}
