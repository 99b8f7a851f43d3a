import RepriseSession

/// What opens, continues and closes: rules C1 to C8 but for C7e.
extension CometChatRun {
    mutating func checkOrder(
        _ event: AgentEvent, _ kind: AgentEventKind, at place: Place,
        into output: inout DialectOutput
    ) {
        let wasFinished = isFinished
        for finding in verifier.read(kind.rawValue, key: event.bracketKey ?? "") {
            if finding.kind == "run" {
                reportFrame(finding.problem, event, wasFinished, at: place, into: &output)
            } else if !wasFinished, !isPartial {
                report(finding, event, at: place, into: &output)
            }
        }
    }

    private mutating func reportFrame(
        _ problem: BracketVerifier.Problem, _ event: AgentEvent, _ wasFinished: Bool,
        at place: Place,
        into output: inout DialectOutput
    ) {
        if wasFinished {
            raiseOnce(
                CometChatRules.c3, at: place, expected: "nothing behind run_finished",
                seen: event.type, into: &output)
        } else if problem == .alreadyOpen {
            raiseOnce(
                CometChatRules.c2, at: place, expected: "one run_started", seen: "another one",
                into: &output)
        } else if !isPartial {
            raiseOnce(
                CometChatRules.c1, at: place, expected: "run_started first", seen: event.type,
                into: &output)
        }
    }

    private mutating func report(
        _ finding: BracketVerifier.Finding, _ event: AgentEvent, at place: Place,
        into output: inout DialectOutput
    ) {
        let bracket = "\(finding.kind) \(finding.key)"
        // What a fault opened, or was to close, is a fault once.
        if finding.problem == .stillOpen || finding.problem == .alreadyOpen {
            guard !faulty.contains(bracket) else { return }
        } else {
            faulty.insert(bracket)
        }
        guard let told = CometChatRun.told(finding, event) else { return }
        let isTool = finding.kind == "tool"
        raiseOnce(
            told.rule, about: bracket, at: place, expected: told.expected,
            seen: "\(event.type) for \(SeenText.quoted(finding.key))",
            subject: isTool ? subject(finding.key) : nil, into: &output)
    }

    /// The rule that a finding breaks, with what was expected.
    private static func told(
        _ finding: BracketVerifier.Finding, _ event: AgentEvent
    ) -> (rule: Rule, expected: String)? {
        let rules: (twice: Rule, open: Rule, inner: Rule, outer: Rule, begin: String, end: String) =
            switch finding.kind {
            case "text":
                (
                    CometChatRules.c4c, CometChatRules.c8a, CometChatRules.c4a, CometChatRules.c4b,
                    "text_message_start", "text_message_end"
                )
            case "tool":
                (
                    CometChatRules.c5c, CometChatRules.c8b, CometChatRules.c5a, CometChatRules.c5b,
                    "tool_call_start", "tool_call_end"
                )
            default:
                (
                    CometChatRules.c7d, CometChatRules.c8c, CometChatRules.c7a, CometChatRules.c7b,
                    "card_start", "card_end"
                )
            }
        let isEnd = event.kind?.rawValue == rules.end
        return switch finding.problem {
        case .alreadyOpen: (rules.twice, "\(rules.end) before it")
        case .stillOpen: (rules.open, "\(rules.end) before it")
        case .continuedTooOften: (CometChatRules.c7c, "one card")
        case .unknown: (CometChatRules.c6a, "a call with that id")
        case .notYetClosed: (CometChatRules.c6b, "tool_call_end before it")
        case .closedTwice: (rules.outer, "one \(rules.end)")
        case .neverOpened where isEnd: (rules.outer, "\(rules.begin) before it")
        case .neverOpened: (rules.inner, "\(rules.begin) before it")
        case .continuedAfterClose: (rules.inner, "\(rules.end) behind it")
        case .reopened, .closedEarly, .outside, .interrupted, .noLongerOpen, .neverClosed: nil
        }
    }
}

extension AgentEvent {
    /// Which bracket it means; nil where it does not say.
    var bracketKey: String? {
        switch kind {
        case .toolCallStart, .toolCallArgs, .toolCallEnd, .toolCallResult:
            toolCallId.isEmpty ? nil : toolCallId
        case .cardStart, .card, .cardEnd: cardId.isEmpty ? nil : cardId
        case .textMessageStart, .textMessageContent, .textMessageEnd: textKey
        default: ""
        }
    }
}
