/// A fault that doubles, swaps or damages deliveries.
final class DeliveryFault<Item: Sendable>: FaultStage {
    private let fault: Fault
    private let due: Int64?
    private let size: (Item) -> Int
    private let isWhole: (Item) -> Bool
    private let damage: (Item, _ offset: Int?) -> Item
    private var count = 0
    private var isDone = false
    private(set) var hasStruck = false
    /// A delivery that waits for the one that is to come before it.
    private var held: Item?

    /// - Parameters:
    ///   - start: When the request began.
    ///   - size: How many bytes an item has.
    ///   - isWhole: Whether it can be anywhere; else the connection ends within it.
    ///   - damage: Changes the byte at an offset, or one in the middle.
    init(
        _ fault: Fault, start: Int64, size: @escaping (Item) -> Int,
        isWhole: @escaping (Item) -> Bool = { _ in true },
        damage: @escaping (Item, _ offset: Int?) -> Item
    ) {
        self.fault = fault
        self.size = size
        self.isWhole = isWhole
        self.damage = damage
        due = fault.time(from: start)
    }

    func take(_ step: FaultStep<Item>) -> [FaultStep<Item>] {
        switch step {
        case .head: return [step]
        case .item(let item, let time):
            let before = count
            count += size(item)
            if let held {
                self.held = nil
                hasStruck = hasStruck || isWhole(item)
                let late = FaultStep.item(held, time: time)
                return isWhole(item) ? [step, late] : [late, step]
            }
            guard !isDone, isWhole(item), isAt(time, before..<count) else { return [step] }
            isDone = true
            return edit(item, at: time, from: before)
        case .end:
            defer { held = nil }
            return (held.map { [.item($0, time: step.time)] } ?? []) + [step]
        }
    }

    private func isAt(_ time: Int64, _ range: Range<Int>) -> Bool {
        if range.isEmpty { return false }
        return switch fault.place {
        case .start: true
        case .byte(let offset): range.contains(offset)
        case .time: due.map { time >= $0 } ?? false
        case .event: false
        }
    }

    private func edit(_ item: Item, at time: Int64, from offset: Int) -> [FaultStep<Item>] {
        switch fault.kind {
        case .duplicate:
            hasStruck = true
            return [.item(item, time: time), .item(item, time: time)]
        case .reorder:
            held = item
            return []
        default:
            hasStruck = true
            var index: Int?
            if case .byte(let place) = fault.place { index = place - offset }
            return [.item(damage(item, index), time: time)]
        }
    }
}

extension DeliveryFault<Delivery> {
    /// A fault of a body.
    convenience init(_ fault: Fault, start: Int64) {
        self.init(
            fault, start: start, size: { $0.bytes.count },
            damage: { delivery, offset in
                var damaged = delivery
                damaged.bytes[offset ?? damaged.bytes.count / 2] ^= 0xFF
                return damaged
            })
    }
}
