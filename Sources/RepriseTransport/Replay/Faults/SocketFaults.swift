internal import RepriseWire

extension Fault {
    /// What it does to the frames of a server; nil for nothing.
    func socketStage(
        start: Int64, deflate: PerMessageDeflate?, limits: WebSocketLimits
    ) -> (any FaultStage<SocketPiece>)? {
        switch (kind, place) {
        case (.status, _): nil
        case (.cut(let ending), _):
            TimingFault<SocketPiece>(
                self, start: start,
                ending: ending == .fin ? Fault.orderly : .failure(.faultReset))
        case (.stall, _), (.delay, _), (.slow, _):
            TimingFault<SocketPiece>(self, start: start, ending: Fault.orderly)
        case (_, .event(let number)):
            MessageFault(self, number: number, deflate: deflate, limits: limits)
        case (.corrupt, _): FrameDamage(self, start: start, limits: limits)
        default:
            DeliveryFault<SocketPiece>(
                self, start: start, size: { $0.wireCount }, isWhole: { $0.item != nil },
                damage: { piece, _ in piece })
        }
    }
}

extension TimingFault<SocketPiece> {
    /// A fault of a WebSocket. A reader gets only whole frames: a place inside one is before it,
    /// though a cut there lets its first bytes go out.
    convenience init?(_ fault: Fault, start: Int64, ending: Result<Void, TransportError>) {
        var count = 0
        var messages = 0
        self.init(fault, start: start, ending: ending) { piece in
            let before = count
            count += piece.wireCount
            switch fault.place {
            case .byte(let offset) where offset < count:
                if case .cut = fault.kind { return (piece.first(offset - before), nil) }
                return (nil, piece)
            case .byte(let offset) where offset == count: return (piece, nil)
            case .event(let number):
                guard let frame = piece.frame, frame.isFinal, !frame.opcode.isControl
                else { return nil }
                messages += 1
                return messages == number ? (piece, nil) : nil
            default: return nil
            }
        }
    }
}

extension SocketPiece {
    /// The first `count` bytes of it; nil for none.
    fileprivate func first(_ count: Int) -> SocketPiece? {
        count <= 0 ? nil : SocketPiece(nil, stray: Array(bytes.prefix(count)), time: time)
    }
}

/// A fault that damages a byte of a server's frames, be it in a head: what follows is read as it
/// comes out then.
final class FrameDamage: FaultStage {
    private let fault: Fault
    private let due: Int64?
    private var reader: WebSocketFrameReader
    private var count = 0
    private var isDone = false
    var hasStruck: Bool { isDone }
    private var last = Int64.min

    init(_ fault: Fault, start: Int64, limits: WebSocketLimits) {
        self.fault = fault
        due = fault.time(from: start)
        reader = WebSocketFrameReader(limits: limits)
    }

    func take(_ step: FaultStep<SocketPiece>) -> [FaultStep<SocketPiece>] {
        switch step {
        case .head: return [step]
        case .item(let piece, let time):
            last = time
            return take(piece, at: time).map { .item($0, time: time) }
        case .end:
            let rest = reader.finish()
            if rest.isEmpty { return [step] }
            return [.item(SocketPiece(nil, stray: rest, time: last), time: last), step]
        }
    }

    private func take(_ piece: SocketPiece, at time: Int64) -> [SocketPiece] {
        var bytes = piece.bytes
        let index = place(bytes.count, time)
        count += bytes.count
        // Of what is masked, the bytes do not tell what they were.
        if index == nil, piece.frame == nil, reader.isBetweenFrames { return [piece] }
        if let index {
            isDone = true
            bytes[index] ^= 0xFF
        }
        let read = reader.push(bytes)
        var pieces = read.items.map { SocketPiece($0, time: time) }
        if read.refused.isEmpty { return pieces }
        if case .violation? = pieces.last?.item {
            pieces[pieces.count - 1].stray = read.refused
            return pieces
        }
        return pieces + [SocketPiece(nil, stray: read.refused, time: time)]
    }

    private func place(_ size: Int, _ time: Int64) -> Int? {
        if isDone || size == 0 { return nil }
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
    private var held: [SocketPiece] = []
    private var later: [SocketPiece] = []
    private(set) var hasStruck = false

    init(_ fault: Fault, number: Int, deflate: PerMessageDeflate?, limits: WebSocketLimits) {
        kind = fault.kind
        self.number = number
        reader = WebSocketReader(sender: .server, deflate: deflate, limits: limits)
    }

    func take(_ step: FaultStep<SocketPiece>) -> [FaultStep<SocketPiece>] {
        switch step {
        case .head: return [step]
        case .item(let piece, let time):
            return take(piece).map { .item($0, time: time) }
        case .end:
            return release().map { .item($0, time: max($0.time, step.time)) } + [step]
        }
    }

    private func take(_ piece: SocketPiece) -> [SocketPiece] {
        guard let frame = piece.frame, frame.opcode != .close else {
            return release() + [piece]
        }
        let events = reader.receive(frame)
        if frame.opcode.isControl { return [piece] }
        if frame.opcode != .continuation { isDeflated = frame.rsv1 }
        let isMeant = count == number - 1 || (count == number && !later.isEmpty)
        let isHeld = kind != .duplicate && isMeant || isWindowLost && isDeflated
        if isHeld { held.append(piece) }
        guard frame.isFinal else { return isHeld ? [] : [piece] }
        count += 1
        let whole = message(events, piece)
        if !isHeld {
            guard count == number, kind == .duplicate, let whole else { return [piece] }
            hasStruck = true
            return [piece, whole]
        }
        return end(whole)
    }

    /// A message that was held is whole: what comes now.
    private func end(_ whole: SocketPiece?) -> [SocketPiece] {
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
        hasStruck = true
        return plain + later
    }

    private func release() -> [SocketPiece] {
        defer { (held, later) = ([], []) }
        return later + held
    }

    /// The message as one undeflated frame; nil where it cannot be told.
    private func message(_ events: [WebSocketEvent], _ last: SocketPiece) -> SocketPiece? {
        events.lazy.compactMap(\.wholeFrame).first.map { last.with($0) }
    }

    private func damaged(_ piece: SocketPiece) -> SocketPiece {
        guard var frame = piece.frame, !frame.payload.isEmpty else { return piece }
        frame.payload[frame.payload.count / 2] ^= 0xFF
        hasStruck = true
        return piece.with(frame)
    }
}

extension SocketPiece {
    /// Another frame in its place.
    fileprivate func with(_ frame: WebSocketFrame) -> SocketPiece {
        guard case .frame(_, let range) = item else { return self }
        return SocketPiece(.frame(frame, bytes: range), time: time)
    }
}

extension WebSocketEvent {
    /// A message as one frame that is not deflated; nil for anything else.
    fileprivate var wholeFrame: WebSocketFrame? {
        guard case .message(let message) = self else { return nil }
        return WebSocketFrame(message.kind == .text ? .text : .binary, message.bytes)
    }
}
