import RepriseSession

/// What opens, continues and closes: rules B1, B2 and B4, and B5a.
extension ChatbaseStream {
    mutating func checkOrder(
        _ part: StreamPart, at place: Place, in around: inout Surroundings
    ) {
        guard part.kind.isKnown else { return }
        let kind = part.kind.rawValue
        if isDone {
            return raiseOnce(
                ChatbaseRules.b2b, "nothing behind [DONE]", kind, at: place, in: &around)
        }
        if part.kind == .messageMetadata && finishPlace != nil { return }
        if part.kind == .textStart { start(part, at: place, in: &around) }
        for finding in verifier.read(kind, key: part.id ?? part.toolCallId ?? "") {
            switch finding.kind {
            case "message":
                reportFrame(finding.problem, kind, at: place, in: &around)
            // What comes behind the end is told as that alone.
            case _ where finishPlace != nil: break
            case "text": reportText(finding, part, at: place, in: &around)
            default:
                around.output.raise(
                    ChatbaseRules.b5a, at: place, expected: "tool-input-start before it",
                    seen: "\(kind) for \(finding.key)", subject: finding.key)
            }
        }
        if part.kind == .textEnd { openTexts.remove(part.id ?? "") }
    }

    private mutating func start(
        _ part: StreamPart, at place: Place, in around: inout Surroundings
    ) {
        openTexts.insert(part.id ?? "")
        guard !usesTextStart else { return }
        usesTextStart = true
        guard let bare = bareText else { return }
        around.output.raise(
            ChatbaseRules.b4a, at: bare, expected: "text-start before it",
            seen: "a text-delta, and text-start behind it")
    }

    private mutating func reportFrame(
        _ problem: BracketVerifier.Problem, _ kind: String, at place: Place,
        in around: inout Surroundings
    ) {
        switch problem {
        case .alreadyOpen:
            raiseOnce(ChatbaseRules.b1b, "one start", "another one", at: place, in: &around)
        case .closedTwice:
            raiseOnce(ChatbaseRules.b2a, "one finish", "another one", at: place, in: &around)
        case .outside where finishPlace == nil, .neverOpened:
            raiseOnce(ChatbaseRules.b1a, "start first", kind, at: place, in: &around)
        default:
            raiseOnce(
                ChatbaseRules.b2b, "message-metadata or [DONE] behind finish", kind, at: place,
                in: &around)
        }
    }

    /// Only where the stream uses text-start at all: the vendor's own samples have bare deltas.
    private mutating func reportText(
        _ finding: BracketVerifier.Finding, _ part: StreamPart, at place: Place,
        in around: inout Surroundings
    ) {
        if finding.problem == .stillOpen {
            guard openTexts.remove(finding.key) != nil else { return }
            return around.output.raise(
                ChatbaseRules.b4c, at: place, expected: "text-end for \(finding.key) before it",
                seen: part.kind.rawValue)
        }
        let isEnd = part.kind == .textEnd
        guard usesTextStart else {
            if !isEnd { bareText = bareText ?? place }
            return
        }
        around.output.raise(
            isEnd ? ChatbaseRules.b4b : ChatbaseRules.b4a, at: place,
            expected: "text-start before it",
            seen: "\(part.kind.rawValue) for \(part.id ?? "no id")")
    }
}
