import RepriseSession
import RepriseTape
import RepriseWire

/// How a stream ends: rules B2c, B3, B7 and B11b.
extension ChatbaseStream {
    /// The reason that finish gives.
    private var reason: String? {
        state.metadata["finishReason"]?.string ?? state.topLevelReason
    }

    mutating func readFinish(at place: Place, in around: inout Surroundings) {
        finishPlace = place
        let pending = state.pending.map(\.id).filter(around.calls.isPending)
        around.turn.pending += pending
        checkReason(pending, at: place, in: &around)
        let hasFailed = reason == "error" || (reason == nil && state.errorText != nil)
        let ending: SessionEvent.Ending =
            hasFailed ? .failed : pending.isEmpty ? .finished : .paused
        around.output.emit(.ended(ending), at: place)
    }

    private func checkReason(
        _ pending: [String], at place: Place, in around: inout Surroundings
    ) {
        let seen = reason ?? "no reason"
        if reason == "tool-calls" && pending.isEmpty {
            around.output.raise(
                ChatbaseRules.b7a, at: place, expected: "a call without a result, or stop",
                seen: seen)
        } else if reason != "tool-calls" && reason != "error" && !pending.isEmpty {
            around.output.raise(
                ChatbaseRules.b7b, at: place,
                expected: "tool-calls, for \(pending.joined(separator: ", "))", seen: seen)
        }
    }

    /// The stream ended.
    mutating func end(
        _ closing: ExchangeUnit.Closing, at place: Place, in around: inout Surroundings
    ) {
        for case .textChunk(let text) in state.finish() {
            around.output.emit(.text(text), at: place)
        }
        if let finishPlace { tellUsage(at: finishPlace, in: &around) }
        let isWhole = closing.isReadable && closing.how == .complete
        if !isWhole || finishPlace == nil { around.calls.lose() }
        guard closing.isReadable else { return }
        switch closing.how {
        case .complete: checkEnd("the stream was closed", at: place, in: &around)
        // Behind finish it is `http.H2` alone.
        case .reset where finishPlace == nil && !isDone:
            checkEnd("the connection was cut", at: place, in: &around)
        // What would have come is unknown: the recorder died, or the app did not wait for it.
        case .reset, nil, .cancelled, .timedOut, .failed: break
        }
    }

    private func checkEnd(_ seen: String, at place: Place, in around: inout Surroundings) {
        switch (finishPlace != nil, isDone) {
        case (true, true): break
        case (true, false):
            around.output.raise(
                ChatbaseRules.b3a, at: place, expected: "[DONE] behind finish", seen: seen)
        case (false, true):
            around.output.raise(
                ChatbaseRules.b2c, at: place, expected: "finish before [DONE]", seen: "none")
        case (false, false):
            around.output.raise(
                ChatbaseRules.b3b, at: place, expected: "finish and [DONE]", seen: seen)
        }
    }

    /// The details may come behind finish too, so they are taken when the stream ends.
    private func tellUsage(at place: Place, in around: inout Surroundings) {
        let reported = state.metadata["usage"]
        var usage = RepriseSession.Usage(reported: reported)
        usage.clientCredits = usage.credits ?? 0
        around.output.emit(.usage(usage), at: place)
        around.turn.finish(usage, at: place)
        // Of a whole reply it is a member that is missing.
        if usage.credits == nil && !isReply {
            around.output.raise(
                ChatbaseRules.b11b, at: place, expected: "usage with credits",
                seen: reported == nil ? "no usage" : "usage without credits")
        }
    }
}

extension RepriseSession.Usage {
    /// What a reply's metadata says that it cost. Tokens are not documented; where they are given,
    /// they have the names that the protocol's family uses.
    init(reported: JSON?) {
        self.init(
            input: reported?["inputTokens"]?.integer, output: reported?["outputTokens"]?.integer,
            cached: reported?["cachedInputTokens"]?.integer,
            reasoning: reported?["reasoningTokens"]?.integer,
            total: reported?["totalTokens"]?.integer,
            credits: Credits.read(reported?["credits"]))
    }
}
