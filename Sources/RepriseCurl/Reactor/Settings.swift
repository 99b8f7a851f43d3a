internal import RepriseTransport

/// What all exchanges of a reactor share.
struct Settings: Sendable {
    var caFile: String?
    var clock: any SessionClock
}
