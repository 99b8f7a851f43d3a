internal import RepriseTape
internal import RepriseTransport

extension TransportError {
    static func timedOut(_ code: Code, _ what: String, after limit: Int64?) -> TransportError {
        let limit = limit.map { " after \(milliseconds($0)) ms" } ?? ""
        return TransportError(
            how: .timedOut, code, "\(what)\(limit): try again, or allow more time")
    }

    private static func milliseconds(_ limit: Int64) -> Int64 {
        max(0, limit / 1_000_000 + (limit % 1_000_000 > 0 ? 1 : 0))
    }

    static func cancelled(_ target: Target) -> TransportError {
        TransportError(
            how: .cancelled, .cancelled, "the exchange with \(target.place) was cancelled")
    }

    /// Nothing came for too long.
    static func silent(_ exchange: Exchange) -> TransportError {
        .timedOut(
            .idleTimeout, "nothing came from \(exchange.target.place)",
            after: exchange.request.timeouts.idle)
    }

    /// The whole took too long.
    static func late(_ exchange: Exchange) -> TransportError {
        .timedOut(
            .totalTimeout, "the exchange with \(exchange.target.place) is not over",
            after: exchange.request.timeouts.total)
    }

    static func ended(_ target: Target) -> TransportError {
        TransportError(
            how: .cancelled, .cancelled, "the exchange with \(target.place) has ended before")
    }

    static let transportReleased = TransportError(
        how: .cancelled, .cancelled, "the transport was released while it was in use: keep it")

    /// The `end` frame that says so.
    var record: EndRecord { EndRecord(how: how, code: code.rawValue, message: message) }
}
