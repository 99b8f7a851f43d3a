internal import RepriseWire

/// A fault that changes when deliveries come, or ends an exchange.
final class TimingFault<Item: Sendable>: FaultStage {
    /// What of an item is before a place, and what is behind it; nil where the place is not there.
    typealias Split = (Item) -> (before: Item?, behind: Item?)?

    private let place: Fault.Place
    /// When it is due, for a place in time.
    private let due: Int64?
    private var timing: FaultTiming
    private let split: Split

    /// - Parameters:
    ///   - start: When the request began.
    ///   - ending: What a cut is for the reader.
    ///   - split: Finds the place, where that is an event or a byte.
    init?(
        _ fault: Fault, start: Int64, ending: Result<Void, TransportError>, split: @escaping Split
    ) {
        guard let timing = FaultTiming(fault.kind, ending: ending) else { return nil }
        self.timing = timing
        self.split = split
        place = fault.place
        due = fault.time(from: start)
    }

    var hasStruck: Bool { timing.isReached }

    func take(_ step: FaultStep<Item>) -> [FaultStep<Item>] {
        if timing.isReached { return [timing.moved(step)] }
        if let due, step.time >= due {
            if let end = timing.reach(at: due) { return [.end(end, time: due)] }
            return [timing.moved(step)]
        }
        switch step {
        case .head(let time):
            let isHere = [.start, .event(0), .byte(0)].contains(place)
            guard isHere, let end = timing.reach(at: time) else { return [step] }
            return [step, .end(end, time: time)]
        case .item(let item, let time):
            guard due == nil, let parts = split(item) else { return [step] }
            var steps: [FaultStep<Item>] = []
            if let before = parts.before { steps.append(.item(before, time: time)) }
            if let end = timing.reach(at: time) { return steps + [.end(end, time: time)] }
            if let behind = parts.behind { steps.append(timing.moved(.item(behind, time: time))) }
            return steps
        case .end: return [step]
        }
    }
}

extension FaultTiming {
    fileprivate mutating func moved<Item>(_ step: FaultStep<Item>) -> FaultStep<Item> {
        var isDelivery = false
        if case .item = step { isDelivery = true }
        return step.at(time(step.time, isDelivery: isDelivery))
    }
}

extension Fault {
    /// When it is due; nil where its place is none in time.
    func time(from start: Int64) -> Int64? {
        if case .time(let offset) = place { start.saturatingAdd(offset) } else { nil }
    }
}

extension TimingFault<Delivery> {
    /// A fault of a body with those codings.
    convenience init?(
        _ fault: Fault, start: Int64, ending: Result<Void, TransportError>, codings: [String]
    ) {
        var events = EventFinder(codings: codings)
        var count = 0
        self.init(fault, start: start, ending: ending) { delivery in
            let before = count
            count += delivery.bytes.count
            switch fault.place {
            case .byte(let offset) where offset <= count: return delivery.split(at: offset - before)
            case .event(let number):
                return events.end(of: number, in: delivery).map { delivery.split(at: $0) }
            default: return nil
            }
        }
    }
}

extension Delivery {
    fileprivate func split(at offset: Int) -> (before: Delivery?, behind: Delivery?) {
        let parts = [bytes[..<offset], bytes[offset...]].map { part in
            part.isEmpty
                ? nil : Delivery(bytes: Array(part), time: time, isDecoded: isDecoded)
        }
        return (parts[0], parts[1])
    }
}

/// Finds server-sent events in a body as it comes.
struct EventFinder {
    private let decoder: ContentDecoder?
    private let isReadable: Bool
    private var events = SSEDecoder()
    private var found = 0

    init(codings: [String]) {
        decoder = codings.isEmpty ? nil : try? ContentDecoder(codings: codings)
        isReadable = codings.isEmpty || decoder != nil
    }

    /// Where in a delivery the event of that number, from 1, is over: in a coded one at its end.
    mutating func end(of number: Int, in delivery: Delivery) -> Int? {
        guard isReadable else { return nil }
        var plain = delivery.bytes
        let isCoded = decoder != nil && !delivery.isDecoded
        if let decoder, isCoded {
            plain = []
            // What is behind a fault of the coding is no event.
            try? decoder.push(delivery.bytes, into: &plain)
        }
        let before = events.count
        for case .event(let event) in events.push(plain) {
            found += 1
            if found == number {
                return isCoded ? delivery.bytes.count : max(0, event.end - before)
            }
        }
        return nil
    }
}
