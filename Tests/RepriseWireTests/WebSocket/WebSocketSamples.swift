import RepriseWire

let hello = Array("Hello".utf8)

/// `count` bytes without much of a pattern, the same at every run.
func filler(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

func encode(_ frame: WebSocketFrame, from role: WebSocketRole, mask: UInt32) -> [UInt8] {
    role == .client
        ? WebSocketFrameEncoder.client(frame, mask: mask) : WebSocketFrameEncoder.server(frame)
}

extension WebSocketFrameDecoder.Item {
    var frame: WebSocketFrame? {
        if case .frame(let frame, _) = self { frame } else { nil }
    }

    var violation: WebSocketViolation? {
        if case .violation(let violation) = self { violation } else { nil }
    }
}

extension WebSocketEvent {
    var message: WebSocketMessage? {
        if case .message(let message) = self { message } else { nil }
    }

    var violation: WebSocketViolation? {
        if case .violation(let violation) = self { violation } else { nil }
    }
}

extension WebSocketEvent {
    /// One line, for tables.
    var short: String {
        switch self {
        case .message(let message):
            let kind =
                message.kind == .text
                ? "text \(message.text)" : "binary \(Self.list(message.bytes))"
            let frames = "\(message.frames.lowerBound)-\(message.frames.upperBound)"
            return "\(kind) \(frames)\(message.isValid ? "" : " invalid")"
        case .ping(let bytes): return "ping \(Self.list(bytes))"
        case .pong(let bytes): return "pong \(Self.list(bytes))"
        case .close(let code, let reason):
            return "close \(code?.description ?? "nil")\(reason.isEmpty ? "" : " \(reason)")"
        case .violation(let violation):
            return "\(violation.kind) \(violation.frame)"
                + (violation.offset.map { "@\($0)" } ?? "")
        case .unreadable(let frames):
            return "unreadable \(frames.lowerBound)-\(frames.upperBound)"
        }
    }

    private static func list(_ bytes: [UInt8]) -> String {
        bytes.map { String($0) }.joined(separator: " ")
    }
}
