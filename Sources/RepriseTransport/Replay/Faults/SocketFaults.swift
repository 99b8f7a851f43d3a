internal import RepriseWire

extension Fault {
    /// What it does to the frames of a server; nil for nothing.
    func socketStage(
        start: Int64, deflate: PerMessageDeflate?, limits: WebSocketLimits
    ) -> (any FaultStage<SocketDelivery>)? {
        switch (kind, place) {
        case (.status, _): nil
        case (.cut(let ending), _):
            TimingFault<SocketDelivery>(
                self, start: start,
                ending: ending == .fin ? Fault.orderly : .failure(.faultReset))
        case (.stall, _), (.delay, _), (.slow, _):
            TimingFault<SocketDelivery>(self, start: start, ending: Fault.orderly)
        case (_, .event(let number)):
            MessageFault(self, number: number, deflate: deflate, limits: limits)
        case (.corrupt, _): FrameDamage(self, start: start, limits: limits)
        default:
            DeliveryFault<SocketDelivery>(
                self, start: start, size: { $0.wireCount }, damage: { delivery, _ in delivery })
        }
    }
}

extension SocketDelivery {
    /// The frame; nil for a violation.
    var frame: WebSocketFrame? {
        if case .frame(let frame, _) = item { frame } else { nil }
    }

    /// How many bytes the frame has on the wire.
    var wireCount: Int { frame.map { WebSocketFrameEncoder.server($0).count } ?? 0 }
}

extension TimingFault<SocketDelivery> {
    /// A fault of a WebSocket: a place inside a frame is before it, since only a whole one comes.
    convenience init?(_ fault: Fault, start: Int64, ending: Result<Void, TransportError>) {
        var count = 0
        var messages = 0
        self.init(fault, start: start, ending: ending) { delivery in
            count += delivery.wireCount
            switch fault.place {
            case .byte(let offset) where offset < count: return (nil, delivery)
            case .byte(let offset) where offset == count: return (delivery, nil)
            case .event(let number):
                guard let frame = delivery.frame, frame.isFinal, !frame.opcode.isControl
                else { return nil }
                messages += 1
                return messages == number ? (delivery, nil) : nil
            default: return nil
            }
        }
    }
}

/// A fault that damages a byte of a server's frames, be it in a head: what follows is read as it
/// comes out then.
final class FrameDamage: FaultStage {
    private let fault: Fault
    private let due: Int64?
    private var decoder: WebSocketFrameDecoder
    private var count = 0
    private var isDone = false

    init(_ fault: Fault, start: Int64, limits: WebSocketLimits) {
        self.fault = fault
        due = fault.time(from: start)
        decoder = WebSocketFrameDecoder(sender: .server, limits: limits)
    }

    func take(_ step: FaultStep<SocketDelivery>) -> [FaultStep<SocketDelivery>] {
        guard case .item(let delivery, let time) = step, let frame = delivery.frame
        else { return [step] }
        var bytes = WebSocketFrameEncoder.server(frame)
        if let index = place(bytes.count, time) {
            isDone = true
            bytes[index] ^= 0xFF
        }
        count += bytes.count
        return decoder.push(bytes).map { .item(SocketDelivery($0, time: time), time: time) }
    }

    private func place(_ size: Int, _ time: Int64) -> Int? {
        if isDone { return nil }
        switch fault.place {
        case .byte(let offset): return count..<count + size ~= offset ? offset - count : nil
        case .start: return size / 2
        case .time: return due.map { time >= $0 } == true ? size / 2 : nil
        case .event: return nil
        }
    }
}

/// A fault that doubles, swaps or damages messages of a server. A message that was deflated comes
/// undeflated where it is not as it was, and then those behind it, too, since their sender's window
/// is not the reader's any more.
final class MessageFault: FaultStage {
    private let kind: Fault.Kind
    private let number: Int
    private let reader: WebSocketReader
    private var count = 0
    /// Whether the message under way is deflated.
    private var isDeflated = false
    private var isWindowLost = false
    /// The frames of a message that comes later or otherwise.
    private var held: [SocketDelivery] = []
    private var later: [SocketDelivery] = []

    init(_ fault: Fault, number: Int, deflate: PerMessageDeflate?, limits: WebSocketLimits) {
        kind = fault.kind
        self.number = number
        reader = WebSocketReader(sender: .server, deflate: deflate, limits: limits)
    }

    func take(_ step: FaultStep<SocketDelivery>) -> [FaultStep<SocketDelivery>] {
        switch step {
        case .head: return [step]
        case .item(let delivery, let time):
            return take(delivery).map { .item($0, time: time) }
        case .end:
            return release().map { .item($0, time: max($0.time, step.time)) } + [step]
        }
    }

    private func take(_ delivery: SocketDelivery) -> [SocketDelivery] {
        guard let frame = delivery.frame, frame.opcode != .close else {
            return release() + [delivery]
        }
        let events = reader.receive(frame)
        if frame.opcode.isControl { return [delivery] }
        if frame.opcode != .continuation { isDeflated = frame.rsv1 }
        let isMeant = count == number - 1 || (count == number && !later.isEmpty)
        let isHeld = kind != .duplicate && isMeant || isWindowLost && isDeflated
        if isHeld { held.append(delivery) }
        guard frame.isFinal else { return isHeld ? [] : [delivery] }
        count += 1
        let whole = message(events, delivery)
        if !isHeld {
            let copy = count == number && kind == .duplicate ? whole.map { [$0] } ?? [] : []
            return [delivery] + copy
        }
        return end(whole)
    }

    /// A message that was held is whole: what comes now.
    private func end(_ whole: SocketDelivery?) -> [SocketDelivery] {
        let wasDeflated = isDeflated
        let frames = held
        held = []
        let plain = wasDeflated ? whole.map { [$0] } ?? frames : frames
        isWindowLost = isWindowLost || wasDeflated
        guard count == number || !later.isEmpty else { return plain }
        if count == number {
            guard kind == .reorder else { return whole.map { [damaged($0)] } ?? frames }
            later = plain
            return []
        }
        defer { later = [] }
        return plain + later
    }

    private func release() -> [SocketDelivery] {
        defer { (held, later) = ([], []) }
        return later + held
    }

    /// The message as one undeflated frame; nil where it cannot be told.
    private func message(_ events: [WebSocketEvent], _ last: SocketDelivery) -> SocketDelivery? {
        for case .message(let message) in events {
            let frame = WebSocketFrame(message.kind == .text ? .text : .binary, message.bytes)
            return last.with(frame)
        }
        return nil
    }

    private func damaged(_ delivery: SocketDelivery) -> SocketDelivery {
        guard var frame = delivery.frame, !frame.payload.isEmpty else { return delivery }
        frame.payload[frame.payload.count / 2] ^= 0xFF
        return delivery.with(frame)
    }
}

extension SocketDelivery {
    /// Another frame in its place.
    fileprivate func with(_ frame: WebSocketFrame) -> SocketDelivery {
        guard case .frame(_, let range) = item else { return self }
        return SocketDelivery(.frame(frame, bytes: range), time: time)
    }
}
