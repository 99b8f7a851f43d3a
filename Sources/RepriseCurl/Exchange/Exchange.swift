internal import RepriseTape
internal import RepriseTransport

/// One exchange as it is handed to the reactor.
struct Exchange: Sendable {
    let id: UInt64
    let request: Request
    let target: Target
    /// What is asked for.
    let transport: RequestRecord.Transport
    let observer: (any ExchangeObserver)?
    let handoff: Handoff<Delivery>
    /// When `send` was called.
    let began: Int64
}
