internal import RepriseWire

/// What a client said on a recorded WebSocket against what it says now.
struct SocketComparison {
    let recorded: SocketSaying
    let now: SocketSaying
    /// What may be another.
    let trial: MatchTrial

    /// The differences; empty where there are none. Only what was said counts, not how it was cut
    /// into frames or deflated.
    var differences: [RequestDifference] {
        switch (recorded, now) {
        case (.unreadable, .message): []
        case (_, .unreadable):
            [RequestDifference(.message, "recorded \(recorded.name), now what is no message")]
        case (.message(let old, let recorded), .message(let new, let now)) where old == new:
            BodyComparison(recorded: recorded, now: now, name: "message", trial: trial).differences
        case (.close(let old, let recorded), .close(let new, let now)):
            difference(recorded, now, codes: (old, new)).map { [$0] } ?? []
        default:
            [RequestDifference(.message, "recorded \(recorded.name), now \(now.name)")]
        }
    }

    private func difference(
        _ recorded: MaskedText, _ now: MaskedText,
        codes: (old: WebSocketCloseCode?, new: WebSocketCloseCode?)
    ) -> RequestDifference? {
        // By what they mean all say that nothing more comes: libraries close as they are used to.
        if trial.matching.values == .meant { return nil }
        if codes.old != codes.new {
            return RequestDifference(
                .close,
                "the close code differs: recorded \(text(codes.old)), now \(text(codes.new))")
        }
        if now.firstDifference(from: recorded) == nil { return nil }
        return RequestDifference(
            .close,
            "the reason for closing differs: recorded \(shown(recorded)), now \(shown(now))")
    }

    private func text(_ code: WebSocketCloseCode?) -> String { code?.description ?? "none" }

    private func shown(_ text: MaskedText) -> Shown {
        Shown(String(decoding: text.bytes, as: UTF8.self))
    }
}
