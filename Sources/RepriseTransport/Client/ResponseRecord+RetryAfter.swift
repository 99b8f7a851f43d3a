package import RepriseTape
internal import RepriseWire

extension ResponseRecord {
    /// How many seconds the service asks to wait (RFC 9110 section 10.2.3); nil where it does not
    /// say.
    ///
    /// A moment counts from the response's own `Date`, so that a replay waits as long as the
    /// recording did and a clock that is wrong does no harm; one without a `Date` says nothing.
    package var retryAfter: Int? {
        guard let text = headers.first("Retry-After") else { return nil }
        if let seconds = Int(text) { return max(0, seconds) }
        guard let moment = HTTPDate(text), let now = headers.first("Date").flatMap(HTTPDate.init)
        else { return nil }
        return Int(max(0, moment.seconds - now.seconds))
    }
}
