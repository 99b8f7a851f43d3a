internal import RepriseTape
internal import RepriseWire

/// A fault that doubles, swaps or damages server-sent events. A coded body is decoded and coded
/// again, flushed at every cut.
final class EventEditFault: FaultStage {
    private let kind: Fault.Kind
    private let number: Int
    private let decoder: ContentDecoder?
    private let coder: Recoder?
    private let isReadable: Bool
    private var events = SSEDecoder()
    private var found = 0
    /// The bytes behind the last event before the one that is meant, once they are held.
    private var held: [UInt8] = []
    private var heldTime: Int64 = 0
    /// Where in the stream they begin.
    private var heldStart = 0
    /// How many of them are the event that is to come later.
    private var first: Int?
    private var isDone = false

    var hasStruck: Bool { isDone }

    init(_ fault: Fault, number: Int, codings: [String]) {
        kind = fault.kind
        self.number = number
        decoder = codings.isEmpty ? nil : try? ContentDecoder(codings: codings)
        coder = codings.isEmpty ? nil : Recoder(codings)
        isReadable = codings.isEmpty || (decoder != nil && coder != nil)
    }

    func take(_ step: FaultStep<Delivery>) -> [FaultStep<Delivery>] {
        guard isReadable else { return [step] }
        switch step {
        case .head: return [step]
        case .item(let delivery, let time):
            var plain = delivery.bytes
            if let decoder, !delivery.isDecoded {
                plain = []
                do throws(ContentCodingError) {
                    try decoder.push(delivery.bytes, into: &plain)
                } catch {
                    return coded(edit(plain, at: time), delivery, time) + [step]
                }
            }
            return coded(edit(plain, at: time), delivery, time)
        case .end(let end, let time):
            let rest = held
            held = []
            // A coding that did not end does not end now.
            let isWhole = (try? end.get()) != nil && (try? decoder?.finish()) != nil
            var steps: [FaultStep<Delivery>] = []
            if !rest.isEmpty || (isWhole && coder != nil) {
                let bytes = coder?.push(rest, isEnd: isWhole) ?? rest
                steps = [.item(Delivery(bytes: bytes, time: heldTime), time: max(time, heldTime))]
            }
            return steps + [step]
        }
    }

    private func coded(
        _ parts: [[UInt8]], _ delivery: Delivery, _ time: Int64
    ) -> [FaultStep<Delivery>] {
        parts.filter { !$0.isEmpty }.map { part in
            let bytes = delivery.isDecoded ? part : coder?.push(part) ?? part
            return .item(
                Delivery(bytes: bytes, time: time, isDecoded: delivery.isDecoded), time: time)
        }
    }

    /// What becomes of the next bytes of the stream.
    private func edit(_ plain: [UInt8], at time: Int64) -> [[UInt8]] {
        if isDone { return [plain] }
        let before = events.count
        heldTime = time
        var parts: [[UInt8]] = []
        var taken = 0
        if isHolding, held.isEmpty { heldStart = before }
        for case .event(let event) in events.push(plain) {
            found += 1
            let end = max(taken, event.end - before)
            if found < number - 1 { continue }
            let piece = Array(plain[taken..<end])
            taken = end
            if found == number - 1 {
                parts.append(piece)
                heldStart = before + end
                continue
            }
            held += piece
            if found == number {
                guard let made = meet(event) else { continue }
                parts += made
            } else {
                parts += swap()
            }
            isDone = true
            return parts + [Array(plain[taken...])]
        }
        let rest = Array(plain[taken...])
        if isHolding {
            held += rest
            return parts
        }
        return parts + [rest]
    }

    /// Whether the bytes that come now are of the event that is meant.
    private var isHolding: Bool { !isDone && found >= number - 1 }

    /// The event that is meant is there: what becomes of what is held; nil where it is still held.
    private func meet(_ event: SSEDecoder.Event) -> [[UInt8]]? {
        let range = max(0, event.start - heldStart)..<held.count
        defer { if first == nil { held = [] } }
        switch kind {
        case .duplicate: return [held, Array(held[range])]
        case .reorder:
            first = held.count
            return nil
        default:
            held[range.lowerBound + range.count / 2] ^= 0xFF
            return [held]
        }
    }

    private func swap() -> [[UInt8]] {
        defer { held = [] }
        let place = first ?? 0
        return [Array(held[place...]), Array(held[..<place])]
    }
}
