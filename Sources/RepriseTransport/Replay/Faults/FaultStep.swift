internal import RepriseTape

/// Something that happens to the reader of an exchange, as faults hand it on from one to the next.
enum FaultStep<Item: Sendable>: Sendable {
    /// The head of the response.
    case head(time: Int64)
    /// A delivery.
    case item(Item, time: Int64)
    /// The end.
    case end(Result<Void, TransportError>, time: Int64)

    var time: Int64 {
        switch self {
        case .head(let time), .item(_, let time), .end(_, let time): time
        }
    }

    /// The same at another time.
    func at(_ time: Int64) -> FaultStep {
        switch self {
        case .head: .head(time: time)
        case .item(let item, _): .item(item, time: time)
        case .end(let end, _): .end(end, time: time)
        }
    }
}

/// Something that arrived.
protocol FaultItem: Sendable {
    /// When.
    var time: Int64 { get }
}

extension Delivery: FaultItem {}

/// One fault in one exchange: takes what happens, gives what happens with it.
protocol FaultStage<Item>: AnyObject {
    associatedtype Item: Sendable

    /// Whether it has changed anything, or ended the exchange.
    var hasStruck: Bool { get }

    /// Takes the next step; nothing follows an end.
    func take(_ step: FaultStep<Item>) -> [FaultStep<Item>]
}

/// Several faults in one exchange, each in what the one before it leaves.
struct FaultStages<Item: Sendable> {
    private let stages: [(stage: any FaultStage<Item>, fault: AimedFault)]

    /// - Parameter stage: What a fault does; nil for nothing.
    init(_ faults: [AimedFault], _ stage: (Fault) -> (any FaultStage<Item>)?) {
        stages = faults.compactMap { aimed in stage(aimed.fault).map { ($0, aimed) } }
    }

    func take(_ step: FaultStep<Item>) -> [FaultStep<Item>] {
        stages.reduce([step]) { steps, one in
            var made: [FaultStep<Item>] = []
            for step in steps {
                made += one.stage.take(step)
                if case .end = made.last { break }
            }
            if one.stage.hasStruck { one.fault.strike() }
            return made
        }
    }
}

/// What a fault does to times, and where it ends an exchange: a stall, a delay, a factor, a cut.
struct FaultTiming {
    /// How it ends the exchange.
    enum Effect {
        case cut(Result<Void, TransportError>)
        case stall(Int64?)
        case delay(Int64)
        case slow(Double)
    }

    private let effect: Effect
    /// When the place was reached; nil before.
    private var origin: Int64?
    private var shift: Int64 = 0
    private var floor = Int64.min

    /// - Parameter ending: What a cut is for the reader.
    init?(_ kind: Fault.Kind, ending: Result<Void, TransportError>) {
        switch kind {
        case .cut: effect = .cut(ending)
        case .stall(let time): effect = .stall(time)
        case .delay(let time): effect = .delay(time)
        case .slow(let factor): effect = .slow(factor)
        case .duplicate, .reorder, .corrupt, .status: return nil
        }
    }

    var isReached: Bool { origin != nil }

    /// The place is reached, at that time.
    ///
    /// - Returns: How the exchange ends here; nil where it goes on.
    mutating func reach(at time: Int64) -> Result<Void, TransportError>? {
        origin = time
        switch effect {
        case .cut(let end): return end
        case .stall(let duration): floor = duration.map { time.saturatingAdd($0) } ?? .max
        case .delay, .slow: break
        }
        return nil
    }

    /// When something comes now that came at `time`.
    ///
    /// - Parameter isDelivery: Whether it is a delivery, and not only an end.
    mutating func time(_ time: Int64, isDelivery: Bool = true) -> Int64 {
        guard let origin else { return time }
        switch effect {
        case .cut: return time
        case .stall: return max(time, floor)
        case .delay(let delay):
            if isDelivery { shift = shift.saturatingAdd(delay) }
            return time.saturatingAdd(shift)
        case .slow(let factor):
            let since = Double(max(0, time.saturatingSubtract(origin))) * factor
            return origin.saturatingAdd(since < 9e18 ? Int64(since) : .max)
        }
    }
}

extension TransportError {
    static let faultReset = TransportError(
        how: .reset, .reset, "the peer reset the connection (a fault)")
    static let faultFinish = TransportError(
        how: .reset, .closed, "the peer closed the connection inside the response (a fault)")
    static let faultStop = TransportError(
        how: .cancelled, .cancelled, "the app stopped the exchange")
}
